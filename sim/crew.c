/* SPDX-License-Identifier: MIT */
#include "sim/crew.h"

#include "sim/check.h"
#include "sim/inlet.h"
#include "sim/service.h"
#include "sim/start.h"
#include "sim/tell.h"
#include "sim/worker.h"

/* The trainer of this loader has no batch and would like one. */
static bool trainer_waits(const struct loader *loader)
{
	return loader->line != LANE_NONE;
}

void crew_note(struct loader *loader, int64_t now_ns)
{
	struct crew *crew = &loader->crew;

	level_set(&crew->blocked, now_ns,
		  trainer_waits(loader) ? crew->held.count : 0);
}

void crew_hand_over(const struct engine *engine, struct loader *loader,
		    uint32_t slot)
{
	struct crew *crew = &loader->crew;
	struct worker *worker = &crew->workers[crew->works[slot].worker];

	if (engine->tells)
		tell_carry(engine, loader, slot);
	worker->out--;
	level_down(&crew->out, engine->now_ns);
	worker_note_held(engine, crew, worker);
}

void crew_init(struct engine *engine, struct loader *loader)
{
	const struct loading *loading = &engine->pipeline.loading;
	struct crew *crew = &loader->crew;

	crew->serial = loading->workers == 0;
	crew->reads = loading->reads;
	for (uint32_t i = 0; i < crew->count; i++)
		crew->workers[i] =
			(struct worker){ .slot = WORK_NONE, .head = WORK_NONE };
	for (uint64_t i = 0;
	     crew->had_blocks && i < (uint64_t)crew->count * crew->had_size;
	     i++)
		crew->had_blocks[i] = (struct had_block){ 0 };
}

/* ---- what a batch is made of ---- */

/* Copies that an echo inside the worker makes of an example. */
static uint32_t uses_of(const struct engine *engine,
			const struct loader *loader, uint64_t ordinal)
{
	if (engine->echo_place >= PLACE_ACCELERATORS)
		return 1;
	return echo_copies(engine, loader, false, ordinal);
}

static void take_example(struct engine *engine, struct loader *loader,
			 struct worker *worker)
{
	struct crew *crew = &loader->crew;
	struct example *example;
	uint32_t id;

	CHECK(loader->free_example_count > 0);
	id = loader->free_examples[--loader->free_example_count];
	loader->in_flight_examples++;
	loader->read_examples++;
	example = &loader->examples[id];
	example->ordinal = crew->epoch * engine->pipeline.layout.examples +
			   sampler_next(&crew->sampler);
	example->last_use = 0;
	example->references = uses_of(engine, loader, example->ordinal);
	worker->echo_id = id;
	worker->echo_used = 0;
	worker->echo_owed = example->references;
}

/* The next use that a worker is given; false at the end of the epoch. */
static bool take_use(struct engine *engine, struct loader *loader,
		     struct worker *worker, struct token *use)
{
	const struct sampler *sampler = &loader->crew.sampler;

	if (worker->echo_owed == 0) {
		if (sampler->given == sampler->count)
			return false;
		take_example(engine, loader, worker);
	}
	worker->echo_owed--;
	*use = (struct token){ worker->echo_id, worker->echo_used++ };
	return true;
}

/* Uses that the epoch's end leaves over, in a batch that is not full and owed
 * by echoes. */
static void drop_uses(struct loader *loader, const struct token *uses,
		      uint32_t count)
{
	struct crew *crew = &loader->crew;

	for (uint32_t i = 0; i < count; i++)
		example_release(loader, uses[i].id);
	for (uint32_t i = 0; i < crew->count; i++) {
		struct worker *worker = &crew->workers[i];

		for (; worker->echo_owed > 0; worker->echo_owed--)
			example_release(loader, worker->echo_id);
	}
}

/* Fills a batch for a worker, or finds that the epoch has no more. */
static bool fill_batch(struct engine *engine, struct loader *loader,
		       struct worker *worker, struct batch *batch)
{
	uint32_t size = engine->pipeline.batch_size;

	for (uint32_t i = 0; i < size; i++) {
		if (take_use(engine, loader, worker, &batch->tokens[i]))
			continue;
		drop_uses(loader, batch->tokens, i);
		return false;
	}
	return true;
}

/* ---- giving ---- */

