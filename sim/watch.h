/* SPDX-License-Identifier: MIT */
/*
 * Watching a run from outside: an engine tells its watcher what happens as it
 * happens. Watching changes nothing of what is decided.
 */
#ifndef SIM_WATCH_H
#define SIM_WATCH_H

#include <stdint.h>

#include "sim/trace_event.h"

/* One use of an example by a step. */
struct use {
	uint64_t epoch;
	uint64_t example; /* its number in the dataset */
	uint32_t copy;	  /* 0: the first out of the echo */
};

/* A step begins on an accelerator with this batch. The uses are valid during
 * the call only. */
struct batch_use {
	int64_t at_ns;
	uint32_t accelerator;
	uint64_t step;
	const struct use *uses;
	uint32_t count;
};

/* Each function may be NULL: not told. `time`: all up to now has happened, the
 * next thing happens at to_ns, later than now; to look at levels between. */
struct watcher {
	void *context;
	void (*batch)(void *context, const struct batch_use *use);
	void (*event)(void *context, const struct trace_event *event);
	void (*time)(void *context, int64_t to_ns);
};

#endif
