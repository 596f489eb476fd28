/* SPDX-License-Identifier: MIT */
/*
 * The window (private to the engine's files) of a loader of stages: how far
 * decode may run ahead of collate. Loaders that are much alike otherwise
 * differ in this: how many units are begun and not taken, what a unit is, and
 * when one makes room for the next (struct loading).
 *
 *   tf.data map(n), in order     n + 1 examples, at the ask
 *   the same, as they finish     n examples, at the take
 *   tf.data map(n) and batch,    ceil(n / B) batches, growing to 16, at the
 *   fused (its default)          take
 *   DALI, FFCV                   1 batch, at the ask: all threads work on one
 *
 * Counted in examples that decode has begun: it may begin one more while fewer
 * than `end` are, and collate moves that end on. At the end of an epoch a unit
 * that is not full counts as full.
 */
#ifndef SIM_WINDOW_H
#define SIM_WINDOW_H

#include "sim/loader.h"

void window_init(const struct engine *engine, struct loader *loader);

/* Collate opens a batch; it has taken one more example into it, or drops it
 * with the epoch. */
void window_opened(const struct engine *engine, struct loader *loader);
void window_taken(const struct engine *engine, struct loader *loader);
void window_dropped(const struct engine *engine, struct loader *loader);

/* Decode has begun one more example; it has seen its epoch's end. */
static inline void window_begun(struct loader *loader)
{
	loader->window.begun++;
}

void window_epoch_end(struct loader *loader);

/* May decode, which has a worker free, begin one more? */
bool window_is_open(struct loader *loader);

#endif
