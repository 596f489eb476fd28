/* SPDX-License-Identifier: MIT */
/*
 * Inlets (private to the engine's files): where a stage or an accelerator
 * takes its next item from. Behind the results of the stage in front stand,
 * in this order, an echo and a shuffle buffer, each only where the strategy
 * has it.
 */
#ifndef SIM_INLET_H
#define SIM_INLET_H

#include "sim/check.h"
#include "sim/loader.h"

enum take {
	TAKE_ITEM,	/* a token was given */
	TAKE_WAIT,	/* nothing now */
	TAKE_EPOCH_END, /* the epoch is over; the next one has begun */
};

/* Asks for the next token on behalf of a lane. An echo of the policy
 * when-starved repeats only while loader->starved is set. */
enum take inlet_take(struct engine *engine, struct loader *loader,
		     unsigned int place, uint32_t lane, struct token *token);

/* The stage in front has given all that it had for the inlet's epoch. */
static inline bool inlet_has_taken_all(const struct inlet *inlet)
{
	return inlet->taken == *inlet->in_epoch;
}

/* False: asking would only say TAKE_WAIT. A look before the long way, for most
 * takes are followed by a vain one. */
static inline bool inlet_may_give(const struct loader *loader,
				  const struct inlet *inlet, uint32_t lane)
{
	return output_has_result(&inlet->front->output) ||
	       inlet_has_taken_all(inlet) || loader->starved ||
	       (inlet->echoes && inlet->holds[lane].remaining > 0);
}

/* Uses that a fixed echo will make of an item, from its ordinal (examples) or
 * number (batches). */
uint32_t echo_copies(const struct engine *engine, const struct loader *loader,
		     bool batch, uint64_t index);

/* Gives up a reference to an example or a batch; the last frees it. */
void batch_release(struct engine *engine, struct loader *loader, uint32_t id);
static inline void example_release(struct loader *loader, uint32_t id)
{
	struct example *example = &loader->examples[id];

	CHECK(example->references > 0);
	if (--example->references > 0)
		return;
	loader->free_examples[loader->free_example_count++] = id;
	loader->in_flight_examples--;
	loader_mark(loader, STAGE_READ);
}

/* Gives a slot of a stage's output back for the next item. */
static inline void stage_free_slot(struct loader *loader, enum stage_name name,
				   uint32_t slot)
{
	struct output *output = &loader->stages[name].output;

	if (output_is_full(output)) /* else a slot more is no news */
		loader_mark(loader, name);
	output_free(output, slot);
}

#endif
