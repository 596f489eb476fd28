/* SPDX-License-Identifier: MIT */
/*
 * Threads that do jobs. The owner puts jobs by number (what a job is lies in
 * the owner's own table, at that index) into one queue and then wakes the
 * workers for them; whichever is free does the next. The owner takes finished
 * jobs out of another queue, in the order in which they finished, each with
 * the time of its end.
 *
 * To wake a thread costs both sides tens of microseconds. A worker that finds
 * the queue filled goes on without sleeping, so many small jobs cost one
 * wake-up; and the owner may do jobs itself that it has not woken anyone for.
 *
 * Everything is made at start: putting and taking allocate nothing and take
 * no lock. One thread owns the workers.
 */
#ifndef STORAGE_WORKERS_H
#define STORAGE_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "storage/reader_wake.h"

#define WORKERS_MAX 1024

struct workers;

typedef void worker_function(void *context, uint32_t worker, uint32_t job);

/* Starts 1..WORKERS_MAX threads for the jobs 0..jobs-1; `wake` is posted
 * whenever one is finished. Signals stay with the threads that exist already.
 * Negative errno. */
int workers_start(struct workers **out, uint32_t count, uint32_t jobs,
		  worker_function *work, void *context,
		  struct reader_wake *wake) __attribute__((warn_unused_result));

/* Waits for the jobs that are being done, leaves those in the queue, ends the
 * threads and returns the CPU time they spent, nanoseconds. NULL is nothing:
 * 0. */
int64_t workers_stop(struct workers *workers);

/* Lets the threads go before ordinary ones, where that is permitted, from
 * their next job on. */
void workers_raise(struct workers *workers);

/* Puts a job into the queue. It must not be under way: never put, or taken
 * since. */
void workers_put(struct workers *workers, uint32_t job);

/* Has work(context, worker, job) called on the threads of the workers for all
 * jobs in the queue. */
void workers_wake(struct workers *workers);

/* Does the first of the jobs that nobody was woken for on the owner's thread,
 * as the worker whose number is the count of the workers; false: there is
 * none. */
bool workers_help(struct workers *workers);

/* The next job that has finished, and when; false when there is none. */
bool workers_take(struct workers *workers, uint32_t *job, int64_t *at_ns);

#endif
