/* SPDX-License-Identifier: MIT */
/*
 * What a crew is made of (private to the engine's files): the workers of a
 * loader that each carry whole batches. What they do is in sim/crew.h.
 */
#ifndef SIM_CREW_STATE_H
#define SIM_CREW_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/level.h"
#include "sim/sampler.h"

#define WORK_NONE UINT32_MAX

/* A batch that is out, by its slot in collate's output. */
struct work {
	uint32_t worker;
	uint32_t next; /* that its worker takes on after it */
	int64_t begun_ns;
};

struct worker {
	uint32_t slot; /* of the batch in work; WORK_NONE: it is idle */
	uint32_t head; /* of those to follow */
	uint32_t tail;
	uint32_t out;  /* batches given to it and not handed over */
	bool held;     /* it is idle and all of these are finished */
	uint8_t stage; /* what it does now, or waits for */
	/* Uses in the batch: done, and looked at for what must be read. */
	uint32_t done;
	uint32_t asked;
	/* Requests asked for and not used up, a ring of `reads`. */
	uint32_t first_request;
	uint32_t requests;
	uint32_t in_flight;  /* parts of them */
	uint64_t last_block; /* the last of those asked for */
	bool has_open;	     /* each has files of its own open, one at a time */
	uint32_t open_shard;
	bool holds_block; /* the first of them is being used */
	uint64_t batches; /* begun */
	/* The example that its echo repeats, and copies owed of it. */
	uint32_t echo_id;
	uint32_t echo_used;
	uint32_t echo_owed;
};

/* A block that a worker has in this batch: the how-many-th it began. */
struct had_block {
	uint64_t block;
	uint64_t batch;
};

struct crew {
	struct worker *workers;
	uint32_t count;
	uint32_t reads;
	struct work *works; /* by slot */
	uint32_t next;	    /* worker in the cycle */
	struct sampler sampler;
	uint64_t epoch;
	bool begun;  /* this epoch's first batches are out, or on their way */
	bool serial; /* the trainer's own process is the only worker */
	/* By worker, so many each; NULL: no two examples share a block, or
	 * those that do follow each other. */
	struct had_block *had_blocks;
	uint32_t had_size;    /* a power of two */
	struct level busy;    /* workers at work, waits for reads included */
	struct level held;    /* workers that hold finished batches, and idle */
	struct level blocked; /* of these, while the trainer itself waits */
	struct level out;     /* batches given and not handed over */
};

#endif
