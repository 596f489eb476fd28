/* SPDX-License-Identifier: MIT */
#include "analysis/simulation.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "sim/engine.h"
#include "sim/virtual.h"

#define SLICE_EVENTS 200000 /* between two questions whether to go on */
#define CACHE_LINE 64

static size_t round_up(size_t size)
{
	return (size / CACHE_LINE + 1) * CACHE_LINE;
}

static size_t memory_of(const struct setting *setting, size_t *engine_bytes)
{
	const struct pipeline *pipeline = &setting->pipeline;
	size_t tiers_bytes = tiers_memory_bytes(&setting->tiers,
						&pipeline->layout,
						pipeline->accelerators.hosts);

	*engine_bytes = engine_memory_bytes(pipeline);
	if (*engine_bytes > SIZE_MAX / 4 || tiers_bytes > SIZE_MAX / 4)
		return SIZE_MAX;
	*engine_bytes = round_up(*engine_bytes);
	return *engine_bytes + round_up(tiers_bytes);
}

size_t simulation_memory_bytes(const struct setting *setting)
{
	size_t engine_bytes;

	return memory_of(setting, &engine_bytes);
}

int simulation_run(const struct setting *setting,
		   const struct simulation_watch *watch,
		   struct figures *figures)
{
	const struct pipeline *pipeline = &setting->pipeline;
	size_t engine_bytes;
	size_t size = memory_of(setting, &engine_bytes);
	struct engine *engine;
	struct tiers tiers;
	char *memory;

	figures->complete = false;
	if (size > watch->memory_max)
		return -ENOMEM;
	memory = aligned_alloc(CACHE_LINE, size);
	if (!memory)
		return -ENOMEM;
	engine = engine_init(memory, pipeline);
	engine_watch(engine, watch->watcher);
	tiers_init(&tiers, &setting->tiers, &pipeline->layout,
		   pipeline->accelerators.hosts, pipeline->seed,
		   memory + engine_bytes);
	if (watch->timeline)
		timeline_begin(watch->timeline, engine, watch->watcher);
	while (virtual_run(engine, &tiers, SLICE_EVENTS) &&
	       (!watch->go_on ||
		watch->go_on(watch->context, engine_progress(engine))))
		;
	engine_figures(engine, figures);
	if (watch->device) {
		*watch->device = tiers.devices[0];
		watch->device->slot_free_ns = NULL;
	}
	if (watch->timeline)
		timeline_end(watch->timeline);
	free(memory);
	return 0;
}
