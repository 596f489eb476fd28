/* SPDX-License-Identifier: MIT */
/*
 * Runs of a loader of workers for tests, and when each batch was handed over.
 */
#ifndef TESTS_SUPPORT_CREWS_H
#define TESTS_SUPPORT_CREWS_H

#include "tests/support/runs.h"

#define HANDOVERS_MAX 2000

/* Of the last run, in the order of hand-over. */
struct handovers {
	uint64_t count;
	uint64_t numbers[HANDOVERS_MAX];
	int64_t times_ns[HANDOVERS_MAX];
};

extern struct handovers handovers;

/* These values in turn, borrowed. */
struct distribution crew_cycle(const double *values, uint32_t count);

/* So many examples in batches of one, each worker with one read in flight;
 * every stage costs nothing. */
struct pipeline crew_pipeline(uint64_t examples, uint32_t workers,
			      uint32_t prefetch_factor, bool in_order);

/* Runs against a device of this latency, and fills the hand-overs. */
struct figures crew_run(const struct pipeline *pipeline, double latency_s);

double handovers_last_s(void);

/* Steps between the first hand-over and the last, over the time between. */
double handovers_au(double step_s);

#endif
