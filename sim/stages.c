/* SPDX-License-Identifier: MIT */
#include "sim/stages.h"

#include "sim/check.h"
#include "sim/cost.h"
#include "sim/inlet.h"
#include "sim/source.h"

/* A worker and room for the result are free, and no item of another epoch is
 * in service where results overtake each other. */
static inline bool can_start(const struct engine *engine,
			     const struct stage_state *stage, uint64_t epoch)
{
	if (stage->busy.count == stage->workers ||
	    output_is_full(&stage->output))
		return false;
	return engine->pipeline.ordered || stage->busy.count == 0 ||
	       stage->service_epoch == epoch;
}

/* Reserves a slot for an item of an epoch and a worker to serve it. */
static inline uint32_t reserve(const struct engine *engine,
			       struct stage_state *stage, uint64_t epoch)
{
	uint32_t slot = output_reserve(&stage->output);

	if (engine->pipeline.ordered)
		output_append(&stage->output, slot);
	stage->service_epoch = epoch;
	return slot;
}

/* The results of one item of the first two stages: blocks, then examples. */
static uint32_t results_of(const struct loader *loader, enum stage_name name,
			   uint32_t slot)
{
	return name == STAGE_READ ? loader->requests[slot].block_count :
				    loader->blocks[slot].left;
}

/* Puts a finished item where the next in line finds it. */
static inline void deliver(struct engine *engine, struct loader *loader,
			   enum stage_name name, uint32_t slot)
{
	struct stage_state *stage = &loader->stages[name];

	if (!engine->pipeline.ordered)
		output_append(&stage->output, slot);
	stage->output.slots[slot].done = true;
	stage->items++;
	if (name > STAGE_DECOMPRESS) /* spares most items a product */
		level_up(&stage->waiting, engine->now_ns);
	else
		level_raise(&stage->waiting, engine->now_ns,
			    results_of(loader, name, slot));
	/* Behind another one, it changes nothing for the next in line. */
	if (stage->output.head == slot)
		loader_mark(loader, name + 1);
}

static void request_unref(struct loader *loader, uint32_t slot)
{
	if (--loader->requests[slot].pending == 0)
		stage_free_slot(loader, STAGE_READ, slot);
}

/* Not inline, so as not to burden the many items that are no reads. */
__attribute__((noinline)) static void
complete_read(struct engine *engine, struct loader *loader, uint32_t slot)
{
	const struct request *request = &loader->requests[slot];
	struct counters *total = &engine->total;

	if (request->completion.failed) {
		engine->failed = true;
		engine_end(engine);
	}
	total->requests++;
	total->bytes += request->bytes;
	total->cached_bytes += request->completion.cached_bytes;
	if (request->epoch < FIGURES_EPOCHS_MAX) {
		struct epoch_figures *epoch = &engine->epochs[request->epoch];

		epoch->bytes += request->bytes;
		epoch->cached_bytes += request->completion.cached_bytes;
	}
	total->retries += request->completion.retries;
	for (uint32_t i = 0; i < request->block_count; i++)
		total->example_bytes +=
			request->only_example == COUNT_UNKNOWN ?
				request->blocks[i].stored_bytes :
				layout_example_bytes(&engine->pipeline.layout,
						     &request->blocks[i],
						     request->only_example);
	histogram_add(&total->latency_ns, engine->now_ns - request->issue_ns);
}

void stage_finish(struct engine *engine, struct loader *loader,
		  enum stage_name name, uint32_t slot)
{
	struct stage_state *stage = &loader->stages[name];

	/* A free worker more is news only where there was none, or where items
	 * of another epoch wait for this one to be out of service. */
	if (stage->busy.count == stage->workers || stage->busy.count == 1)
		loader_mark(loader, name);
	level_down(&stage->busy, engine->now_ns);
	if (name == STAGE_READ)
		complete_read(engine, loader, slot);
	if (name == STAGE_DECOMPRESS)
		request_unref(loader, loader->blocks[slot].request);
	deliver(engine, loader, name, slot);
}

/* Begins service of an item that costs something. */
static void begin_service(struct engine *engine, struct stage_state *stage,
			  uint32_t slot, int64_t service_ns)
{
	level_up(&stage->busy, engine->now_ns);
	agenda_push(&engine->own, engine->now_ns + service_ns,
		    stage->first_operation + slot);
}

