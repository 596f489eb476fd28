/* SPDX-License-Identifier: MIT */
/*
 * The pace of the accelerators as a trace itself has it: how long each computed
 * and how long it waited between two steps. What is fitted to the trace must
 * not contradict it. The first step of an accelerator is not counted, as in a
 * simulation's warm-up.
 */
#ifndef ANALYSIS_TRACE_PACE_H
#define ANALYSIS_TRACE_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define PACE_ACCELERATORS_MAX 4096

struct pace {
	struct {
		bool begun;
		int64_t end_ns; /* of its last step */
	} accelerators[PACE_ACCELERATORS_MAX];
	uint64_t steps;
	double busy_ns;
	double wait_ns;
	bool overlapped; /* two steps of one at once: whose they are is not
			    known, so nothing is */
};

/* Of an accelerator; NAN: not known. */
struct pace_figures {
	double au;
	double steps_per_s;
	double wait_s;	    /* mean, before a step */
	double bytes_per_s; /* read by all */
};

/* The rest of the memory is zero when a pace begins. Steps of one accelerator
 * come in their order. */
void pace_add(struct pace *pace, uint32_t accelerator, int64_t start_ns,
	      int64_t end_ns);

/* bytes_per_s stays what it is. */
void pace_make(const struct pace *pace, struct pace_figures *figures);

#endif
