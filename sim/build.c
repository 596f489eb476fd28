/* SPDX-License-Identifier: MIT */
#include "sim/build.h"

#include <string.h>

#include "sim/check.h"
#include "sim/crew.h"
#include "sim/source.h"
#include "sim/steps.h"
#include "sim/window.h"

/* What a carved piece is aligned to: a cache line. */
#define CARVE_ALIGNMENT 64

/* More than this cannot be had; far enough from SIZE_MAX to round up. */
#define CARVE_MAX (SIZE_MAX / 4)

static void *carve_take(struct carve *carve, uint64_t count, size_t size)
{
	size_t start = carve->used;
	size_t bytes;

	if (start > CARVE_MAX || (size > 0 && count > CARVE_MAX / size)) {
		carve->overflow = true;
		return NULL;
	}
	bytes = (size_t)count * size;
	carve->used += (bytes + CARVE_ALIGNMENT - 1) / CARVE_ALIGNMENT *
		       CARVE_ALIGNMENT;
	return carve->base ? carve->base + start : NULL;
}

static void carve_stages(struct loader *loader, struct carve *carve,
			 const struct bounds *bounds)
{
	for (enum stage_name name = 0; name < STAGE_COUNT; name++) {
		struct stage_state *stage = &loader->stages[name];

		stage->output.end = bounds->stage_slots[name];
		if (stage->output.end >> OPERATION_SLOT_BITS != 0)
			carve->overflow = true;
		stage->output.slots =
			carve_take(carve, output_slots(stage->output.end),
				   sizeof(struct slot));
	}
}

static void carve_blocks(struct loader *loader, struct carve *carve,
			 const struct bounds *bounds)
{
	uint32_t requests = bounds->stage_slots[STAGE_READ];
	uint64_t each = bounds->request_blocks;
	struct layout_block *blocks;

	loader->requests = carve_take(carve, requests, sizeof(struct request));
	blocks =
		carve_take(carve, requests * each, sizeof(struct layout_block));
	loader->source.plan_blocks =
		carve_take(carve, each, sizeof(struct layout_block));
	loader->parts = carve_take(carve, bounds->parts, sizeof(struct part));
	loader->free_parts = carve_take(carve, bounds->parts, sizeof(uint32_t));
	loader->free_part_count = bounds->parts;
	loader->blocks = carve_take(carve,
				    bounds->stage_slots[STAGE_DECOMPRESS],
				    sizeof(struct block));
	if (!carve->base)
		return;
	for (uint32_t i = 0; i < requests; i++)
		loader->requests[i].blocks = blocks + i * each;
}

static void carve_batches(struct loader *loader, struct carve *carve,
			  const struct bounds *bounds,
			  const struct pipeline *pipeline)
{
	uint64_t size = pipeline->batch_size;
	struct token *tokens;

	loader->batches =
		carve_take(carve, bounds->batches, sizeof(struct batch));
	loader->free_batches =
		carve_take(carve, bounds->batches, sizeof(uint32_t));
	tokens =
		carve_take(carve, bounds->batches * size, sizeof(struct token));
	if (!carve->base)
		return;
	loader->free_batch_count = bounds->batches;
	for (uint32_t i = 0; i < bounds->batches; i++) {
		loader->batches[i].tokens = tokens + i * size;
		loader->free_batches[i] = i;
	}
}

/* Does some cost depend on the sizes of examples? */
static bool sizes_matter(const struct pipeline *pipeline)
{
	return pipeline->loading.pin.rate_bytes_per_s > 0 ||
	       pipeline->loading.handover.rate_bytes_per_s > 0 ||
	       pipeline->stages[STAGE_DECODE].rate_bytes_per_s > 0 ||
	       pipeline->stages[STAGE_AUGMENT].rate_bytes_per_s > 0 ||
	       pipeline->stages[STAGE_COLLATE].rate_bytes_per_s > 0;
}

