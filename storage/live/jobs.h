/* SPDX-License-Identifier: MIT */
/*
 * Blocks being decompressed. Real threads do it, whenever they get to it; the
 * model's workers are as many per host, and serve first come, first served: a
 * block begins when it was handed out or when the first of the host's workers
 * is free, and takes the CPU time that the real thread spent on it. So the
 * model does not pay for threads that are slow to wake, or preempted.
 */
#ifndef STORAGE_LIVE_JOBS_H
#define STORAGE_LIVE_JOBS_H

#include <stdint.h>

#include "sim/engine.h"
#include "sim/fault.h"
#include "storage/dataset/dataset.h"
#include "storage/workers.h"

/* A block that is being decompressed. */
struct live_job {
	struct engine_task task;
	const unsigned char *stored;
	int64_t decided_ns;
	int64_t done_ns; /* clock when its thread was done with it */
	bool active;
	/* The thread's, until it is taken back. */
	int error;
	uint64_t content_bytes;
	int64_t wall_ns;
	int64_t cpu_ns;
	struct fault fault;
};

struct live_jobs {
	struct live_job *jobs;
	uint32_t count;
	uint32_t *idle; /* jobs that are not under way: a stack */
	uint32_t idle_count;

	struct workers *workers;
	uint32_t threads;
	struct unpacker **unpackers; /* by thread, and the driver's own */
	int64_t helped_ns;	     /* CPU time of the driver's */

	int64_t *free_ns; /* when the model's workers are free, by host */
	uint32_t host_workers;
	double least_ns_per_byte; /* stored; of all blocks so far */
	int64_t put_ns; /* that the blocks put and not begun will take */
};

/* Starts the threads of all hosts. Their errors are told in the fault. */
int live_jobs_open(struct live_jobs *jobs, const struct pipeline *pipeline,
		   struct dataset *dataset, struct reader_wake *wake,
		   struct fault *fault) __attribute__((warn_unused_result));

/* Waits for what is being done, frees all; returns the CPU time of the
 * threads. Also after live_jobs_open() has failed, or all zeros. */
int64_t live_jobs_close(struct live_jobs *jobs);

/* Hands out a block, decided now. */
void live_jobs_put(struct live_jobs *jobs, const struct engine_task *task,
		   const unsigned char *stored, int64_t now_ns);

/* The next one that is done, valid until the next put; NULL: none is. */
const struct live_job *live_jobs_take(struct live_jobs *jobs);

/* When the model's worker is done with a job that was taken without error. To
 * be asked once. */
int64_t live_jobs_stamp(struct live_jobs *jobs, const struct live_job *job);

/* To be called after putting. Wakes the threads when there is much to do; when
 * it is little, does one block here, which takes less than to wake a thread
 * for it, and says so: true. */
bool live_jobs_start(struct live_jobs *jobs);

/* No block under way is done before this in the model, as far as can be told
 * from those before; INT64_MAX when none is under way. */
int64_t live_jobs_horizon_ns(const struct live_jobs *jobs);

#endif
