/* SPDX-License-Identifier: MIT */
/*
 * What the engine counted: whole numbers over the measured window (all steps
 * but the first warmup_steps) unless a member says "run". Ratios and names
 * for people are made of them in analysis/.
 */
#ifndef SIM_FIGURES_H
#define SIM_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/histogram.h"
#include "sim/level.h"
#include "sim/pipeline.h"

struct stage_figures {
	uint32_t workers;    /* on all hosts together */
	uint64_t items;	     /* finished: requests, blocks, examples, batches */
	double busy_mean;    /* workers busy (read: requests in flight), on
				average over time: utilisation x workers */
	double waiting_mean; /* results waiting to be taken, on average over
				time. read: blocks; decompress, decode,
				augment: examples; collate: batches */
};

struct storage_figures {
	uint64_t requests;
	uint64_t bytes;		/* asked of the device */
	uint64_t example_bytes; /* stored bytes of the examples delivered */
	uint64_t cached_bytes;	/* of those, what a cache had */
	uint64_t retries;
	bool failed; /* a read failed for good and ended the run */
	struct histogram latency_ns; /* request issued to complete */
};

/* What the workers of all crews did, on average over time; all 0 where a loader
 * has stages. Those that are neither busy nor held have nothing to do. */
struct crew_figures {
	uint32_t workers;    /* of all loaders together */
	double busy_mean;    /* workers with a batch in work, waits for its
				reads included */
	double held_mean;    /* workers that have finished all they were given
				and wait for some of it to be handed over */
	double blocked_mean; /* of those, while their own trainer waits for
				another worker's batch */
	double out_mean;     /* batches given and not handed over */
};

/* One epoch's reads, of all hosts. */
struct epoch_figures {
	uint64_t bytes;	       /* asked for */
	uint64_t cached_bytes; /* of those, what caches had */
};

#define FIGURES_EPOCHS_MAX 32

struct figures {
	bool complete;	    /* the run reached its limit */
	bool data_ended;    /* it ended because every epoch was read */
	uint64_t run_steps; /* steps of the whole run, warm-up included */
	int64_t run_ns;

	/* The window. */
	uint64_t steps; /* barrier: of all accelerators together; none:
			   those of single accelerators /
			   accelerators */
	int64_t elapsed_ns;
	uint32_t accelerators; /* count x hosts */
	/* Summed over accelerators, all of them from the moment at which the
	 * last has ended its warm-up to the end of the last step of any:
	 * accelerator_ns = busy_ns + idle_ns, and au = busy_ns /
	 * accelerator_ns. Days of thousands of accelerators do not fit 64
	 * bits. */
	level_integral accelerator_ns;
	level_integral busy_ns; /* nominal step time */
	level_integral idle_ns;
	/* The steady part of it (MSER-5): au_steady = steady_busy_ns /
	 * (steady_elapsed_ns x accelerators). 0 elapsed: too few steps. */
	level_integral steady_busy_ns;
	int64_t steady_elapsed_ns;

	uint64_t consumed_examples; /* uses by steps, repeats included */
	uint64_t fresh_examples;    /* first uses by steps: read from storage
				       and used at least once */
	uint64_t batches;	    /* consumed, repeats included */
	uint64_t duplicates; /* uses of an example already in the same batch */
	uint64_t lag_uses;   /* repeat uses in a later batch */
	uint64_t lag_steps;  /* summed steps between such uses */
	/* What became of every example that was asked of storage, in the whole
	 * run: read = first uses by steps + dropped + left over + under way. */
	uint64_t run_read_examples;
	uint64_t run_fresh_examples;
	uint64_t run_dropped_examples;	 /* too few for a batch at the end of an
					    epoch, on their host */
	uint64_t run_left_over_examples; /* in whole batches that no step took
					    as an epoch ended (sim/epoch.h) */
	uint64_t run_left_over_batches;
	uint64_t run_under_way_examples; /* not used when the run ended */
	uint64_t run_epochs;		 /* epochs begun */
	/* The first of them, from their first byte on. */
	struct epoch_figures epochs[FIGURES_EPOCHS_MAX];

	struct stage_figures stages[STAGE_COUNT];
	struct crew_figures crew;
	struct storage_figures storage;
	uint64_t digest; /* of every decision of the run: equal digests, equal
			    runs */
};

#endif
