/* SPDX-License-Identifier: MIT */
/*
 * A pipe does `rate` units of work a second, first come, first served. What a
 * division leaves over is carried, so that a million small requests take
 * exactly as long as one large one.
 */
#ifndef SIM_PIPE_H
#define SIM_PIPE_H

#include <stdint.h>

struct pipe {
	int64_t free_ns;    /* when the work accepted so far is done */
	uint64_t remainder; /* in 1/rate of a nanosecond */
};

/* Work beyond this many units at once would overflow. */
#define PIPE_UNITS_MAX (UINT64_C(16) << 30)

/* Accepts `units` of work at start_ns; returns when they are done. The rate
 * must be the same at every call; 0 is infinitely fast. */
int64_t pipe_pass(struct pipe *pipe, uint64_t rate, int64_t start_ns,
		  uint64_t units);

#endif