static uint32_t next_worker(const struct engine *engine, struct crew *crew)
{
	uint32_t most = engine->pipeline.loading.prefetch_factor;
	uint32_t next = crew->next;

	if (crew->serial)
		most = 1;
	while (crew->workers[next].out == most)
		next = next + 1 == crew->count ? 0 : next + 1;
	crew->next = next + 1 == crew->count ? 0 : next + 1;
	return next;
}

static void append_work(struct crew *crew, struct worker *worker, uint32_t slot)
{
	crew->works[slot].next = WORK_NONE;
	if (worker->head == WORK_NONE)
		worker->head = slot;
	else
		crew->works[worker->tail].next = slot;
	worker->tail = slot;
	worker->out++;
}

/* Where a host has several loaders, each of their batches has a number of its
 * own. */
static uint64_t number_batch(const struct engine *engine, struct loader *loader)
{
	uint32_t each = engine->pipeline.accelerators.count;

	return loader->batches_made++ * each + loader->number % each;
}

/* Gives one batch to the next worker; false: the epoch has no more. */
static bool give_one(struct engine *engine, struct loader *loader)
{
	struct crew *crew = &loader->crew;
	struct stage_state *collate = &loader->stages[STAGE_COLLATE];
	uint32_t index = next_worker(engine, crew);
	uint32_t id = loader->free_batches[loader->free_batch_count - 1];
	struct batch *batch = &loader->batches[id];
	uint32_t slot;

	CHECK(loader->free_batch_count > 0);
	if (!fill_batch(engine, loader, &crew->workers[index], batch))
		return false;
	loader->free_batch_count--;
	loader->epoch_batches++;
	batch->references = 1;
	batch->used = false;
	batch->number = number_batch(engine, loader);
	slot = reserve(engine, collate, crew->epoch);
	collate->output.slots[slot].token = (struct token){ id, 0 };
	crew->works[slot].worker = index;
	append_work(crew, &crew->workers[index], slot);
	level_up(&crew->out, engine->now_ns);
	worker_begin(engine, loader, index);
	return true;
}

/* ---- epochs ---- */

/* What does not divide by accelerators is dropped unseen. */
static void cut(const struct engine *engine, struct loader *loader)
{
	uint64_t rest = engine->pipeline.layout.examples % engine->loader_count;

	if (loader->number > 0 || engine->pipeline.loading.pads)
		return;
	loader->read_examples += rest;
	loader->unused_examples += rest;
}

static void end_epoch(struct engine *engine, struct loader *loader)
{
	uint64_t epochs = engine->pipeline.limit.epochs;
	struct crew *crew = &loader->crew;

	crew->begun = false;
	loader->inlets[PLACE_ACCELERATORS].to_take[crew->epoch % EPOCHS_OPEN] =
		loader->epoch_batches;
	loader->inlets[STAGE_COLLATE].epoch++;
	loader->source.epoch++;
	loader->source.ended = crew->epoch + 1 == epochs;
	/* Without a number of epochs there would be no end of empty ones. */
	loader->exhausted = epochs > 0 ? loader->source.ended :
					 loader->epoch_batches == 0;
	loader->epoch_batches = 0;
	cut(engine, loader);
	loader_mark(loader, PLACE_ACCELERATORS);
}

/* The next epoch, once the trainer asks for it. */
static bool begin_epoch(struct engine *engine, struct loader *loader)
{
	struct crew *crew = &loader->crew;
	uint64_t epoch = loader->inlets[STAGE_COLLATE].epoch;

	if (loader->exhausted ||
	    loader->inlets[PLACE_ACCELERATORS].epoch != epoch ||
	    !start_is_over(engine, loader, epoch))
		return false;
	crew->epoch = epoch;
	crew->next = 0;
	crew->begun = true;
	sampler_begin(&crew->sampler, &engine->pipeline, loader->number,
		      random_substream(engine->order_stream, epoch));
	return true;
}

void crew_give(struct engine *engine, struct loader *loader)
{
	const struct crew *crew = &loader->crew;
	const struct output *output = &loader->stages[STAGE_COLLATE].output;

	if (!crew->begun && !begin_epoch(engine, loader))
		return;
	while (!output_is_full(output) &&
	       (!crew->serial || trainer_waits(loader))) {
		if (give_one(engine, loader))
			continue;
		end_epoch(engine, loader);
		return;
	}
}
