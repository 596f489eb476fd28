/* SPDX-License-Identifier: MIT */
#include "sim/epoch.h"

#include "sim/inlet.h"
#include "sim/steps.h"

/* Every host is to look at its accelerators. */
static void wake_all(struct engine *engine)
{
	for (uint32_t h = 0; h < engine->loader_count; h++)
		loader_mark(&engine->loaders[h], PLACE_ACCELERATORS);
	engine->wakes_all = true;
}

void epoch_end(struct engine *engine)
{
	engine->epoch_over = true;
	wake_all(engine);
}

void epoch_end_data(struct engine *engine)
{
	engine->data_ended = true;
	engine_end(engine);
}

static void open_next(struct engine *engine)
{
	const struct run_limit *limit = &engine->pipeline.limit;
	bool stepless = engine->total.batches == engine->epoch_batches;

	engine->epoch++;
	engine->epoch_batches = engine->total.batches;
	engine->epoch_over = false;
	engine->loaders_through = 0;
	for (uint32_t h = 0; h < engine->loader_count; h++)
		engine->loaders[h].through = false;
	engine->complete = engine->epoch == limit->epochs;
	/* Without a number of epochs there would be no end of such ones. */
	if (engine->complete || (stepless && limit->epochs == 0))
		epoch_end_data(engine);
	else
		wake_all(engine);
}

/* Takes back the batches that accelerators hold; all of them wait again. False
 * while some are still busy with handing over. */
static bool take_back(struct engine *engine, struct loader *loader)
{
	bool all = true;
	uint32_t count = engine->lanes;

	for (uint32_t lane = 0; lane < count; lane++) {
		struct accelerator *accelerator =
			&engine->accelerators[loader->number * count + lane];

		all &= !accelerator->handing_over;
		if (!accelerator->has_batch || accelerator->handing_over)
			continue;
		batch_release(engine, loader, accelerator->batch.id);
		accelerator->has_batch = false;
		engine->ready--;
		engine->taken--;
	}
	steps_line_up(engine, loader);
	return all;
}

/* Takes what is there of the epoch; false while more of it may come. */
static bool take_rest(struct engine *engine, struct loader *loader)
{
	const struct inlet *inlet = &loader->inlets[PLACE_ACCELERATORS];

	while (inlet->epoch == engine->epoch) {
		struct token token =
			inlet_take(engine, loader, PLACE_ACCELERATORS, 0);

		if (token_is_item(token))
			batch_release(engine, loader, token.id);
		else if (token.copy == TAKE_WAIT)
			return false;
	}
	return true;
}

void epoch_give_up(struct engine *engine, struct loader *loader)
{
	if (loader->through)
		return;
	if (!take_back(engine, loader) || !take_rest(engine, loader))
		return;
	inlet_forget(engine, loader, &loader->inlets[PLACE_ACCELERATORS]);
	loader->through = true;
	if (++engine->loaders_through == engine->loader_count)
		open_next(engine);
}
