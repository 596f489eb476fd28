/* SPDX-License-Identifier: MIT */
#include "sim/stages.h"

#include "sim/blocks.h"
#include "sim/check.h"
#include "sim/cost.h"
#include "sim/crew.h"
#include "sim/handover.h"
#include "sim/inlet.h"
#include "sim/service.h"
#include "sim/steps.h"
#include "sim/tell.h"
#include "sim/window.h"
#include "sim/worker.h"

/* ---- decode, augment ---- */

/* Delivers an example or a batch. */
ALWAYS_INLINE void item_done(struct engine *engine, struct loader *loader,
			     enum stage_name name, uint32_t slot)
{
	if (name == STAGE_COLLATE) {
		handover_collated(engine, loader, slot);
		return;
	}
	level_up(&loader->stages[name].waiting, engine->now_ns);
	deliver(engine, loader, name, slot);
}

/* Serves an example or a batch; one that costs nothing is finished at once. */
ALWAYS_INLINE void serve(struct engine *engine, struct loader *loader,
			 enum stage_name name, uint32_t slot,
			 int64_t service_ns)
{
	if (service_ns == 0) {
		item_done(engine, loader, name, slot);
		return;
	}
	if (__builtin_expect(engine->tells, false))
		tell_work(engine, loader, name,
			  loader->stages[name].output.slots[slot].token,
			  service_ns);
	begin_service(engine, &loader->stages[name], slot, service_ns);
}

ALWAYS_INLINE void start_examples(struct engine *engine, struct loader *loader,
				  enum stage_name name)
{
	struct stage_state *stage = &loader->stages[name];
	const struct inlet *inlet = &loader->inlets[name];
	bool has_window = name == STAGE_DECODE && engine->has_window;

	while (can_start(engine, stage, inlet->epoch) &&
	       (!has_window || window_is_open(loader))) {
		struct token token = inlet_take(engine, loader, name, 0);
		uint32_t slot;

		if (!token_is_item(token) && token.copy == TAKE_WAIT)
			return;
		if (!token_is_item(token)) {
			if (has_window)
				window_epoch_end(loader);
			continue;
		}
		if (has_window)
			window_begun(loader);
		slot = reserve(engine, stage, inlet->epoch);
		stage->output.slots[slot].token = token;
		serve(engine, loader, name, slot,
		      cost_example_ns(engine, loader, name, token));
	}
}

/* ---- collate ---- */

static void drop_partial(struct loader *loader)
{
	for (uint32_t i = 0; i < loader->form_count; i++)
		example_release(loader, loader->form_tokens[i].id);
	loader->form_count = 0;
}

static void end_collate_epoch(struct engine *engine, struct loader *loader)
{
	uint64_t ended = loader->inlets[STAGE_COLLATE].epoch - 1;
	uint64_t epochs = engine->pipeline.limit.epochs;

	if (loader->forming && engine->has_window)
		window_dropped(engine, loader);
	if (loader->forming)
		drop_partial(loader);
	loader->inlets[PLACE_ACCELERATORS].to_take[ended % EPOCHS_OPEN] =
		loader->epoch_batches;
	/* Without a number of epochs there would be no end of empty ones. */
	if (epochs > 0 ? ended + 1 == epochs : loader->epoch_batches == 0)
		loader->exhausted = true;
	loader->epoch_batches = 0;
	loader_mark(loader, PLACE_ACCELERATORS);
}

/* Opens a batch to gather in. In a stage that keeps no order the slot takes
 * its place only when the batch is done, so it can wait here. */
static void form_open(const struct engine *engine, struct loader *loader)
{
	struct stage_state *stage = &loader->stages[STAGE_COLLATE];

	CHECK(loader->free_batch_count > 0);
	loader->forming = true;
	loader->form_count = 0;
	loader->form_slot =
		reserve(engine, stage, loader->inlets[STAGE_COLLATE].epoch);
	loader->form_batch = loader->free_batches[--loader->free_batch_count];
	loader->form_tokens = loader->batches[loader->form_batch].tokens;
	if (engine->has_window)
		window_opened(engine, loader);
}

static void form_close(struct engine *engine, struct loader *loader)
{
	struct stage_state *stage = &loader->stages[STAGE_COLLATE];
	struct batch *batch = &loader->batches[loader->form_batch];
	int64_t service_ns;

	batch->number = loader->batches_made++;
	batch->references = 1;
	batch->used = false;
	loader->epoch_batches++;
	loader->forming = false;
	stage->output.slots[loader->form_slot].token =
		(struct token){ loader->form_batch, 0 };
	service_ns = cost_batch_ns(engine, loader, batch);
	batch->made_ns = engine->now_ns + service_ns;
	serve(engine, loader, STAGE_COLLATE, loader->form_slot, service_ns);
}

