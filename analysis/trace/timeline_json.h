/* SPDX-License-Identifier: MIT */
/*
 * A timeline in the trace event format of Chrome, which ui.perfetto.dev and
 * chrome://tracing open. Of every host:
 *   storage: a bar per request, from issue to completion, and within it the
 *     time that the device served it; they overlap, so they are async events;
 *   a process per CPU stage: workers as threads, each item on the first that
 *     was free;
 *   accelerators: a thread each; steps, and before them the wait for others;
 *   batches: from when they were made to when they were taken;
 * and of all hosts together, counters: requests in flight, results that wait
 * behind each stage, read-ahead credit in use, batches that are ready.
 *
 * Times are microseconds of the run, with nanoseconds behind the point.
 */
#ifndef ANALYSIS_TIMELINE_JSON_H
#define ANALYSIS_TIMELINE_JSON_H

#include <stdio.h>

#include "analysis/trace/timeline.h"
#include "sim/pipeline.h"

/* -ENOMEM or 0; what the stream refuses is left in ferror(). */
int timeline_write(FILE *out, const struct timeline *timeline,
		   const struct pipeline *pipeline)
	__attribute__((warn_unused_result));

#endif
