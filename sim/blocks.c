/* SPDX-License-Identifier: MIT */
#include "sim/blocks.h"

#include "sim/cost.h"
#include "sim/inlet.h"
#include "sim/service.h"
#include "sim/source.h"
#include "sim/start.h"
#include "sim/tell.h"

static struct engine_task *task_append(struct engine *engine,
				       const struct loader *loader,
				       enum task_kind kind)
{
	uint32_t place = engine->task_head + engine->task_count;
	struct engine_task *task;

	CHECK(engine->task_count < engine->task_capacity);
	if (place >= engine->task_capacity)
		place -= engine->task_capacity;
	engine->task_count++;
	task = &engine->tasks[place];
	task->kind = kind;
	task->host = loader->host;
	task->loader = loader->number;
	return task;
}

/* ---- read ---- */

static bool can_read(struct engine *engine, struct loader *loader)
{
	const struct source *source = &loader->source;

	return can_start(engine, &loader->stages[STAGE_READ], source->epoch) &&
	       source->epoch <
		       loader->inlets[PLACE_ACCELERATORS].epoch + EPOCHS_OPEN &&
	       (loader->epochs_started == UINT64_MAX ||
		start_is_over(engine, loader, source->epoch));
}

void blocks_divide(const struct engine *engine, struct request *request)
{
	bool whole = request->block_count > 1 ||
		     request->blocks[0].stored_bytes <=
			     engine->pipeline.request_bytes;

	request->taken = 0;
	request->pending = request->block_count;
	request->part_bytes = whole ? request->bytes : engine->part_bytes;
	request->parts = 1;
	if (!whole)
		request->parts =
			(uint32_t)((request->bytes - 1) / request->part_bytes) +
			1;
	request->asked = 0;
	request->arrived = 0;
}

static void ask_read(struct engine *engine, struct loader *loader,
		     uint32_t slot)
{
	const struct part *part = &loader->parts[slot];
	const struct request *request = &loader->requests[part->request];
	struct engine_task *task = task_append(engine, loader, TASK_READ);

	task->number = part->number;
	task->buffer = loader->first_buffer + part->request;
	task->read = loader->first_part + slot;
	task->slot = slot;
	task->block = request->first_block;
	task->block_count = request->block_count;
	task->shard = request->blocks[0].shard;
	task->offset_bytes = part->offset_bytes;
	task->bytes = part->bytes;
	task->buffer_offset_bytes = part->offset_bytes - request->offset_bytes;
	task->whole_bytes = request->bytes;
	task->last = request->asked == request->parts;
	task->position_bytes = layout_position(&engine->pipeline.layout,
					       task->shard, part->offset_bytes);
	task->first_touch = request->epoch == 0;
	task->opens = request->opens && request->asked == 1;
	engine_fold(engine, (uint64_t)engine->now_ns);
	engine_fold(engine, request->first_block);
}

void blocks_ask_part(struct engine *engine, struct loader *loader,
		     uint32_t request_slot)
{
	struct request *request = &loader->requests[request_slot];
	uint32_t slot = loader->free_parts[--loader->free_part_count];
	struct part *part = &loader->parts[slot];
	uint64_t from = request->asked++ * request->part_bytes;
	bool last = request->asked == request->parts;

	part->request = request_slot;
	part->number = engine->task_numbers[TASK_READ]++;
	part->issue_ns = engine->now_ns;
	part->offset_bytes = request->offset_bytes + from;
	part->bytes = last ? request->bytes - from : request->part_bytes;
	level_up(&loader->stages[STAGE_READ].busy, engine->now_ns);
	ask_read(engine, loader, slot);
}

