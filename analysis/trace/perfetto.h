/* SPDX-License-Identifier: MIT */
/*
 * Trace events, one after the other, in the trace event format of Chrome, which
 * ui.perfetto.dev and chrome://tracing open. Of every host:
 *   storage: a bar per request, from issue to completion, and within it the
 *     time that the device served it; they overlap, so they are async events;
 *   a process per CPU stage: workers as threads, each item on the first that
 *     was free;
 *   accelerators: a thread each; steps, and before them the wait for others;
 *   loader workers, where they carry whole batches: a thread each; a batch
 *     from begun to finished, and then that it waits, until it is handed over
 *     or its worker begins the next one;
 *   batches: from when they were made to when they were taken;
 * and counters of all hosts together.
 *
 * Times are microseconds of the run, with nanoseconds behind the point. What
 * the stream refuses is left in ferror().
 */
#ifndef ANALYSIS_PERFETTO_H
#define ANALYSIS_PERFETTO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/trace_event.h"

#define PERFETTO_HOSTS_MAX 4096

struct perfetto_host;

struct perfetto {
	FILE *out;
	struct perfetto_host *hosts;
	uint32_t host_count; /* those named so far */
	uint64_t async;	     /* ids given so far */
	bool several;	     /* hosts: rows say of which they are */
	bool any;
};

void perfetto_begin(struct perfetto *perfetto, FILE *out, bool several);

/* Closes what perfetto_begin() opened, always. */
void perfetto_end(struct perfetto *perfetto);

/* Names the rows of a host, and of those before it, or of an accelerator of a
 * host that was named, unless they are; perfetto_put() does it where nobody
 * did. 0 or -ENOMEM. */
int perfetto_name_host(struct perfetto *perfetto, uint32_t host)
	__attribute__((warn_unused_result));
void perfetto_name_accelerator(struct perfetto *perfetto, uint32_t host,
			       uint32_t accelerator);

/* 1; 0 when the event has no place: its times are not known, or its host is
 * none of PERFETTO_HOSTS_MAX; -ENOMEM. */
int perfetto_put(struct perfetto *perfetto, const struct trace_event *event)
	__attribute__((warn_unused_result));

/* How many there are of something from then on. */
void perfetto_count(struct perfetto *perfetto, int64_t at_ns, const char *name,
		    uint64_t value);

#endif
