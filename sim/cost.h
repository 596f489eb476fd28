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

/* Decoding or augmenting one copy of an example. */
int64_t cost_drawn_example_ns(const struct engine *engine,
			      struct loader *loader, enum stage_name name,
			      struct token token);
static inline int64_t cost_example_ns(const struct engine *engine,
				      struct loader *loader,
				      enum stage_name name, struct token token)
{
	const struct stage_cost *cost = &engine->costs[name];

	if (cost->fixed) /* spares a look at the example, out of the cache */
		return cost->constant_ns;
	return cost_drawn_example_ns(engine, loader, name, token);
}

/* Collating a batch. */
int64_t cost_batch_ns(const struct engine *engine, struct loader *loader,
		      const struct batch *batch);

#endif
