/* SPDX-License-Identifier: MIT */
/*
 * Inlets (private to the engine's files): where a stage or an accelerator
 * takes its next item from. Behind the results of the stage in front stand,
 * in this order, an echo and a shuffle buffer, each only where the strategy
 * has it.
 *
 * The way that nearly every example takes is inline, for each caller's place
 * is a constant and much of it then falls away; the rest is in inlet.c.
 */
#ifndef SIM_INLET_H
#define SIM_INLET_H

#include "sim/check.h"
#include "sim/crew.h"
#include "sim/loader.h"

/* Why there was nothing to take, as the copy of a token of id TOKEN_NONE. */
enum take {
	TAKE_WAIT,	/* nothing now */
	TAKE_EPOCH_END, /* the epoch is over; the next one has begun */
};

static inline struct token take_nothing(enum take why)
{
	return (struct token){ TOKEN_NONE, (uint32_t)why };
}

static inline bool take_is_epoch_end(struct token token)
{
	return !token_is_item(token) && token.copy == TAKE_EPOCH_END;
}

/* ---- giving back ---- */

/* Gives up a reference to an example or a batch; the last frees it, and counts
 * it among the unused if no step has used it. */
void batch_release(struct engine *engine, struct loader *loader, uint32_t id);
static inline void example_release(struct loader *loader, uint32_t id)
{
	struct example *example = &loader->examples[id];

	CHECK(example->references > 0);
	if (--example->references > 0)
		return;
	loader->free_examples[loader->free_example_count++] = id;
	loader->in_flight_examples--;
	loader->unused_examples += example->last_use == 0;
	loader_mark(loader, STAGE_READ);
}

/* Gives a slot of a stage's output back for the next item. */
static inline void stage_free_slot(struct loader *loader, enum stage_name name,
				   uint32_t slot)
{
	struct output *output = &loader->stages[name].output;

	/* Where there was one, a slot more is no news. */
	loader_mark_if(loader, name, output_is_full(output));
	output_free(output, slot);
}

/* ---- echo ---- */

/* Uses that a fixed echo will make of an item, from its ordinal (examples) or
 * number (batches). */
uint32_t echo_copies(const struct engine *engine, const struct loader *loader,
		     bool batch, uint64_t index);

/* The next token behind an inlet's echo, or nothing. Repeats for want of fresh
 * items are made only where `repeats` says so. */
struct token inlet_take_echoed(struct engine *engine, struct loader *loader,
			       struct inlet *inlet, uint32_t lane,
			       bool repeats);

/* Gives up what an inlet's echo holds or owes, on all lanes. */
void inlet_forget(struct engine *engine, struct loader *loader,
		  struct inlet *inlet);

/* ---- taking ---- */

/* Makes an example of the next one in a decompressed block. */
uint32_t inlet_make_example(struct engine *engine, struct loader *loader,
			    struct block *block);

/* Puts what there is into a shuffle buffer that is not full. */
void inlet_fill_shuffle(struct engine *engine, struct loader *loader,
			struct inlet *inlet);

/* Nothing of this epoch is left in front of the shuffle buffer: drains it, or
 * ends the epoch. */
struct token inlet_take_rest(struct engine *engine, struct loader *loader,
			     struct inlet *inlet);

/* The stage in front has given all that it had for the inlet's epoch. */
static inline bool inlet_has_taken_all(const struct inlet *inlet)
{
	return inlet->taken == inlet->to_take[inlet->epoch % EPOCHS_OPEN];
}

/* Nothing of this epoch is left in front of the shuffle buffer. */
static inline bool inlet_epoch_taken(const struct inlet *inlet, uint32_t lane)
{
	return inlet_has_taken_all(inlet) &&
	       (!inlet->echoes || inlet->holds[lane].remaining == 0);
}

/* Takes an item from the stage in front, which has a result; a copy of an echo
 * further in front keeps its number. */
ALWAYS_INLINE struct token inlet_take_result(struct engine *engine,
					     struct loader *loader,
					     struct inlet *inlet,
					     enum stage_name from)
{
	struct stage_state *front = &loader->stages[from];
	uint32_t slot = front->output.head;
	struct token token = front->output.slots[slot].token;

	inlet->taken++;
	level_down(&front->waiting, engine->now_ns);
	if (from == STAGE_DECOMPRESS) {
		token = (struct token){
			.id = inlet_make_example(engine, loader,
						 &loader->blocks[slot]),
		};
		if (loader->blocks[slot].left > 0)
			return token;
	}
	output_leave(&front->output);
	if (from == STAGE_COLLATE && engine->by_workers)
		crew_hand_over(engine, loader, slot);
	stage_free_slot(loader, from, slot);
	return token;
}

/* The next token of this epoch in front of the shuffle buffer. */
ALWAYS_INLINE struct token inlet_take_next(struct engine *engine,
					   struct loader *loader,
					   struct inlet *inlet,
					   enum stage_name from, uint32_t lane,
					   bool repeats)
{
	if (inlet_epoch_taken(inlet, lane))
		return take_nothing(TAKE_EPOCH_END);
	if (inlet->echoes)
		return inlet_take_echoed(engine, loader, inlet, lane, repeats);
	if (!output_has_result(&loader->stages[from].output))
		return take_nothing(TAKE_WAIT);
	return inlet_take_result(engine, loader, inlet, from);
}

/* Any of the shuffle buffer's residents. The draw after it is made, too, and
 * its resident called from memory: it stands anywhere in a large buffer. */
static inline struct token *inlet_draw_resident(struct inlet *inlet)
{
	uint64_t count = inlet->resident_count;
	uint64_t bits = inlet->shuffle_next;

	inlet->shuffle_next =
		random_bits(inlet->shuffle_stream, ++inlet->shuffle_draws);
	__builtin_prefetch(
		&inlet->residents[random_below(inlet->shuffle_next, count)]);
	return &inlet->residents[random_below(bits, count)];
}

/* Fills the buffer to its size; each further arrival evicts a resident. */
ALWAYS_INLINE struct token inlet_take_shuffled(struct engine *engine,
					       struct loader *loader,
					       struct inlet *inlet,
					       enum stage_name from)
{
	struct token arrival;
	struct token *resident;
	struct token evicted;

	if (inlet->resident_count < inlet->shuffle_size)
		inlet_fill_shuffle(engine, loader, inlet);
	if (inlet->resident_count < inlet->shuffle_size)
		return take_nothing(TAKE_WAIT);
	arrival = inlet_take_next(engine, loader, inlet, from, 0,
				  loader->starved);
	if (!token_is_item(arrival))
		return arrival;
	resident = inlet_draw_resident(inlet);
	evicted = *resident;
	*resident = arrival;
	return evicted;
}

/* Takes the next token on behalf of a lane, or nothing and why. An echo of the
 * policy when-starved repeats only while loader->starved is set. */
ALWAYS_INLINE struct token inlet_take(struct engine *engine,
				      struct loader *loader, unsigned int place,
				      uint32_t lane)
{
	struct inlet *inlet = &loader->inlets[place];
	enum stage_name from = (enum stage_name)(place - 1);
	struct token token;

	/* Behind an echo that is shuffled nobody has a copy for himself. */
	if (inlet->shuffles)
		lane = 0;
	token = inlet->shuffles ?
			inlet_take_shuffled(engine, loader, inlet, from) :
			inlet_take_next(engine, loader, inlet, from, lane,
					loader->starved);

	if (!token_is_item(token) && inlet_epoch_taken(inlet, lane))
		token = inlet_take_rest(engine, loader, inlet);
	inlet->emitted += token_is_item(token);
	return token;
}

#endif
