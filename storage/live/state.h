/* SPDX-License-Identifier: MIT */
/*
 * What a live run consists of, shared by the files storage/live*.c: making it
 * (live_open.c) and running it (live.c). Everything is allocated before the
 * first read and nothing until after the last.
 */
#ifndef STORAGE_LIVE_STATE_H
#define STORAGE_LIVE_STATE_H

#include "storage/live/live.h"
#include "storage/live/held.h"
#include "storage/live/jobs.h"
#include "storage/priority.h"
#include "storage/reader.h"

/* A read that the kernel has not completed. */
struct live_read {
	struct engine_task task;
	int64_t issue_ns;
	struct completion modelled; /* at its due time */
	bool active;
	bool cached; /* wholly in the model's cache */
};

struct live {
	struct engine *engine;
	const struct pipeline *pipeline;
	struct tiers *tiers; /* NULL: native */
	struct dataset *dataset;
	const struct live_options *options;
	struct live_report *report;
	struct fault *fault;

	/* Request buffers: hosts x buffers slots of slot_bytes. */
	unsigned char *memory;
	size_t memory_bytes;
	size_t slot_bytes;
	uint32_t buffers; /* per host */
	uint32_t slots;
	uint32_t reads_per_host; /* in flight at most, no more than buffers */
	struct live_read *reads; /* host by host */
	uint32_t cached_reads;	 /* active */

	struct live_jobs jobs;

	int *files; /* by shard, or by slot when opens_each */
	uint32_t file_count;
	bool opens_each;
	int failure; /* of opening a file */
	struct reader_wake wake;
	struct reader *reader;
	struct held held;

	struct priority priority;
	int64_t start_ns; /* clock at the run's time 0 */
	int64_t patience_ns;
	uint32_t awaited;    /* reads and jobs outside the engine */
	int64_t heard_ns;    /* when one of them last came back, or began to be
				awaited */
	int64_t progress_ns; /* when it was last reported */
	bool ended;	     /* the engine has: there is nothing more to do */
};

/* Makes everything that the run needs. */
int live_open(struct live *live) __attribute__((warn_unused_result));

/* Ends it: waits for the kernel and the workers, and frees it. -ETIMEDOUT when
 * the kernel does not give the buffers back; they are then left to it. */
int live_close(struct live *live) __attribute__((warn_unused_result));

/* Closes the file of a slot, where each is opened for its read. */
void live_close_file(struct live *live, uint32_t slot);

#endif
