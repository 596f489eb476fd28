/* SPDX-License-Identifier: MIT */
/*
 * Who goes first on a busy machine. Threads that keep a model in time sleep
 * most of the while, but what they do late disturbs the run; so they go before
 * all ordinary threads, where that is permitted (root, or RLIMIT_RTPRIO).
 *
 * A thread that always goes first and hardly ever sleeps is stopped by the
 * kernel for 50 ms of every second, for the others' sake. So it pauses for
 * some microseconds in every millisecond in which it did not rest of itself:
 * that is as much for the others, and does not hold anything up.
 *
 * A struct priority belongs to the thread that made it.
 */
#ifndef STORAGE_PRIORITY_H
#define STORAGE_PRIORITY_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

enum priority_rank {
	PRIORITY_WORKER,
	PRIORITY_DRIVER, /* before its workers */
};

struct priority {
	/* As it was. */
	int slack_ns;
	int policy;
	struct sched_param parameters;

	bool raised;
	int64_t looked_ns; /* at how busy it is */
	int64_t cpu_ns;	   /* that it had used by then */
};

/* Makes the calling thread's timers exact and, where permitted, lets it go
 * first: returns whether it was. */
bool priority_raise(struct priority *priority, enum priority_rank rank);

/* To be called often; now_ns is the clock's. Pauses when that is due. */
void priority_pause(struct priority *priority, int64_t now_ns);

/* As it was. */
void priority_restore(const struct priority *priority);

#endif
