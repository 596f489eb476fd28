/* SPDX-License-Identifier: MIT */
/*
 * What happens in a run, one value per happening: a request was served, a
 * worker was busy with an item, a batch was handed over, a step was computed.
 * An engine tells its watcher (sim/watch.h); a recording is a row of them; a
 * foreign trace is read into the same.
 *
 * A time that is not known is TIME_UNKNOWN: a foreign trace may know when a
 * request was asked for and not when it was answered.
 */
#ifndef SIM_TRACE_EVENT_H
#define SIM_TRACE_EVENT_H

#include <stdint.h>

#define TIME_UNKNOWN INT64_MIN

enum trace_event_kind {
	TRACE_REQUEST, /* storage read (or wrote) a stretch of an object */
	TRACE_WORK,    /* a worker of a stage spent time on an item */
	TRACE_BATCH,   /* a batch waits from issue_ns on, is taken at end_ns */
	TRACE_STEP,    /* an accelerator computed from start_ns to end_ns */
	TRACE_KINDS
};

enum trace_event_flag {
	TRACE_WRITE = 1,       /* request: not a read */
	TRACE_FAILED = 2,      /* request: no retry helped */
	TRACE_FIRST_TOUCH = 4, /* request: in the first epoch */
	TRACE_LATE = 8,	       /* live request: after the model's time */
};

/* 64 bytes, the same on every machine but for the order of bytes. */
struct trace_event {
	int64_t issue_ns; /* asked for; the item or batch was there */
	int64_t start_ns; /* the device, worker or accelerator began */
	int64_t end_ns;	  /* done, as the engine was told */
	uint64_t number;  /* of the request, block, example use, batch, step */
	uint64_t offset_bytes; /* request: in its object */
	uint64_t bytes;	       /* request: asked for */
	uint32_t object;       /* request: shard or file */
	uint32_t host;
	uint32_t late_ns; /* live request: how late, at most 4.29 s is told */
	uint8_t kind;	  /* enum trace_event_kind */
	uint8_t stage;	  /* work: enum stage_name */
	uint8_t flags;	  /* enum trace_event_flag */
	uint8_t retries;  /* request: attempts beyond the first */
};

_Static_assert(sizeof(struct trace_event) == 64, "an event is one cache line");

#endif