static void carve_examples(struct loader *loader, struct carve *carve,
			   const struct bounds *bounds,
			   const struct pipeline *pipeline)
{
	/* The last request may exceed it by all but one of its examples. */
	uint64_t count =
		pipeline->read_ahead_examples + bounds->request_examples - 1;

	loader->examples = carve_take(carve, count, sizeof(struct example));
	if (sizes_matter(pipeline))
		loader->example_bytes =
			carve_take(carve, count, sizeof(uint64_t));
	loader->free_examples = carve_take(carve, count, sizeof(uint32_t));
	loader->free_example_count = (uint32_t)count;
}

/* Where the strategy has its echo; PLACE_COUNT: nowhere. */
static unsigned int echo_inlet(enum echo_place place)
{
	switch (place) {
	case ECHO_NONE:
		return PLACE_COUNT;
	case ECHO_EXAMPLE_BEFORE_DECODE:
		return STAGE_DECODE;
	case ECHO_EXAMPLE_BEFORE_AUGMENT:
		return STAGE_AUGMENT;
	case ECHO_EXAMPLE_AFTER_AUGMENT:
		return STAGE_COLLATE;
	case ECHO_BATCH:
		return PLACE_ACCELERATORS;
	}
	CHECK(!"an echo at an unknown place");
	return PLACE_COUNT;
}

/* Shuffling stands before augmentation, or behind an echo after it. */
static uint64_t shuffle_size(const struct pipeline *pipeline,
			     unsigned int place)
{
	bool after = pipeline->echo.place == ECHO_EXAMPLE_AFTER_AUGMENT;
	uint64_t size = 0;

	if (place == (after ? STAGE_COLLATE : STAGE_AUGMENT))
		size = pipeline->shuffle_examples;
	if (place == PLACE_ACCELERATORS && pipeline->echo.place == ECHO_BATCH)
		size = pipeline->echo.shuffle_batches;
	return size > 1 ? size : 0;
}

/* Who takes side by side at a place, each with an echo of his own. */
static uint32_t lanes(const struct pipeline *pipeline, unsigned int place)
{
	return place == PLACE_ACCELERATORS ? pipeline_lanes(pipeline) : 1;
}

static void carve_inlets(struct loader *loader, struct carve *carve,
			 const struct pipeline *pipeline)
{
	for (unsigned int place = STAGE_DECODE; place < PLACE_COUNT; place++) {
		struct inlet *inlet = &loader->inlets[place];

		inlet->from = (enum stage_name)(place - 1);
		inlet->batches = place == PLACE_ACCELERATORS;
		inlet->echoes = place == echo_inlet(pipeline->echo.place);
		inlet->shuffle_size = shuffle_size(pipeline, place);
		inlet->shuffles = inlet->shuffle_size > 0;
		inlet->holds = carve_take(carve, lanes(pipeline, place),
					  sizeof(struct echo_hold));
		inlet->residents = carve_take(carve, inlet->shuffle_size,
					      sizeof(struct token));
	}
}

/* So many places that a batch's blocks are found in a few looks. */
static uint32_t had_size(const struct pipeline *pipeline)
{
	uint32_t size = 1;

	while (size < 2 * pipeline->batch_size)
		size *= 2;
	return size;
}

/* Only in random order does a batch come back to a block. */
static bool comes_back(const struct pipeline *pipeline)
{
	return pipeline->order == ORDER_RANDOM &&
	       pipeline->layout.blocks < pipeline->layout.examples;
}

static void carve_crew(struct crew *crew, struct carve *carve,
		       const struct bounds *bounds,
		       const struct pipeline *pipeline)
{
	crew->count = bounds->stage_slots[STAGE_DECOMPRESS];
	crew->had_size = had_size(pipeline);
	crew->workers = carve_take(carve, crew->count, sizeof(struct worker));
	crew->works = carve_take(carve, bounds->stage_slots[STAGE_COLLATE],
				 sizeof(struct work));
	if (comes_back(pipeline))
		crew->had_blocks = carve_take(
			carve, (uint64_t)crew->count * crew->had_size,
			sizeof(struct had_block));
}

