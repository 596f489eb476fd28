/* SPDX-License-Identifier: MIT */
#include "sim/engine.h"

#include "sim/bounds.h"
#include "sim/build.h"
#include "sim/check.h"
#include "sim/handover.h"
#include "sim/loader.h"
#include "sim/stages.h"
#include "sim/start.h"
#include "sim/steps.h"
#include "sim/tell.h"
#include "sim/worker.h"

size_t engine_memory_bytes(const struct pipeline *pipeline)
{
	struct carve carve = { 0 };

	build_carve(&carve, pipeline);
	return carve.overflow ? SIZE_MAX : carve.used;
}

static void pump_all(struct engine *engine)
{
	for (uint32_t i = 0; i < engine->loader_count; i++)
		stages_pump(engine, &engine->loaders[i]);
}

/* An epoch that ends is every host's business. */
static void pump_woken(struct engine *engine)
{
	while (engine->wakes_all && !engine->over) {
		engine->wakes_all = false;
		pump_all(engine);
	}
}

struct engine *engine_init(void *memory, const struct pipeline *pipeline)
{
	struct carve carve = { .base = memory };
	struct engine *engine = build_carve(&carve, pipeline);

	CHECK(!carve.overflow);
	build_fill(engine, pipeline);
	pump_all(engine);
	pump_woken(engine);
	return engine;
}

void engine_watch(struct engine *engine, const struct watcher *watcher)
{
	engine->watcher = watcher;
	engine->tells = watcher && watcher->event;
	engine->tells_time = watcher && watcher->time;
}

uint32_t engine_buffers(const struct pipeline *pipeline)
{
	struct bounds bounds;

	bounds_find(&bounds, pipeline);
	return bounds.stage_slots[STAGE_READ] * pipeline_host_loaders(pipeline);
}

uint32_t engine_reads(const struct pipeline *pipeline)
{
	struct bounds bounds;

	bounds_find(&bounds, pipeline);
	return bounds.parts * pipeline_host_loaders(pipeline);
}

uint64_t engine_buffer_bytes(const struct pipeline *pipeline)
{
	struct bounds bounds;

	bounds_find(&bounds, pipeline);
	return bounds.request_bytes;
}

uint32_t engine_decompressions(const struct pipeline *pipeline)
{
	struct bounds bounds;

	bounds_find(&bounds, pipeline);
	return bounds.stage_slots[STAGE_DECOMPRESS] *
	       pipeline_host_loaders(pipeline);
}

bool engine_take_task(struct engine *engine, struct engine_task *task)
{
	if (engine->task_count == 0)
		return false;
	*task = engine->tasks[engine->task_head];
	if (++engine->task_head == engine->task_capacity)
		engine->task_head = 0;
	engine->task_count--;
	return true;
}

bool engine_task_waits(const struct engine *engine)
{
	return engine->task_count > 0;
}

void engine_complete(struct engine *engine, const struct engine_task *task,
		     const struct completion *completion)
{
	struct loader *loader = &engine->loaders[task->loader];
	enum stage_name name = task->kind == TASK_READ ? STAGE_READ :
							 STAGE_DECOMPRESS;

	CHECK(completion->at_ns >= engine->now_ns);
	if (task->kind == TASK_READ)
		loader->parts[task->slot].completion = *completion;
	else
		loader->blocks[task->slot].busy_ns = completion->busy_ns;
	agenda_push_numbered(&engine->completions, completion->at_ns,
			     task->number * 2 + (uint64_t)task->kind,
			     operation(task->loader, name, task->slot));
}

/* A step that all took together frees every loader's accelerators. */
static void step_finished(struct engine *engine, uint32_t accelerator)
{
	steps_finish(engine, accelerator);
	if (engine->pipeline.accelerators.sync == SYNC_BARRIER)
		pump_all(engine);
	else
		stages_pump(engine,
			    &engine->loaders[accelerator / engine->lanes]);
}

/* Something else than the end of a step or of an item of a stage. */
static void happen_to(struct engine *engine, struct loader *loader,
		      unsigned int place, uint32_t slot)
{
	if (place == OPERATION_WORK)
		worker_finish(engine, loader, slot);
	else if (place == OPERATION_PIN)
		handover_pinned(engine, loader, slot);
	else if (place == OPERATION_HANDOVER)
		steps_handed_over(engine, slot);
	else
		start_finish(engine, loader);
	stages_pump(engine, loader);
}

static void happen(struct engine *engine, struct event event)
{
	unsigned int place = operation_place(event.payload);
	uint32_t slot = operation_slot(event.payload);
	struct loader *loader =
		&engine->loaders[operation_loader(event.payload)];

	engine->now_ns = event.time_ns;
	if (place == PLACE_ACCELERATORS)
		step_finished(engine, slot);
	else if (place < PLACE_ACCELERATORS)
		stages_finish(engine, loader, (enum stage_name)place, slot);
	else
		happen_to(engine, loader, place, slot);
	if (__builtin_expect(engine->wakes_all, false))
		pump_woken(engine);
}

static int64_t next_ns(const struct engine *engine)
{
	int64_t completion_ns = agenda_next_ns(&engine->completions);
	int64_t own_ns = agenda_next_ns(&engine->own);

	return completion_ns <= own_ns ? completion_ns : own_ns;
}

/* Takes the next event and all that follows from it. */
static void proceed(struct engine *engine)
{
	bool outside = agenda_next_ns(&engine->completions) <=
		       agenda_next_ns(&engine->own);
	struct agenda *agenda = outside ? &engine->completions : &engine->own;

	happen(engine, agenda_pop(agenda));
	agenda_settle(agenda);
}

/* The run's own end, if it is given as a time. */
static int64_t end_ns(const struct engine *engine)
{
	int64_t duration_ns = engine->pipeline.limit.duration_ns;

	return duration_ns > 0 ? duration_ns : INT64_MAX;
}

bool engine_advance(struct engine *engine, int64_t until_ns, uint64_t events)
{
	int64_t last_ns = end_ns(engine);

	while (!engine->over && engine->task_count == 0 && events-- > 0) {
		int64_t at_ns = next_ns(engine);

		if (at_ns > last_ns && until_ns >= last_ns) {
			engine->now_ns = last_ns;
			engine->complete = true;
			engine_end(engine);
		} else if (at_ns > until_ns || at_ns == INT64_MAX) {
			break;
		} else {
			if (__builtin_expect(engine->tells_time, false))
				tell_time(engine, at_ns);
			proceed(engine);
		}
	}
	return !engine->over;
}

int64_t engine_now_ns(const struct engine *engine)
{
	return engine->now_ns;
}

int64_t engine_next_ns(const struct engine *engine)
{
	int64_t last_ns = end_ns(engine);
	int64_t at_ns = next_ns(engine);

	return at_ns < last_ns ? at_ns : last_ns;
}

static double share(uint64_t done, uint64_t limit)
{
	if (limit == 0)
		return 0;
	return done < limit ? (double)done / (double)limit : 1;
}

double engine_progress(const struct engine *engine)
{
	const struct run_limit *limit = &engine->pipeline.limit;
	uint64_t examples = engine->pipeline.layout.examples;
	double progress[] = {
		share(engine->total.steps, limit->steps),
		share(engine->total.fresh_examples, limit->epochs * examples),
		share((uint64_t)engine->now_ns, (uint64_t)limit->duration_ns),
	};
	double furthest = 0;

	for (int i = 0; i < 3; i++)
		if (progress[i] > furthest)
			furthest = progress[i];
	return furthest;
}
