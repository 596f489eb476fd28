/* SPDX-License-Identifier: MIT */
#include "sim/build.h"

#include <string.h>

#include "sim/check.h"
#include "sim/source.h"
#include "sim/steps.h"

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

/* Does some stage's cost depend on the sizes of examples? */
static bool sizes_matter(const struct pipeline *pipeline)
{
	return pipeline->stages[STAGE_DECODE].rate_bytes_per_s > 0 ||
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
	return place == PLACE_ACCELERATORS ? pipeline->accelerators.count : 1;
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

static void carve_loader(struct loader *loader, struct carve *carve,
			 const struct bounds *bounds,
			 const struct pipeline *pipeline)
{
	carve_stages(loader, carve, bounds);
	carve_blocks(loader, carve, bounds);
	carve_batches(loader, carve, bounds, pipeline);
	carve_examples(loader, carve, bounds, pipeline);
	carve_inlets(loader, carve, pipeline);
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

/* A host's workers of the stages first .. last. */
static uint64_t host_workers(const struct pipeline *pipeline,
			     enum stage_name first, enum stage_name last)
{
	uint64_t workers = 0;

	for (enum stage_name name = first; name <= last; name++)
		workers += pipeline->stages[name].workers;
	return workers;
}

/* Each request in flight, each block at outside workers, and each worker has
 * at most one event. */
static void carve_agendas(struct engine *engine, struct carve *carve,
			  const struct bounds *bounds,
			  const struct pipeline *pipeline)
{
	uint64_t hosts = pipeline->accelerators.hosts;
	uint64_t outside = pipeline->stages[STAGE_READ].workers;

	if (pipeline->external_decompress)
		outside += bounds->stage_slots[STAGE_DECOMPRESS];
	carve_agenda(&engine->completions, carve, hosts * outside);
	carve_agenda(&engine->own, carve,
		     hosts * (host_workers(pipeline, STAGE_DECOMPRESS,
					   STAGE_COLLATE) +
			      pipeline->accelerators.count));
}

static void carve_engine(struct engine *engine, struct carve *carve,
			 const struct bounds *bounds,
			 const struct pipeline *pipeline)
{
	uint64_t hosts = pipeline->accelerators.hosts;
	uint64_t accelerators = hosts * pipeline->accelerators.count;
	uint64_t tasks = hosts * (bounds->stage_slots[STAGE_READ] +
				  bounds->stage_slots[STAGE_DECOMPRESS]);

	if (accelerators >> OPERATION_SLOT_BITS != 0)
		carve->overflow = true;
	carve_agendas(engine, carve, bounds, pipeline);
	engine->loaders = carve_take(carve, hosts, sizeof(struct loader));
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
	if (engine)
		engine->request_blocks = bounds.request_blocks;
	if (!engine) { /* every host wants the same */
		size_t before = carve->used;
		size_t each;

		carve_loader(&counted_loader, carve, &bounds, pipeline);
		each = carve->used - before;
		carve->used = before;
		carve_take(carve, pipeline->accelerators.hosts, each);
		return NULL;
	}
	for (uint32_t host = 0; host < pipeline->accelerators.hosts; host++) {
		memset(&engine->loaders[host], 0, sizeof(struct loader));
		carve_loader(&engine->loaders[host], carve, &bounds, pipeline);
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

static void fill_costs(struct engine *engine)
{
	const struct pipeline *pipeline = &engine->pipeline;

	for (enum stage_name name = 0; name < STAGE_COUNT; name++) {
		struct stage_cost *cost = &engine->costs[name];
		const struct stage *stage = &pipeline->stages[name];

		cost->time_ns = stage->time_ns;
		distribution_prepare(&cost->time_ns);
		cost->constant_ns = -1;
		if (stage->time_ns.kind == DISTRIBUTION_CONSTANT)
			cost->constant_ns =
				distribution_draw(&stage->time_ns, 0);
		cost->rate_bytes_per_s = stage->rate_bytes_per_s;
		cost->stream =
			random_stream(pipeline->seed, time_purposes[name]);
		if (name + 1U == engine->echo_place)
			cost->repeat_cost_ns = pipeline->echo.repeat_cost_ns;
		cost->simple = cost->constant_ns < 0 &&
			       cost->rate_bytes_per_s == 0 &&
			       cost->repeat_cost_ns == 0;
		cost->fixed = cost->constant_ns >= 0 &&
			      cost->rate_bytes_per_s == 0 &&
			      cost->repeat_cost_ns == 0;
	}
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
	stage->first_operation = operation(loader->host, name, 0);
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
	loader->dirty = (1U << PLACE_COUNT) - 1;
	source_init(engine, loader);
	steps_line_up(engine, loader);
}

void build_fill(struct engine *engine, const struct pipeline *pipeline)
{
	engine->pipeline = *pipeline;
	engine->echo_place = echo_inlet(pipeline->echo.place);
	fill_costs(engine);
	fill_draws(engine);
	memset(engine->accelerators, 0,
	       engine->accelerator_count * sizeof(struct accelerator));
	for (uint32_t host = 0; host < pipeline->accelerators.hosts; host++) {
		engine->loaders[host].host = host;
		fill_loader(engine, &engine->loaders[host]);
	}
	if (pipeline->limit.warmup_steps == 0)
		engine->warm = engine->accelerator_count;
}
