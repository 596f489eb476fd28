/* SPDX-License-Identifier: MIT */
/*
 * Does a row of trace events make sense? Each event's times are in order, the
 * time at which they were told never goes back (sim/trace_event.h),
 * and the counts are those of the end.
 */
#ifndef ANALYSIS_TRACE_CHECK_H
#define ANALYSIS_TRACE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fault.h"
#include "sim/trace_event.h"
#include "traces/recording/recording.h"

struct trace_check {
	int64_t now_ns;
	uint64_t requests;
	uint64_t steps;
	const char *wrong; /* what is, with the event added last */
};

/* False when something is wrong with it. */
bool trace_check_add(struct trace_check *check,
		     const struct trace_event *event);

/* -EBADMSG and a fault when the end is missing or says something else. */
int trace_check_end(const struct trace_check *check,
		    const struct recording_end *end, const char *name,
		    struct fault *fault) __attribute__((warn_unused_result));

#endif