static void carve_loader(struct loader *loader, struct carve *carve,
			 const struct bounds *bounds,
			 const struct pipeline *pipeline)
{
	carve_stages(loader, carve, bounds);
	carve_blocks(loader, carve, bounds);
	carve_batches(loader, carve, bounds, pipeline);
	carve_examples(loader, carve, bounds, pipeline);
	carve_inlets(loader, carve, pipeline);
	if (pipeline->loading.kind == LOADER_WORKERS)
		carve_crew(&loader->crew, carve, bounds, pipeline);
}

static void carve_agenda(struct agenda *agenda, struct carve *carve,
			 uint64_t events)
{
	uint64_t places = agenda_places(events);

	if (places > AGENDA_LEAF_MAX)
		carve->overflow = true;
	agenda->times_ns = carve_take(carve, places, sizeof(int64_t));
	agenda->orders = carve_take(carve, places, sizeof(uint64_t));
	agenda->payloads = carve_take(carve, places, sizeof(uint64_t));
	if (carve->base)
		agenda_init(agenda, places);
}

/* What can be due at once in a loader: a piece of work of each worker, an end
 * of each accelerator's step, each batch on its way to be pinned, a start. No
 * more, for how many there can be is how long each takes. */
static uint64_t loader_events(const struct pipeline *pipeline,
			      const struct bounds *bounds)
{
	const struct loading *loading = &pipeline->loading;
	uint64_t events = pipeline_lanes(pipeline) + (loading->start_ns > 0);

	if (loading->kind == LOADER_WORKERS)
		events += bounds->stage_slots[STAGE_DECOMPRESS];
	else
		for (enum stage_name name = STAGE_DECOMPRESS;
		     name < STAGE_COUNT; name++)
			events += pipeline->stages[name].workers;
	if (!distribution_is_zero(&loading->pin.time_ns) ||
	    loading->pin.rate_bytes_per_s > 0)
		events += bounds->stage_slots[STAGE_COLLATE];
	return events;
}

static void carve_agendas(struct engine *engine, struct carve *carve,
			  const struct bounds *bounds,
			  const struct pipeline *pipeline)
{
	uint64_t loaders = engine->loader_count;
	uint64_t outside = pipeline->stages[STAGE_READ].workers;

	if (pipeline->loading.kind == LOADER_WORKERS)
		outside = bounds->stage_slots[STAGE_READ];
	if (pipeline->external_decompress)
		outside += bounds->stage_slots[STAGE_DECOMPRESS];
	carve_agenda(&engine->completions, carve, loaders * outside);
	carve_agenda(&engine->own, carve,
		     loaders * loader_events(pipeline, bounds));
}

static void carve_engine(struct engine *engine, struct carve *carve,
			 const struct bounds *bounds,
			 const struct pipeline *pipeline)
{
	uint64_t hosts = pipeline->accelerators.hosts;
	uint64_t loaders = hosts * pipeline_host_loaders(pipeline);
	uint64_t accelerators = hosts * pipeline->accelerators.count;
	uint64_t tasks = loaders * (bounds->stage_slots[STAGE_READ] +
				    bounds->stage_slots[STAGE_DECOMPRESS]);

	if (accelerators >> OPERATION_SLOT_BITS != 0)
		carve->overflow = true;
	engine->loader_count = (uint32_t)loaders;
	engine->lanes = pipeline_lanes(pipeline);
	carve_agendas(engine, carve, bounds, pipeline);
	engine->loaders = carve_take(carve, loaders, sizeof(struct loader));
	engine->accelerators =
		carve_take(carve, accelerators, sizeof(struct accelerator));
	engine->accelerator_count = (uint32_t)accelerators;
	engine->tasks = carve_take(carve, tasks, sizeof(struct engine_task));
	engine->task_capacity = (uint32_t)tasks;
	engine->uses =
		carve_take(carve, pipeline->batch_size, sizeof(struct use));
}

