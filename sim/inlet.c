/* SPDX-License-Identifier: MIT */
#include "sim/inlet.h"

#include "sim/check.h"

void batch_release(struct engine *engine, struct loader *loader, uint32_t id)
{
	struct batch *batch = &loader->batches[id];
	uint64_t unused = loader->unused_examples;

	CHECK(batch->references > 0);
	if (--batch->references > 0)
		return;
	for (uint32_t i = 0; i < engine->pipeline.batch_size; i++)
		example_release(loader, batch->tokens[i].id);
	loader->left_over_batches += !batch->used;
	loader->left_over_examples += loader->unused_examples - unused;
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
		batch_release(engine, loader, id);
	else
		example_release(loader, id);
}

uint32_t inlet_make_example(struct engine *engine, struct loader *loader,
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
	if (loader->example_bytes)
		loader->example_bytes[id] = layout_example_bytes(
			&engine->pipeline.layout, &block->place, number);
	block->left--;
	return id;
}

static bool take_fresh(struct engine *engine, struct loader *loader,
		       struct inlet *inlet, uint32_t *id)
{
	if (!output_has_result(&loader->stages[inlet->from].output))
		return false;
	*id = inlet_take_result(engine, loader, inlet, inlet->from).id;
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

static struct token echo_fixed(struct engine *engine, struct loader *loader,
			       struct inlet *inlet, struct echo_hold *hold)
{
	if (hold->remaining == 0) {
		if (!take_fresh(engine, loader, inlet, &hold->id))
			return take_nothing(TAKE_WAIT);
		hold->used = 0;
		hold->remaining =
			echo_copies(engine, loader, inlet->batches,
				    draw_index(loader, inlet, hold->id));
		*references(loader, inlet, hold->id) = hold->remaining;
	}
	hold->remaining--;
	return (struct token){ hold->id, hold->used++ };
}

static struct token echo_when_starved(struct engine *engine,
				      struct loader *loader,
				      struct inlet *inlet,
				      struct echo_hold *hold, bool repeats)
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
		return take_nothing(TAKE_WAIT);
	}
	return (struct token){ hold->id, hold->used++ };
}

struct token inlet_take_echoed(struct engine *engine, struct loader *loader,
			       struct inlet *inlet, uint32_t lane, bool repeats)
{
	struct echo_hold *hold = &inlet->holds[lane];

	if (engine->pipeline.echo.policy == ECHO_FIXED)
		return echo_fixed(engine, loader, inlet, hold);
	return echo_when_starved(engine, loader, inlet, hold, repeats);
}

static void forget(struct engine *engine, struct loader *loader,
		   const struct inlet *inlet, struct echo_hold *hold)
{
	uint32_t references = hold->remaining + hold->held;

	for (uint32_t i = 0; i < references; i++)
		release(engine, loader, inlet, hold->id);
	*hold = (struct echo_hold){ 0 };
}

void inlet_forget(struct engine *engine, struct loader *loader,
		  struct inlet *inlet)
{
	uint32_t count = inlet->batches ? engine->lanes : 1;

	for (uint32_t lane = 0; inlet->echoes && lane < count; lane++)
		forget(engine, loader, inlet, &inlet->holds[lane]);
}

void inlet_fill_shuffle(struct engine *engine, struct loader *loader,
			struct inlet *inlet)
{
	while (inlet->resident_count < inlet->shuffle_size) {
		struct token arrival = inlet_take_next(engine, loader, inlet,
						       inlet->from, 0, false);

		if (!token_is_item(arrival))
			return;
		inlet->residents[inlet->resident_count++] = arrival;
	}
}

static struct token drain_one(struct inlet *inlet)
{
	struct token *resident = inlet_draw_resident(inlet);
	struct token drained = *resident;

	*resident = inlet->residents[--inlet->resident_count];
	return drained;
}

/* Hands the epoch's count to whoever takes from the place behind. A fixed echo
 * may owe copies yet, to another lane. */
static void end_epoch(struct engine *engine, struct loader *loader,
		      struct inlet *inlet)
{
	unsigned int place = inlet->from + 1;
	uint64_t open = inlet->epoch % EPOCHS_OPEN;

	inlet->to_take[open] = COUNT_UNKNOWN;
	if (place < STAGE_COLLATE) {
		loader->inlets[place + 1].to_take[open] = inlet->emitted;
		loader_mark(loader, place + 1);
	}
	if (engine->pipeline.echo.policy == ECHO_WHEN_STARVED)
		inlet_forget(engine, loader, inlet);
	inlet->epoch++;
	inlet->taken = 0;
	inlet->emitted = 0;
	loader_mark(loader, STAGE_READ); /* it may open another epoch */
}

struct token inlet_take_rest(struct engine *engine, struct loader *loader,
			     struct inlet *inlet)
{
	if (inlet->resident_count > 0)
		return drain_one(inlet);
	end_epoch(engine, loader, inlet);
	return take_nothing(TAKE_EPOCH_END);
}