/* Serves an item; one that costs nothing is finished at once. */
static inline void serve(struct engine *engine, struct loader *loader,
			 enum stage_name name, uint32_t slot,
			 int64_t service_ns)
{
	if (service_ns == 0)
		deliver(engine, loader, name, slot);
	else
		begin_service(engine, &loader->stages[name], slot, service_ns);
}

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
	task->number = engine->task_numbers[kind]++;
	return task;
}

/* ---- read ---- */

static bool can_read(const struct engine *engine, const struct loader *loader)
{
	const struct source *source = &loader->source;

	return can_start(engine, &loader->stages[STAGE_READ], source->epoch) &&
	       source->epoch <
		       loader->inlets[PLACE_ACCELERATORS].epoch + EPOCHS_OPEN;
}

static void request_issue(struct engine *engine, struct loader *loader,
			  uint32_t slot)
{
	const struct plan *plan = &loader->source.plan;
	struct request *request = &loader->requests[slot];
	struct engine_task *task = task_append(engine, loader, TASK_READ);

	request->issue_ns = engine->now_ns;
	request->offset_bytes = plan->offset_bytes;
	request->bytes = plan->bytes;
	request->epoch = loader->source.epoch;
	request->only_example = plan->only_example;
	request->block_count = plan->block_count;
	request->taken = 0;
	request->pending = plan->block_count;
	request->first_block = plan->first_block;
	for (uint32_t i = 0; i < plan->block_count; i++)
		request->blocks[i] = loader->source.plan_blocks[i];
	loader->in_flight_examples += plan->examples;

	task->buffer = slot;
	task->operation = loader->stages[STAGE_READ].first_operation + slot;
	task->block = plan->first_block;
	task->block_count = plan->block_count;
	task->shard = request->blocks[0].shard;
	task->offset_bytes = plan->offset_bytes;
	task->bytes = plan->bytes;
	task->position_bytes = layout_position(&engine->pipeline.layout,
					       task->shard, plan->offset_bytes);
	task->first_touch = loader->source.epoch == 0;
	engine_fold(engine, (uint64_t)engine->now_ns);
	engine_fold(engine, plan->first_block);
}

static void start_read(struct engine *engine, struct loader *loader)
{
	struct stage_state *stage = &loader->stages[STAGE_READ];
	uint64_t read_ahead = engine->pipeline.read_ahead_examples;

	while (can_read(engine, loader) && source_plan(engine, loader)) {
		if (loader->in_flight_examples + loader->source.plan.examples >
		    read_ahead)
			return;
		request_issue(engine, loader,
			      reserve(engine, stage, loader->source.epoch));
		level_up(&stage->busy, engine->now_ns);
		source_take(engine, loader);
	}
}

/* ---- decompress ---- */

/* The next block of the request at the front, if that has arrived. */
static bool next_block(const struct loader *loader, uint32_t *request)
{
	const struct stage_state *read = &loader->stages[STAGE_READ];

	*request = read->output.head;
	return output_has_result(&read->output);
}

static void ask_decompress(struct engine *engine, struct loader *loader,
			   uint32_t slot, uint32_t index)
{
	struct engine_task *task = task_append(engine, loader, TASK_DECOMPRESS);
	const struct block *block = &loader->blocks[slot];
	const struct request *request = &loader->requests[block->request];
	struct stage_state *stage = &loader->stages[STAGE_DECOMPRESS];

	task->buffer = block->request;
	task->operation = stage->first_operation + slot;
	task->block = request->first_block + index;
	task->block_count = 1;
	task->shard = block->place.shard;
	task->offset_bytes = block->place.offset_bytes - request->offset_bytes;
	task->bytes = block->place.stored_bytes;
	level_up(&stage->busy, engine->now_ns);
}

static void block_begin(struct engine *engine, struct loader *loader,
			uint32_t request_slot, uint32_t slot)
{
	struct request *request = &loader->requests[request_slot];
	uint32_t index = request->taken++;
	struct block *block = &loader->blocks[slot];
	struct stage_state *read = &loader->stages[STAGE_READ];
	bool whole = request->only_example == COUNT_UNKNOWN;

	block->place = request->blocks[index];
	block->epoch = request->epoch;
	block->request = request_slot;
	block->next_example = whole ? block->place.first_example :
				      request->only_example;
	block->left = whole ? block->place.examples : 1;
	level_down(&read->waiting, engine->now_ns);
	if (request->taken < request->block_count)
		return;
	/* The next request comes to the front; the slot stays until all of
	 * this one's blocks are decompressed. */
	output_leave(&read->output);
}