struct engine *build_carve(struct carve *carve, const struct pipeline *pipeline)
{
	struct engine *engine = carve_take(carve, 1, sizeof(struct engine));
	struct engine counted_engine = { 0 };
	struct loader counted_loader = { 0 };
	struct bounds bounds;

	bounds_find(&bounds, pipeline);
	if (engine)
		memset(engine, 0, sizeof(*engine));
	carve_engine(engine ? engine : &counted_engine, carve, &bounds,
		     pipeline);
	if (engine) {
		engine->request_blocks = bounds.request_blocks;
		engine->part_bytes = bounds.part_bytes;
	} else { /* every loader wants the same */
		size_t before = carve->used;
		size_t each;

		carve_loader(&counted_loader, carve, &bounds, pipeline);
		each = carve->used - before;
		carve->used = before;
		carve_take(carve, counted_engine.loader_count, each);
		return NULL;
	}
	for (uint32_t i = 0; i < engine->loader_count; i++) {
		memset(&engine->loaders[i], 0, sizeof(struct loader));
		carve_loader(&engine->loaders[i], carve, &bounds, pipeline);
	}
	return engine;
}

static const enum random_purpose time_purposes[STAGE_COUNT] = {
	[STAGE_READ] = RANDOM_DEVICE_LATENCY,
	[STAGE_DECOMPRESS] = RANDOM_DECOMPRESS_TIME,
	[STAGE_DECODE] = RANDOM_DECODE_TIME,
	[STAGE_AUGMENT] = RANDOM_AUGMENT_TIME,
	[STAGE_COLLATE] = RANDOM_COLLATE_TIME,
};

static void fill_cost(struct stage_cost *cost,
		      const struct distribution *time_ns,
		      uint64_t rate_bytes_per_s, int64_t repeat_cost_ns,
		      struct random_stream stream)
{
	bool plain = rate_bytes_per_s == 0 && repeat_cost_ns == 0;

	*cost = (struct stage_cost){
		.constant_ns = -1,
		.stream = stream,
		.rate_bytes_per_s = rate_bytes_per_s,
		.repeat_cost_ns = repeat_cost_ns,
	};
	cost->time_ns = *time_ns;
	distribution_prepare(&cost->time_ns);
	if (time_ns->kind == DISTRIBUTION_CONSTANT)
		cost->constant_ns = distribution_draw(time_ns, 0);
	cost->simple = plain && cost->constant_ns < 0;
	cost->fixed = plain && cost->constant_ns >= 0;
}

/* Per copy, of the worker of the stage in front of the echo. Who carries a
 * whole batch counts copies by himself. */
static int64_t repeat_cost_ns(const struct engine *engine, enum stage_name name)
{
	if (name + 1U != engine->echo_place || engine->by_workers)
		return 0;
	return engine->pipeline.echo.repeat_cost_ns;
}

static void fill_costs(struct engine *engine)
{
	const struct loading *loading = &engine->pipeline.loading;
	uint64_t seed = engine->pipeline.seed;

	for (enum stage_name name = 0; name < STAGE_COUNT; name++) {
		const struct stage *stage = &engine->pipeline.stages[name];

		fill_cost(&engine->costs[name], &stage->time_ns,
			  stage->rate_bytes_per_s, repeat_cost_ns(engine, name),
			  random_stream(seed, time_purposes[name]));
	}
	fill_cost(&engine->pin, &loading->pin.time_ns,
		  loading->pin.rate_bytes_per_s, 0,
		  random_stream(seed, RANDOM_PIN_TIME));
	fill_cost(&engine->handover, &loading->handover.time_ns,
		  loading->handover.rate_bytes_per_s, 0,
		  random_stream(seed, RANDOM_HANDOVER_TIME));
}

