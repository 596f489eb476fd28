/* SPDX-License-Identifier: MIT */
/*
 * Costs (private to the engine's files): how long a worker spends on an item.
 * Its drawn time, its size at the stage's rate, and the time of the copies
 * that the echo behind the stage makes: ahead of time where the policy is
 * fixed, as a debt charged to the next item where copies are made only when
 * the consumer starves.
 */
#ifndef SIM_COST_H
#define SIM_COST_H

#include "sim/loader.h"

/* Decompressing a block, the number-th of the dataset. */
int64_t cost_block_ns(const struct engine *engine, struct loader *loader,
		      const struct block *block, uint64_t number);

/* From one operation to the next a draw is the longest chain of all that
 * happens to an example, but several chains go on side by side. So where
 * ordinals follow each other, which mostly they do, times are drawn ahead: this
 * example's and half as many as followed so far, lest much is drawn in vain. */
int64_t cost_draw_ahead_ns(const struct stage_cost *cost,
			   struct drawn_ahead *ahead, uint64_t ordinal);

int64_t cost_any_example_ns(const struct engine *engine, struct loader *loader,
			    enum stage_name name, struct token token);

/* Decoding or augmenting one copy of an example. */
ALWAYS_INLINE int64_t cost_example_ns(const struct engine *engine,
				      struct loader *loader,
				      enum stage_name name, struct token token)
{
	const struct stage_cost *cost = &engine->costs[name];
	struct drawn_ahead *ahead = &loader->ahead[name];
	uint64_t ordinal;

	if (cost->fixed) /* spares a look at the example, out of the cache */
		return cost->constant_ns;
	if (!cost->simple || token.copy > 0)
		return cost_any_example_ns(engine, loader, name, token);
	ordinal = loader->examples[token.id].ordinal;
	if (ordinal - ahead->first < ahead->count)
		return ahead->times_ns[ordinal - ahead->first];
	return cost_draw_ahead_ns(cost, ahead, ordinal);
}

/* What a batch costs by its time and its size alone. */
int64_t cost_of_batch_ns(const struct engine *engine,
			 const struct loader *loader,
			 const struct stage_cost *cost,
			 const struct batch *batch);

/* Collating a batch. */
int64_t cost_batch_ns(const struct engine *engine, struct loader *loader,
		      const struct batch *batch);

#endif
