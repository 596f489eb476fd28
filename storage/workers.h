/* SPDX-License-Identifier: MIT */
/*
 * Threads that each do one thing at a time. The owner hands worker w a job by
 * number (what the job is lies in the owner's own table, at index w) and
 * later takes finished workers out of one queue, in the order in which they
 * finished, each with the time of its end.
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

typedef void worker_function(void *context, uint32_t worker);

/* Starts 1..WORKERS_MAX threads; `wake` is posted whenever one finishes.
 * Signals stay with the threads that exist already. Negative errno. */
int workers_start(struct workers **out, uint32_t count, worker_function *work,
		  void *context, struct reader_wake *wake)
	__attribute__((warn_unused_result));

/* Waits for the jobs that are being done, ends the threads and returns the
 * CPU time they spent, nanoseconds. NULL is nothing: 0. */
int64_t workers_stop(struct workers *workers);

/* Calls work(context, worker) on that worker's thread. It must be free: never
 * put, or taken since. */
void workers_put(struct workers *workers, uint32_t worker);

/* The next worker that has finished, and when; false when there is none. */
bool workers_take(struct workers *workers, uint32_t *worker, int64_t *at_ns);

#endif