static void fill_draws(struct engine *engine)
{
	const struct accelerators *accelerators =
		&engine->pipeline.accelerators;
	uint64_t seed = engine->pipeline.seed;

	engine->step_ns = accelerators->step_ns;
	distribution_prepare(&engine->step_ns);
	engine->allreduce_ns = accelerators->allreduce_ns;
	distribution_prepare(&engine->allreduce_ns);
	engine->step_stream = random_stream(seed, RANDOM_STEP_TIME);
	engine->allreduce_stream = random_stream(seed, RANDOM_ALLREDUCE_TIME);
	engine->copies_stream = random_stream(seed, RANDOM_ECHO_COPIES);
	engine->order_stream = random_stream(seed, RANDOM_EPOCH_ORDER);
}

static void fill_stage(struct engine *engine, struct loader *loader,
		       enum stage_name name)
{
	struct stage_state *stage = &loader->stages[name];

	stage->workers = engine->pipeline.stages[name].workers;
	/* Whoever does it from outside has a queue for its workers. */
	if (name == STAGE_DECOMPRESS && engine->pipeline.external_decompress)
		stage->workers = stage->output.end;
	stage->first_operation = operation(loader->number, name, 0);
	output_init(&stage->output);
}

static void fill_inlets(struct engine *engine, struct loader *loader)
{
	for (unsigned int place = STAGE_DECODE; place < PLACE_COUNT; place++) {
		struct inlet *inlet = &loader->inlets[place];
		enum random_purpose purpose = inlet->batches ?
						      RANDOM_SHUFFLE_BATCHES :
						      RANDOM_SHUFFLE;

		inlet->shuffle_stream = random_substream(
			random_stream(engine->pipeline.seed, purpose),
			loader->host);
		inlet->shuffle_next = random_bits(inlet->shuffle_stream, 0);
		for (uint32_t i = 0; i < EPOCHS_OPEN; i++)
			inlet->to_take[i] = COUNT_UNKNOWN;
		memset(inlet->holds, 0,
		       lanes(&engine->pipeline, place) *
			       sizeof(struct echo_hold));
	}
}

static void fill_loader(struct engine *engine, struct loader *loader)
{
	for (enum stage_name name = 0; name < STAGE_COUNT; name++)
		fill_stage(engine, loader, name);
	fill_inlets(engine, loader);
	for (uint32_t i = 0; i < loader->free_example_count; i++)
		loader->free_examples[i] = loader->free_example_count - 1 - i;
	for (uint32_t i = 0; i < loader->free_part_count; i++)
		loader->free_parts[i] = loader->free_part_count - 1 - i;
	loader->asking = REQUEST_NONE;
	loader->dirty = (1U << PLACE_COUNT) - 1;
	if (engine->by_workers)
		crew_init(engine, loader);
	else
		source_init(engine, loader);
	window_init(engine, loader);
	steps_line_up(engine, loader);
}

void build_fill(struct engine *engine, const struct pipeline *pipeline)
{
	uint32_t host_loaders = pipeline_host_loaders(pipeline);

	engine->pipeline = *pipeline;
	engine->by_workers = pipeline->loading.kind == LOADER_WORKERS;
	engine->has_window = pipeline->loading.window > 0;
	engine->echo_place = echo_inlet(pipeline->echo.place);
	fill_costs(engine);
	fill_draws(engine);
	memset(engine->accelerators, 0,
	       engine->accelerator_count * sizeof(struct accelerator));
	for (uint32_t i = 0; i < engine->loader_count; i++) {
		engine->loaders[i].number = i;
		engine->loaders[i].host = i / host_loaders;
		engine->loaders[i].first_buffer =
			i % host_loaders *
			engine->loaders[i].stages[STAGE_READ].output.end;
		engine->loaders[i].first_part =
			i % host_loaders * engine->loaders[i].free_part_count;
		fill_loader(engine, &engine->loaders[i]);
	}
	if (pipeline->limit.warmup_steps == 0)
		engine->warm = engine->accelerator_count;
}
