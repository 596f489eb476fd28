/* SPDX-License-Identifier: MIT */
/*
 * The engine: a reactive core that decides everything that happens between a
 * byte in storage and a step of an accelerator: queues, workers, shuffle,
 * echo, batching, accounting. It never waits and does no I/O. A driver tells
 * it what finished and when, and carries out what it asks for:
 *
 *   virtual driver: asks the device model when a read completes, and says so
 *     at once (engine_complete() takes times ahead of now);
 *   live driver: reads, decompresses, and reports with the due time.
 *
 * Everything with a modelled duration (CPU stages, steps) is the engine's own
 * agenda; drivers only let it proceed up to a time.
 *
 * Events are ordered by time; at equal times completions come first, by their
 * number, then the engine's own events in the order they were made. So what
 * is decided depends on what completes when, not on when the driver said so.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/completion.h"
#include "sim/figures.h"
#include "sim/pipeline.h"
#include "sim/watch.h"

struct engine;

enum task_kind {
	TASK_READ,	 /* read `bytes` at `offset_bytes` of `shard` */
	TASK_DECOMPRESS, /* the block `block`, whose request is complete; only
			    when pipeline.external_decompress */
};

/* What a driver is asked to do. */
struct engine_task {
	enum task_kind kind;
	uint32_t host;
	/* Slot of the buffer on its host: unique among those whose blocks are
	 * not all decompressed, < engine_buffers(). A decompression names the
	 * buffer that holds its block. */
	uint32_t buffer;
	uint32_t loader; /* for engine_complete() only, as is */
	uint32_t slot;	 /* the slot */
	uint32_t read; /* of a read: unique among the reads of its host that are
			  not complete, < engine_reads() */
	uint64_t number; /* counts tasks of this kind, from 0, over all hosts */
	/* Read: first block and how many; decompress: the block, 1. */
	uint64_t block;
	uint32_t block_count;
	uint32_t shard;
	uint64_t offset_bytes; /* read: aligned; decompress: of the block's
				  stored bytes from the start of the buffer */
	uint64_t bytes;	       /* read: aligned; decompress: stored bytes */
	/* Read: a block may be larger than a request and come in parts. From
	 * where in the buffer this one goes, what all of them are together,
	 * and whether none comes after it. */
	uint64_t buffer_offset_bytes;
	uint64_t whole_bytes;
	bool last;
	uint64_t position_bytes; /* read: place on the device, all shards laid
				    end to end */
	bool first_touch;	 /* read: in the first epoch */
	bool opens; /* read: of another shard than the host's last one, whose
		       file is opened for it */
};

/* Memory that engine_init() wants, in bytes; SIZE_MAX: more than can be. */
size_t engine_memory_bytes(const struct pipeline *pipeline);

/* Carves the engine out of `memory` (aligned to 64), at time 0. */
struct engine *engine_init(void *memory, const struct pipeline *pipeline);

/* Sets who is told what happens, from now on; NULL: nobody. Borrowed. */
void engine_watch(struct engine *engine, const struct watcher *watcher);

/* Buffers per host that can be in use at once, and the size of the largest;
 a live driver allocates these. */
uint32_t engine_buffers(const struct pipeline *pipeline);
uint64_t engine_buffer_bytes(const struct pipeline *pipeline);

/* Reads per host that can be in flight, at most. */
uint32_t engine_reads(const struct pipeline *pipeline);

/* Decompressions per host that can be asked for and not be complete, at most;
 * a live driver makes room for these. */
uint32_t engine_decompressions(const struct pipeline *pipeline);

/* Takes the next thing to be done; false when there is none. */
bool engine_take_task(struct engine *engine, struct engine_task *task);

/* True when a task waits to be taken. */
bool engine_task_waits(const struct engine *engine);

/* Says how and when a task completes, not before engine_now_ns(). A failed
 * read ends the run when it completes; the figures say which. */
void engine_complete(struct engine *engine, const struct engine_task *task,
		     const struct completion *completion);

/* Proceeds through the agenda up to and including until_ns, at most `events`
 * events, stopping early when a task waits to be taken. Returns true while
 * the run goes on; false once it is over. */
bool engine_advance(struct engine *engine, int64_t until_ns, uint64_t events);

/* How much there is of everything at the moment, on all hosts together. */
struct engine_levels {
	uint32_t requests; /* in flight */
	/* Workers that are busy; decompress: blocks handed out, where that is
	 * done outside. */
	uint32_t busy[STAGE_COUNT];
	/* Results that wait to be taken: as in struct stage_figures. */
	uint32_t waiting[STAGE_COUNT];
	uint64_t ahead_examples;    /* asked of storage and not yet consumed:
				       what read_ahead_examples bounds,
				       but for the last request's */
	uint64_t shuffled_examples; /* in shuffle buffers */
	uint64_t batches;	    /* collated and not taken by a step */
	uint32_t stepping;	    /* accelerators */
};

void engine_levels(const struct engine *engine, struct engine_levels *levels);

/* Time of the last event; time of the next one, INT64_MAX if none waits. */
int64_t engine_now_ns(const struct engine *engine);
int64_t engine_next_ns(const struct engine *engine);

/* Share of the run's limit that is done, 0..1. */
double engine_progress(const struct engine *engine);

/* What was counted so far; at any time. */
void engine_figures(const struct engine *engine, struct figures *figures);

#endif