ALWAYS_INLINE void start_collate(struct engine *engine, struct loader *loader)
{
	struct stage_state *stage = &loader->stages[STAGE_COLLATE];
	const struct inlet *inlet = &loader->inlets[STAGE_COLLATE];

	while (!loader->exhausted) {
		struct token token;

		if (!loader->forming) {
			if (!can_start(engine, stage, inlet->epoch))
				return;
			form_open(engine, loader);
		}
		token = inlet_take(engine, loader, STAGE_COLLATE, 0);
		if (!token_is_item(token) && token.copy == TAKE_WAIT)
			return;
		if (!token_is_item(token)) {
			end_collate_epoch(engine, loader);
			continue;
		}
		loader->form_tokens[loader->form_count++] = token;
		if (engine->has_window)
			window_taken(engine, loader);
		if (loader->form_count == engine->pipeline.batch_size)
			form_close(engine, loader);
	}
}

/* ---- the pump ---- */

/* Takes a place's mark away; false if it had none. */
ALWAYS_INLINE bool unmark(struct loader *loader, unsigned int place)
{
	uint32_t mark = 1U << place;

	if (!(loader->dirty & mark))
		return false;
	loader->dirty -= mark;
	return true;
}

/* A crew stands in the place of all stages. */
static void look_at_crew(struct engine *engine, struct loader *loader)
{
	if (unmark(loader, PLACE_ACCELERATORS)) {
		steps_start(engine, loader);
		crew_note(loader, engine->now_ns);
		/* Who has no workers works when he wants a batch. */
		loader_mark_if(loader, STAGE_COLLATE, loader->crew.serial);
		return;
	}
	loader->dirty = 0;
	crew_give(engine, loader);
}

/* Looks at the marked place nearest to the accelerators: what is taken there
 * makes room for the places in front of it. One question after the other, for
 * their answers are easier to foresee than a jump to anywhere. */
ALWAYS_INLINE void look_at_marked(struct engine *engine, struct loader *loader)
{
	if (unmark(loader, PLACE_ACCELERATORS))
		steps_start(engine, loader);
	else if (unmark(loader, STAGE_COLLATE))
		start_collate(engine, loader);
	else if (unmark(loader, STAGE_AUGMENT))
		start_examples(engine, loader, STAGE_AUGMENT);
	else if (unmark(loader, STAGE_DECODE))
		start_examples(engine, loader, STAGE_DECODE);
	else if (unmark(loader, STAGE_DECOMPRESS))
		blocks_start_decompress(engine, loader);
	else if (unmark(loader, STAGE_READ))
		blocks_start_read(engine, loader);
}

/* When nothing more can be done with fresh items, and no batch is ready: lets
 * an echo of the policy when-starved repeat. */
static void pump_starved(struct engine *engine, struct loader *loader)
{
	if (engine->echo_place == PLACE_COUNT ||
	    output_has_result(&loader->stages[STAGE_COLLATE].output))
		return;
	loader->starved = true;
	loader_mark(loader, engine->echo_place);
	look_at_marked(engine, loader);
	loader->starved = false;
	if (engine->by_workers)
		crew_note(loader, engine->now_ns);
}

static void pump_marked(struct engine *engine, struct loader *loader)
{
	if (engine->by_workers)
		while (loader->dirty && !engine->over)
			look_at_crew(engine, loader);
	while (loader->dirty && !engine->over)
		look_at_marked(engine, loader);
}

void stages_pump(struct engine *engine, struct loader *loader)
{
	pump_marked(engine, loader);
	if (engine->pipeline.echo.policy != ECHO_WHEN_STARVED)
		return;
	while (!engine->over) {
		pump_starved(engine, loader);
		if (!loader->dirty)
			return;
		pump_marked(engine, loader);
	}
}

static void finish_of_worker(struct engine *engine, struct loader *loader,
			     enum stage_name name, uint32_t slot)
{
	if (name == STAGE_READ)
		worker_finish_read(engine, loader, slot);
	else
		worker_finish(engine, loader, slot);
}

void stages_finish(struct engine *engine, struct loader *loader,
		   enum stage_name name, uint32_t slot)
{
	if (engine->by_workers) {
		finish_of_worker(engine, loader, name, slot);
	} else if (name == STAGE_READ) {
		blocks_finish_read(engine, loader, slot);
	} else if (name == STAGE_DECOMPRESS) {
		blocks_finish_decompress(engine, loader, slot);
	} else {
		free_worker(engine, loader, name);
		item_done(engine, loader, name, slot);
	}
	stages_pump(engine, loader);
}
