/* SPDX-License-Identifier: MIT */
/*
 * A goal is a bound on one metric, "au>=0.9" or "storage.latency_s.p99<=8ms".
 * A figure that is not known meets no goal, and only a live run knows the
 * figures of live runs.
 */
#ifndef ANALYSIS_GOAL_H
#define ANALYSIS_GOAL_H

#include <stdbool.h>

#include "analysis/metric.h"
#include "sim/fault.h"

struct goal {
	const char *text; /* as it was written, borrowed */
	const struct metric *metric;
	bool at_least; /* false: at most */
	double bound;  /* SI base units */
};

/* -EINVAL and a fault when the text is no goal. */
int goal_parse(struct goal *goal, const char *text, struct fault *fault)
	__attribute__((warn_unused_result));

/* The same of "au=0.4": what was measured; met where it is at least that. */
int goal_parse_measured(struct goal *goal, const char *text,
			struct fault *fault)
	__attribute__((warn_unused_result));

/* Where sim and live runs are compared, only the live ones are asked. */
bool goal_is_of_live_runs(const struct goal *goal);

/* Of a device with burst credit, goals are put to what is sustained, but for
 * result->by_start. */
bool goal_met(const struct goal *goal, const struct result *result);

#endif
