/* SPDX-License-Identifier: MIT */
/*
 * A worker of a crew (private to the engine's files): it takes on the batches
 * that it was given, one after the other, and does everything of a batch by
 * itself: example by example it reads the block, decompresses it, decodes and
 * augments the example; then it collates. Each block is read once a batch.
 *
 * It has at most `reads` blocks read ahead, the one in use included, and as
 * many requests in flight, of which a large block takes several: with one it
 * asks for the next block when it is through with the last, and waits.
 */
#ifndef SIM_WORKER_H
#define SIM_WORKER_H

#include "sim/loader.h"

/* Takes on the next batch, if the worker is idle and has one. */
void worker_begin(struct engine *engine, struct loader *loader, uint32_t index);

/* It has done the piece of work that it was at. */
void worker_finish(struct engine *engine, struct loader *loader,
		   uint32_t index);

/* A read is complete. */
void worker_finish_read(struct engine *engine, struct loader *loader,
			uint32_t slot);

/* Is it idle with finished batches? Counts that, when it may have changed. */
void worker_note_held(const struct engine *engine, struct crew *crew,
		      struct worker *worker);

#endif
