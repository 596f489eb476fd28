/* SPDX-License-Identifier: MIT */
#include "sim/inlet.h"

#include "sim/check.h"

void example_release(struct loader *loader, uint32_t id, uint32_t count)
{
	struct example *example = &loader->examples[id];

	CHECK(example->references >= count);
	example->references -= count;
	if (example->references > 0)
		return;
	loader->free_examples[loader->free_example_count++] = id;
	loader->in_flight_examples--;
	loader_mark(loader, STAGE_READ);
}

void batch_release(struct engine *engine, struct loader *loader, uint32_t id,
		   uint32_t count)
{
	struct batch *batch = &loader->batches[id];

	CHECK(batch->references >= count);
	batch->references -= count;
	if (batch->references > 0)
		return;
	for (uint32_t i = 0; i < engine->pipeline.batch_size; i++)
		example_release(loader, batch->tokens[i].id, 1);
	loader->free_batches[loader->free_batch_count++] = id;
}

static uint32_t *references(struct loader *loader, const struct inlet *inlet,
			    uint32_t id)
{
	return inlet->batches ? &loader->batches[id].references :
				&loader->examples[id].references;
}

static void release(struct engine *engine, struct loader *loader,
		    const struct inlet *inlet, uint32_t id)
{
	if (inlet->batches)
		batch_release(engine, loader, id, 1);
	else
		example_release(loader, id, 1);
}

void stage_free_slot(struct loader *loader, enum stage_name name, uint32_t slot)
{
	struct stage_state *stage = &loader->stages[name];

	if (output_is_full(&stage->output)) /* else a slot more is no news */
		loader_mark(loader, name);
	output_free(&stage->output, slot);
}

/* Makes an example of the next one in a decompressed block. */
static uint32_t example_make(struct engine *engine, struct loader *loader,
			     struct block *block)
{
	uint64_t number = block->next_example++;
	struct example *example;
	uint32_t id;

	CHECK(loader->free_example_count > 0);
	id = loader->free_examples[--loader->free_example_count];
	example = &loader->examples[id];
	example->ordinal =
		block->epoch * engine->pipeline.layout.examples + number;
	example->last_use = 0;
	example->references = 1;
	example->stored_bytes = 0;
	if (engine->sizes_matter)
		example->stored_bytes = layout_example_bytes(
			&engine->pipeline.layout, &block->place, number);
	block->left--;
	return id;
}

/* A fresh item from the stage in front, if one has arrived. */
static bool take_fresh(struct engine *engine, struct loader *loader,
		       struct inlet *inlet, uint32_t *id)
{
	struct stage_state *front = inlet->front;
	enum stage_name name = (enum stage_name)(front - loader->stages);
	uint32_t slot = front->output.head;

	if (!output_has_result(&front->output))
		return false;
	inlet->taken++;
	level_lower(&front->waiting, engine->now_ns, 1);
	if (name == STAGE_DECOMPRESS) {
		*id = example_make(engine, loader, &loader->blocks[slot]);
		if (loader->blocks[slot].left > 0)
			return true;
	} else {
		*id = front->output.slots[slot].token.id;
	}
	stage_free_slot(loader, name, output_leave(&front->output));
	return true;
}

uint32_t echo_copies(const struct engine *engine, const struct loader *loader,
		     bool batch, uint64_t index)
{
	double factor = engine->pipeline.echo.factor;
	uint32_t whole = (uint32_t)factor;
	double part = factor - whole;
	struct random_stream stream = engine->copies_stream;

	if (part <= 0)
		return whole;
	if (batch)
		stream = random_substream(stream, loader->host);
	return whole + (random_unit(random_bits(stream, index)) < part);
}

static uint64_t draw_index(const struct loader *loader,
			   const struct inlet *inlet, uint32_t id)
{
	return inlet->batches ? loader->batches[id].number :
				loader->examples[id].ordinal;
}

static bool echo_fixed(struct engine *engine, struct loader *loader,
		       struct inlet *inlet, struct echo_hold *hold,
		       struct token *token)
{
	if (hold->remaining == 0) {
		if (!take_fresh(engine, loader, inlet, &hold->id))
			return false;
		hold->used = 0;
		hold->remaining =
			echo_copies(engine, loader, inlet->batches,
				    draw_index(loader, inlet, hold->id));
		*references(loader, inlet, hold->id) = hold->remaining;
	}
	hold->remaining--;
	*token = (struct token){ hold->id, hold->used++ };
	return true;
}

