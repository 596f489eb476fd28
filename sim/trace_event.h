/* SPDX-License-Identifier: MIT */
/*
 * What happens in a run, one value per happening: a request was served, a
 * worker was busy with an item, a batch was handed over, a step was computed.
 * An engine tells its watcher (sim/watch.h); a recording is a row of them; a
 * foreign trace is read into the same.
 *
 * A time that is not known is TIME_UNKNOWN: a foreign trace may know when a
 * request was asked for and not when it was answered.
 *
 * When it is told. An engine tells of an event once its end is certain, and
 * its time never goes back: of a request and of a block that was decompressed
 * outside the engine at end_ns; of other work and of a step at start_ns, for
 * nothing can change how long they take; of a batch, and of its being carried,
 * at end_ns. What is under
 * way as a run ends may so end after it. Work that takes no time is not told.
 */
#ifndef SIM_TRACE_EVENT_H
#define SIM_TRACE_EVENT_H

#include <stdint.h>

#define TIME_UNKNOWN INT64_MIN

enum trace_event_kind {
	TRACE_REQUEST, /* storage read (or wrote) a stretch of an object */
	TRACE_WORK,    /* a worker of a stage spent time on an item */
	TRACE_BATCH,   /* a batch waits from issue_ns on, is taken at end_ns */
	TRACE_STEP,    /* an accelerator computed from start_ns to end_ns; it
			  had its batch at issue_ns and waited for others */
	TRACE_CARRY,   /* a worker of a loader of workers began a batch at
			  issue_ns and finished it at start_ns; it waited to be
			  handed over until end_ns */
	TRACE_KINDS
};

enum trace_event_flag {
	TRACE_WRITE = 1,       /* request: not a read */
	TRACE_FAILED = 2,      /* request: no retry helped */
	TRACE_FIRST_TOUCH = 4, /* request: in the first epoch */
	TRACE_LATE = 8,	       /* live request: after the model's time */
};

struct trace_event {
	int64_t issue_ns; /* asked for; the item or batch was there */
	int64_t start_ns; /* the device, worker or accelerator began */
	int64_t end_ns;	  /* done, as the engine was told */
	/* Request, decompression: how-many-th, from 0, over all hosts.
	 * decode, augment: epoch * examples of the dataset + example. collate,
	 * batch, carrying: of the batch on its host. Step: how-many-th. */
	uint64_t number;
	uint64_t offset_bytes; /* request, block: in its object */
	uint64_t bytes;	       /* request: asked for; work: stored bytes, 0
				  where the engine does not need to know */
	uint64_t cached_bytes; /* request: of those, what a cache had */
	/* Request, decompression: shard or file. decode, augment: which use of
	 * the example, 0 the first. Batch, step: accelerator. Carrying: worker,
	 * on its host. */
	uint32_t object;
	uint32_t host;
	uint32_t late_ns; /* live request: how late, at most 4.29 s is told */
	uint8_t kind;	  /* enum trace_event_kind */
	uint8_t stage;	  /* work: enum stage_name */
	uint8_t flags;	  /* enum trace_event_flag */
	uint8_t retries;  /* request: attempts beyond the first, at most 255 */
};

_Static_assert(sizeof(struct trace_event) == 72, "an event has no holes");

#endif
