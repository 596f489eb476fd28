/* SPDX-License-Identifier: MIT */
/*
 * Who goes first on a busy machine. Threads that keep a model in time sleep
 * most of the while, but what they do late disturbs the run; so they go before
 * all ordinary threads, where that is permitted (root, or RLIMIT_RTPRIO). The
 * one that drives goes before those that work for it.
 */
#ifndef STORAGE_PRIORITY_H
#define STORAGE_PRIORITY_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

/* How the calling thread is scheduled. */
struct priority {
	int slack_ns;
	int policy;
	struct sched_param parameters;
};

/* Makes the calling thread's timers exact and, where permitted, lets it go
 * first: returns whether it was. `before` is how to put it back. */
bool priority_raise(struct priority *before);
void priority_restore(const struct priority *before);

/* Lets another thread go before ordinary ones; false: not permitted. */
bool priority_raise_worker(pthread_t thread);

#endif