/* Makes the source's plan a request. */
static void request_begin(struct engine *engine, struct loader *loader,
			  uint32_t slot)
{
	struct source *source = &loader->source;
	const struct plan *plan = &source->plan;
	struct request *request = &loader->requests[slot];
	struct layout_block *blocks;

	request->offset_bytes = plan->offset_bytes;
	request->bytes = plan->bytes;
	request->epoch = source->epoch;
	request->only_example = plan->only_example;
	request->block_count = plan->block_count;
	request->first_block = plan->first_block;
	request->example_bytes = plan->example_bytes;
	/* The plan's blocks for the request's old ones. */
	blocks = request->blocks;
	request->blocks = source->plan_blocks;
	source->plan_blocks = blocks;
	loader->in_flight_examples += plan->examples;
	loader->read_examples += plan->examples;
	request->opens = !source->has_open ||
			 source->open_shard != request->blocks[0].shard;
	source->has_open = true;
	source->open_shard = request->blocks[0].shard;
	blocks_divide(engine, request);
	loader->asking = slot;
	source_take(engine, loader);
}

/* Is there a part to be asked for now? Those of the request that was begun go
 * before another one is begun. */
static bool find_part(struct engine *engine, struct loader *loader)
{
	struct stage_state *stage = &loader->stages[STAGE_READ];

	if (loader->asking != REQUEST_NONE)
		return stage->busy.count < stage->workers;
	if (!can_read(engine, loader) || !source_plan(engine, loader) ||
	    loader->in_flight_examples >= engine->pipeline.read_ahead_examples)
		return false;
	request_begin(engine, loader,
		      reserve(engine, stage, loader->source.epoch));
	return true;
}

void blocks_start_read(struct engine *engine, struct loader *loader)
{
	while (find_part(engine, loader)) {
		const struct request *request =
			&loader->requests[loader->asking];

		blocks_ask_part(engine, loader, loader->asking);
		if (request->asked == request->parts ||
		    engine->pipeline.dependent_requests)
			loader->asking = REQUEST_NONE;
	}
}

static void count_part(struct engine *engine, const struct request *request,
		       const struct part *part)
{
	struct counters *total = &engine->total;

	total->requests++;
	total->bytes += part->bytes;
	total->cached_bytes += part->completion.cached_bytes;
	if (request->epoch < FIGURES_EPOCHS_MAX) {
		struct epoch_figures *epoch = &engine->epochs[request->epoch];

		epoch->bytes += part->bytes;
		epoch->cached_bytes += part->completion.cached_bytes;
	}
	total->retries += part->completion.retries;
	histogram_add(&total->latency_ns, engine->now_ns - part->issue_ns);
}

bool blocks_take_part(struct engine *engine, struct loader *loader,
		      uint32_t slot)
{
	const struct part *part = &loader->parts[slot];
	struct request *request = &loader->requests[part->request];

	if (part->completion.failed) {
		engine->failed = true;
		engine_end(engine);
	}
	if (engine->tells)
		tell_part(engine, loader, part);
	count_part(engine, request, part);
	loader->free_parts[loader->free_part_count++] = slot;
	if (++request->arrived < request->parts)
		return false;
	request->arrived_ns = engine->now_ns;
	engine->total.example_bytes += request->example_bytes;
	return true;
}

void blocks_finish_read(struct engine *engine, struct loader *loader,
			uint32_t slot)
{
	struct stage_state *stage = &loader->stages[STAGE_READ];
	uint32_t request_slot = loader->parts[slot].request;

	free_worker(engine, loader, STAGE_READ);
	if (blocks_take_part(engine, loader, slot)) {
		level_raise(&stage->waiting, engine->now_ns,
			    loader->requests[request_slot].block_count);
		deliver(engine, loader, STAGE_READ, request_slot);
		return;
	}
	stage->items++;
	if (engine->pipeline.dependent_requests)
		blocks_ask_part(engine, loader, request_slot);
}

/* ---- decompress ---- */

/* The next block of the request at the front, if that has arrived. */
static bool next_block(const struct loader *loader, uint32_t *request)
{
	const struct stage_state *read = &loader->stages[STAGE_READ];

	*request = read->output.head;
	return output_has_result(&read->output);
}

void blocks_ask_decompress(struct engine *engine, struct loader *loader,
			   uint32_t slot, uint32_t index)
{
	struct engine_task *task = task_append(engine, loader, TASK_DECOMPRESS);
	const struct block *block = &loader->blocks[slot];
	const struct request *request = &loader->requests[block->request];
	struct stage_state *stage = &loader->stages[STAGE_DECOMPRESS];

	task->number = block->number;
	task->buffer = loader->first_buffer + block->request;
	task->slot = slot;
	task->block = request->first_block + index;
	task->block_count = 1;
	task->shard = block->place.shard;
	task->offset_bytes = block->place.offset_bytes - request->offset_bytes;
	task->bytes = block->place.stored_bytes;
	level_up(&stage->busy, engine->now_ns);
}

