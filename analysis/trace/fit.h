/* SPDX-License-Identifier: MIT */
/*
 * From a trace to a model: the events of a recording, or of a foreign trace,
 * become a scenario that is ready to run: a device profile, the sizes of
 * examples, the times of stages and steps, the order of access. With each goes
 * how well it fits, measured on the half of the trace that it was not fitted
 * to. What a trace does not hold is left out of the model, or stands in the
 * scenario as an assumption and is called one.
 *
 * Memory does not grow with the trace: the device is fitted to the first
 * TRACE_FIT_REQUESTS_MAX requests, all else to histograms and counts.
 */
#ifndef ANALYSIS_TRACE_FIT_H
#define ANALYSIS_TRACE_FIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/trace/device.h"
#include "analysis/trace/pace.h"
#include "analysis/trace/sequence.h"
#include "analysis/trace/shape.h"
#include "sim/pipeline.h"
#include "sim/trace_event.h"

#define TRACE_FIT_REQUESTS_MAX 65536

/* With fewer the p99 of half of them rests on fewer than 5. */
#define TRACE_FIT_REQUESTS_FEW 1000

#define TRACE_FIT_CAUTION_MAX 480

/* A stage of CPU work. */
struct trace_stage {
	struct shape_fit time_ns;
	uint32_t workers; /* of a host: as many as were busy at once */
};

/* What a recording says of itself, which need not be guessed; 0 and "": it
 * does not, as one of a foreign trace. */
struct trace_known {
	bool numbered; /* objects have the numbers of the dataset's shards */
	char order[32];
	uint64_t batch_size;
	uint64_t examples;
	uint64_t shard_examples;
	double example_bytes; /* the mean */
};

struct trace_model {
	struct trace_known known;
	uint64_t events;
	/* Requests that say nothing about a device: from a cache, written,
	 * asked for and not answered, failed or repeated or without a time;
	 * and those beyond the first. */
	uint64_t requests;
	uint64_t cached_requests;
	uint64_t written_requests;
	uint64_t endless_requests;
	uint64_t unusable_requests;
	struct device_fit device;
	struct shape_fit request_bytes;
	struct shape_fit block_bytes;	/* of decompressed blocks */
	struct shape_fit example_bytes; /* as stages saw them */
	struct shape_fit step_ns;
	struct trace_stage stages[STAGE_COUNT];
	uint32_t hosts;
	uint32_t accelerators; /* of a host; 0: no steps were seen */
	uint64_t steps;	       /* of an accelerator */
	bool between_waits;    /* steps are what lies between waits */
	uint64_t batch_size;   /* 0: not known */
	bool batch_guessed;
	uint64_t request_examples; /* that a request reads, at least 1 */
	struct sequence sequence;
	uint64_t objects;
	uint64_t object_bytes;	 /* the end of what was read of the largest */
	double seconds;		 /* from the first time to the last */
	struct pace_figures own; /* as the trace itself has it */
	/* Set by who simulated the model: more waits are in the trace than
	 * what else is known explains. */
	bool unexplained;
};

struct trace_fit;

/* `known` NULL: nothing. NULL: there is not enough memory. */
struct trace_fit *trace_fit_open(const struct trace_known *known);
void trace_fit_close(struct trace_fit *fit);

/* The next event of the trace. */
void trace_fit_add(struct trace_fit *fit, const struct trace_event *event);

/* What they make. 0 or -ENOMEM. */
int trace_fit_finish(struct trace_fit *fit, struct trace_model *model)
	__attribute__((warn_unused_result));

/* What not to conclude from a simulation of the model, in one line: it rests on
 * little, or its au is assumed. "": nothing stands against it. */
void trace_fit_caution(const struct trace_model *model,
		       char text[TRACE_FIT_CAUTION_MAX]);

/* Writes the scenario; `source` is what the trace is called. */
void trace_fit_print(FILE *out, const struct trace_model *model,
		     const char *source);

/* Does the trace wait longer than the model does, and has no work of the CPU
 * that could be why? Then `unexplained` gives the model what is missing. */
bool trace_fit_is_short(const struct trace_model *model,
			const struct pace_figures *simulated);

/* Writes what a simulation of the model came to beside what the trace itself
 * has, as comments. */
void trace_fit_print_beside(FILE *out, const struct trace_model *model,
			    const struct pace_figures *simulated);

#endif