static bool echo_when_starved(struct engine *engine, struct loader *loader,
			      struct inlet *inlet, struct echo_hold *hold,
			      bool repeats, struct token *token)
{
	const struct echo *echo = &engine->pipeline.echo;
	uint32_t id;

	if (take_fresh(engine, loader, inlet, &id)) {
		if (hold->held)
			release(engine, loader, inlet, hold->id);
		*hold = (struct echo_hold){ .id = id, .held = true };
		++*references(loader, inlet, id); /* the echo's own */
	} else if (repeats && hold->held && hold->used < echo->max_factor) {
		++*references(loader, inlet, hold->id);
		inlet->repeat_debt_ns += echo->repeat_cost_ns;
	} else {
		return false;
	}
	*token = (struct token){ hold->id, hold->used++ };
	return true;
}

/* The next token behind the echo. Repeats for want of fresh items are made
 * only where `repeats` says so. */
static bool take_echoed(struct engine *engine, struct loader *loader,
			struct inlet *inlet, uint32_t lane, bool repeats,
			struct token *token)
{
	struct echo_hold *hold = &inlet->holds[lane];

	if (!inlet->echoes) {
		token->copy = 0;
		return take_fresh(engine, loader, inlet, &token->id);
	}
	if (engine->pipeline.echo.policy == ECHO_FIXED)
		return echo_fixed(engine, loader, inlet, hold, token);
	return echo_when_starved(engine, loader, inlet, hold, repeats, token);
}

static uint64_t shuffle_draw(struct inlet *inlet)
{
	return random_below(random_bits(inlet->shuffle_stream,
					inlet->shuffle_draws++),
			    inlet->resident_count);
}

/* Nothing of this epoch is left in front of the shuffle buffer. */
static bool epoch_taken(const struct inlet *inlet, uint32_t lane)
{
	return inlet_has_taken_all(inlet) &&
	       (!inlet->echoes || inlet->holds[lane].remaining == 0);
}

/* Fills the buffer to its size; each further arrival evicts a resident. */
static bool take_shuffled(struct engine *engine, struct loader *loader,
			  struct inlet *inlet, struct token *token)
{
	struct token arrival;
	struct token *resident;

	while (inlet->resident_count < inlet->shuffle_size) {
		if (epoch_taken(inlet, 0) ||
		    !take_echoed(engine, loader, inlet, 0, false, &arrival))
			return false;
		inlet->residents[inlet->resident_count++] = arrival;
	}
	if (epoch_taken(inlet, 0) ||
	    !take_echoed(engine, loader, inlet, 0, loader->starved, &arrival))
		return false;
	resident = &inlet->residents[shuffle_draw(inlet)];
	*token = *resident;
	*resident = arrival;
	return true;
}

static void drain_one(struct inlet *inlet, struct token *token)
{
	struct token *resident = &inlet->residents[shuffle_draw(inlet)];

	*token = *resident;
	*resident = inlet->residents[--inlet->resident_count];
}

/* Hands the epoch's count to whoever takes from the place behind. */
static void end_epoch(struct loader *loader, struct inlet *inlet,
		      unsigned int place)
{
	uint64_t open = inlet->epoch % EPOCHS_OPEN;

	inlet->front->epoch_items[open] = COUNT_UNKNOWN;
	if (place < STAGE_COLLATE) {
		loader->stages[place].epoch_items[open] = inlet->emitted;
		loader_mark(loader, place + 1);
	}
	inlet->epoch++;
	inlet->taken = 0;
	inlet->emitted = 0;
	loader_mark(loader, STAGE_READ); /* it may open another epoch */
}

enum take inlet_take(struct engine *engine, struct loader *loader,
		     unsigned int place, uint32_t lane, struct token *token)
{
	struct inlet *inlet = &loader->inlets[place];
	bool over;
	bool given;

	if (inlet->shuffle_size > 0)
		given = take_shuffled(engine, loader, inlet, token);
	else
		given = !epoch_taken(inlet, lane) &&
			take_echoed(engine, loader, inlet, lane,
				    loader->starved, token);
	over = !given && epoch_taken(inlet, lane);
	if (over && inlet->resident_count > 0) {
		drain_one(inlet, token);
		given = true;
	}
	if (given) {
		inlet->emitted++;
		return TAKE_ITEM;
	}
	if (!over)
		return TAKE_WAIT;
	end_epoch(loader, inlet, place);
	return TAKE_EPOCH_END;
}
