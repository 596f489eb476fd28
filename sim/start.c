/* SPDX-License-Identifier: MIT */
#include "sim/start.h"

/* Workers that start one after the other. A loader of stages is one. */
static uint32_t starters(const struct engine *engine)
{
	return engine->by_workers ? engine->pipeline.loading.workers : 1;
}

/* Do they start anew for every epoch? */
static bool each_epoch(const struct engine *engine)
{
	return engine->pipeline.loading.restart == RESTART_EPOCH;
}

bool start_is_over(struct engine *engine, struct loader *loader, uint64_t epoch)
{
	int64_t start_ns = engine->pipeline.loading.start_ns * starters(engine);

	if (each_epoch(engine) &&
	    loader->inlets[PLACE_ACCELERATORS].epoch < epoch)
		return false;
	if (loader->epochs_started > epoch || loader->starting)
		return !loader->starting;
	loader->starting = true;
	if (start_ns == 0)
		start_finish(engine, loader);
	else
		agenda_push(&engine->own, engine->now_ns + start_ns,
			    operation(loader->number, OPERATION_START, 0));
	return !loader->starting;
}

void start_finish(const struct engine *engine, struct loader *loader)
{
	loader->starting = false;
	if (each_epoch(engine))
		loader->epochs_started++;
	else
		loader->epochs_started = UINT64_MAX;
	loader_mark(loader, STAGE_READ);
	loader_mark(loader, STAGE_COLLATE);
}