void blocks_begin(struct engine *engine, struct loader *loader,
		  uint32_t request_slot, uint32_t slot)
{
	struct request *request = &loader->requests[request_slot];
	uint32_t index = request->taken++;
	struct block *block = &loader->blocks[slot];
	bool whole = request->only_example == COUNT_UNKNOWN;

	block->place = request->blocks[index];
	block->epoch = request->epoch;
	block->request = request_slot;
	block->number = engine->task_numbers[TASK_DECOMPRESS]++;
	block->next_example = whole ? block->place.first_example :
				      request->only_example;
	block->left = whole ? block->place.examples : 1;
}

static void block_take(struct engine *engine, struct loader *loader,
		       uint32_t request_slot, uint32_t slot)
{
	struct request *request = &loader->requests[request_slot];
	struct stage_state *read = &loader->stages[STAGE_READ];

	blocks_begin(engine, loader, request_slot, slot);
	level_down(&read->waiting, engine->now_ns);
	if (request->taken < request->block_count)
		return;
	/* The next request comes to the front; the slot stays until all of
	 * this one's blocks are decompressed. */
	output_leave(&read->output);
}

static void request_unref(struct loader *loader, uint32_t slot)
{
	if (--loader->requests[slot].pending == 0)
		stage_free_slot(loader, STAGE_READ, slot);
}

/* Delivers a block's examples. */
static void block_done(struct engine *engine, struct loader *loader,
		       uint32_t slot)
{
	request_unref(loader, loader->blocks[slot].request);
	level_raise(&loader->stages[STAGE_DECOMPRESS].waiting, engine->now_ns,
		    loader->blocks[slot].left);
	deliver(engine, loader, STAGE_DECOMPRESS, slot);
}

static void begin_block(struct engine *engine, struct loader *loader,
			uint32_t slot, int64_t service_ns)
{
	if (engine->tells)
		tell_block(engine, loader, &loader->blocks[slot],
			   engine->now_ns, engine->now_ns + service_ns);
	begin_service(engine, &loader->stages[STAGE_DECOMPRESS], slot,
		      service_ns);
}

void blocks_start_decompress(struct engine *engine, struct loader *loader)
{
	struct stage_state *stage = &loader->stages[STAGE_DECOMPRESS];
	uint32_t request;

	while (next_block(loader, &request) &&
	       can_start(engine, stage, loader->requests[request].epoch)) {
		uint32_t index = loader->requests[request].taken;
		uint32_t slot =
			reserve(engine, stage, loader->requests[request].epoch);
		const struct block *block = &loader->blocks[slot];
		int64_t service_ns;

		block_take(engine, loader, request, slot);
		if (engine->pipeline.external_decompress) {
			blocks_ask_decompress(engine, loader, slot, index);
			continue;
		}
		service_ns = cost_block_ns(
			engine, loader, block,
			loader->requests[request].first_block + index);
		if (service_ns == 0)
			block_done(engine, loader, slot);
		else
			begin_block(engine, loader, slot, service_ns);
	}
}

void blocks_count_decompress(const struct engine *engine, struct loader *loader,
			     uint32_t slot)
{
	const struct block *block = &loader->blocks[slot];

	loader->stages[STAGE_DECOMPRESS].reported_busy_ns += block->busy_ns;
	if (engine->tells && block->busy_ns > 0)
		tell_block(engine, loader, block,
			   engine->now_ns - block->busy_ns, engine->now_ns);
}

void blocks_finish_decompress(struct engine *engine, struct loader *loader,
			      uint32_t slot)
{
	if (engine->pipeline.external_decompress)
		blocks_count_decompress(engine, loader, slot);
	free_worker(engine, loader, STAGE_DECOMPRESS);
	block_done(engine, loader, slot);
}