static void start_decompress(struct engine *engine, struct loader *loader)
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

		block_begin(engine, loader, request, slot);
		if (engine->pipeline.external_decompress) {
			ask_decompress(engine, loader, slot, index);
			continue;
		}
		service_ns = cost_block_ns(
			engine, loader, block,
			loader->requests[request].first_block + index);
		if (service_ns == 0)
			request_unref(loader, request);
		serve(engine, loader, STAGE_DECOMPRESS, slot, service_ns);
	}
}

/* ---- decode, augment ---- */

ALWAYS_INLINE void start_examples(struct engine *engine, struct loader *loader,
				  enum stage_name name)
{
	struct stage_state *stage = &loader->stages[name];
	const struct inlet *inlet = &loader->inlets[name];

	while (can_start(engine, stage, inlet->epoch) &&
	       inlet_may_give(loader, inlet, 0)) {
		struct token token = inlet_take(engine, loader, name, 0);
		uint32_t slot;

		if (!token_is_item(token) && token.copy == TAKE_WAIT)
			return;
		if (!token_is_item(token))
			continue;
		slot = reserve(engine, stage, inlet->epoch);
		stage->output.slots[slot].token = token;
		serve(engine, loader, name, slot,
		      cost_example_ns(engine, loader, name, token));
	}
}

/* ---- collate ---- */

static void drop_partial(struct engine *engine, struct loader *loader)
{
	struct batch *batch = &loader->batches[loader->form_batch];

	engine->dropped_examples += loader->form_count;
	for (uint32_t i = 0; i < loader->form_count; i++)
		example_release(loader, batch->tokens[i].id);
	loader->form_count = 0;
}

static void end_collate_epoch(struct engine *engine, struct loader *loader)
{
	uint64_t ended = loader->inlets[STAGE_COLLATE].epoch - 1;
	struct stage_state *stage = &loader->stages[STAGE_COLLATE];

	if (loader->forming)
		drop_partial(engine, loader);
	stage->epoch_items[ended % EPOCHS_OPEN] = loader->epoch_batches;
	if (ended + 1 == engine->pipeline.limit.epochs ||
	    loader->epoch_batches == 0)
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
}

static void form_close(struct engine *engine, struct loader *loader)
{
	struct stage_state *stage = &loader->stages[STAGE_COLLATE];
	struct batch *batch = &loader->batches[loader->form_batch];

	batch->number = loader->batches_made++;
	batch->references = 1;
	loader->epoch_batches++;
	loader->forming = false;
	stage->output.slots[loader->form_slot].token =
		(struct token){ loader->form_batch, 0 };
	serve(engine, loader, STAGE_COLLATE, loader->form_slot,
	      cost_batch_ns(engine, loader, batch));
}

static void start_collate(struct engine *engine, struct loader *loader)
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
		if (!inlet_may_give(loader, inlet, 0))
			return;
		token = inlet_take(engine, loader, STAGE_COLLATE, 0);
		if (!token_is_item(token) && token.copy == TAKE_WAIT)
			return;
		if (!token_is_item(token)) {
			end_collate_epoch(engine, loader);
			continue;
		}
		loader->batches[loader->form_batch]
			.tokens[loader->form_count++] = token;
		if (loader->form_count == engine->pipeline.batch_size)
			form_close(engine, loader);
	}
}

void stage_start(struct engine *engine, struct loader *loader,
		 enum stage_name name)
{
	switch (name) {
	case STAGE_READ:
		start_read(engine, loader);
		return;
	case STAGE_DECOMPRESS:
		start_decompress(engine, loader);
		return;
	case STAGE_DECODE:
		start_examples(engine, loader, STAGE_DECODE);
		return;
	case STAGE_AUGMENT:
		start_examples(engine, loader, STAGE_AUGMENT);
		return;
	case STAGE_COLLATE:
		start_collate(engine, loader);
		return;
	case STAGE_COUNT:
		break;
	}
	CHECK(!"a stage of unknown name");
}
