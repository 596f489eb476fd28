/* SPDX-License-Identifier: MIT */
#include "sim/worker.h"

#include "sim/blocks.h"
#include "sim/check.h"
#include "sim/cost.h"
#include "sim/crew.h"
#include "sim/handover.h"
#include "sim/service.h"
#include "sim/tell.h"

static struct token batch_token(const struct loader *loader,
				const struct worker *worker)
{
	return loader->stages[STAGE_COLLATE].output.slots[worker->slot].token;
}

static const struct token *uses_of(const struct loader *loader,
				   const struct worker *worker)
{
	return loader->batches[batch_token(loader, worker).id].tokens;
}

void worker_note_held(const struct engine *engine, struct crew *crew,
		      struct worker *worker)
{
	bool held = worker->slot == WORK_NONE && worker->out > 0;

	if (held && !worker->held)
		level_up(&crew->held, engine->now_ns);
	else if (!held && worker->held)
		level_down(&crew->held, engine->now_ns);
	worker->held = held;
}

/* ---- reading ---- */

/* The request that a worker asked for n-th of those it has. */
static uint32_t request_slot(const struct crew *crew, uint32_t index,
			     uint32_t n)
{
	uint32_t place = crew->workers[index].first_request + n;

	if (place >= crew->reads)
		place -= crew->reads;
	return index * crew->reads + place;
}

/* Where a worker notes that it has had a block in this batch, or has not. */
static struct had_block *find_block(struct crew *crew, uint32_t index,
				    uint64_t block)
{
	struct had_block *had =
		crew->had_blocks + (size_t)index * crew->had_size;
	uint64_t bits = block * RANDOM_GOLDEN >> 32;
	uint64_t batch = crew->workers[index].batches;

	while (had[bits & (crew->had_size - 1)].batch == batch &&
	       had[bits & (crew->had_size - 1)].block != block)
		bits++;
	return &had[bits & (crew->had_size - 1)];
}

/* Is it a block that the worker has not had in this batch? Then it has. */
static bool is_had(struct crew *crew, uint32_t index, uint64_t block)
{
	const struct worker *worker = &crew->workers[index];

	if (worker->last_block == block)
		return true;
	return crew->had_blocks &&
	       find_block(crew, index, block)->batch == worker->batches;
}

static void note_had(struct crew *crew, uint32_t index, uint64_t block)
{
	struct worker *worker = &crew->workers[index];

	worker->last_block = block;
	if (crew->had_blocks)
		*find_block(crew, index, block) = (struct had_block){
			.block = block,
			.batch = worker->batches,
		};
}

static uint64_t stored_bytes(const struct layout *layout, uint64_t block,
			     uint64_t number)
{
	struct layout_block place = { 0 };

	if (layout->entries)
		layout_block(layout, block, &place);
	return layout_example_bytes(layout, &place, number);
}

/* Asks for parts of the worker's requests, first things first, until as many
 * are in flight as it may have. */
static void ask_parts(struct engine *engine, struct loader *loader,
		      uint32_t index)
{
	bool dependent = engine->pipeline.dependent_requests;
	struct crew *crew = &loader->crew;
	struct worker *worker = &crew->workers[index];

	for (uint32_t n = 0; n < worker->requests; n++) {
		uint32_t slot = request_slot(crew, index, n);
		const struct request *request = &loader->requests[slot];

		while (worker->in_flight < crew->reads &&
		       request->asked < request->parts &&
		       !(dependent && request->asked > request->arrived)) {
			blocks_ask_part(engine, loader, slot);
			worker->in_flight++;
		}
	}
}

static void ask_block(struct engine *engine, struct loader *loader,
		      uint32_t index, uint64_t block)
{
	const struct layout *layout = &engine->pipeline.layout;
	uint64_t alignment = layout->alignment_bytes;
	struct crew *crew = &loader->crew;
	struct worker *worker = &crew->workers[index];
	uint32_t slot = request_slot(crew, index, worker->requests++);
	struct request *request = &loader->requests[slot];
	uint64_t end;

	layout_block(layout, block, &request->blocks[0]);
	request->first_block = block;
	request->block_count = 1;
	request->only_example = COUNT_UNKNOWN;
	request->epoch = crew->epoch;
	request->first_use = worker->asked;
	request->opens = !worker->has_open ||
			 worker->open_shard != request->blocks[0].shard;
	worker->has_open = true;
	worker->open_shard = request->blocks[0].shard;
	request->example_bytes = 0;
	request->offset_bytes = request->blocks[0].offset_bytes;
	end = request->offset_bytes + request->blocks[0].stored_bytes;
	request->offset_bytes -= request->offset_bytes % alignment;
	end += (alignment - end % alignment) % alignment;
	request->bytes = end - request->offset_bytes;
	blocks_divide(engine, request);
	ask_parts(engine, loader, index);
	note_had(crew, index, block);
}

/* Looks at the uses ahead, and asks for the blocks they want, until there is
 * no room for another one. */
static void look_ahead(struct engine *engine, struct loader *loader,
		       uint32_t index)
{
	const struct layout *layout = &engine->pipeline.layout;
	struct crew *crew = &loader->crew;
	struct worker *worker = &crew->workers[index];
	const struct token *uses = uses_of(loader, worker);
	uint64_t first = crew->epoch * layout->examples;

	for (; worker->asked < engine->pipeline.batch_size; worker->asked++) {
		struct token use = uses[worker->asked];
		uint64_t number = loader->examples[use.id].ordinal - first;
		uint64_t block = layout_block_of(layout, number);
		uint64_t bytes;

		if (use.copy > 0)
			continue;
		if (!is_had(crew, index, block)) {
			if (worker->requests == crew->reads)
				return;
			ask_block(engine, loader, index, block);
		}
		bytes = stored_bytes(layout, block, number);
		engine->total.example_bytes += bytes;
		if (loader->example_bytes)
			loader->example_bytes[use.id] = bytes;
	}
}

/* Through with the first block; there is room for another one. */
static void let_block_go(struct loader *loader, uint32_t index)
{
	struct crew *crew = &loader->crew;
	struct worker *worker = &crew->workers[index];
	uint32_t slot = request_slot(crew, index, 0);

	loader->stages[STAGE_READ].output.slots[slot].done = false;
	worker->holds_block = false;
	worker->requests--;
	if (++worker->first_request == crew->reads)
		worker->first_request = 0;
}

/* Is the next use the first one of the block that was asked for next? */
static bool wants_next_block(const struct loader *loader, uint32_t index)
{
	const struct crew *crew = &loader->crew;
	const struct worker *worker = &crew->workers[index];
	uint32_t next = worker->holds_block;

	return worker->asked <= worker->done ||
	       (next < worker->requests &&
		loader->requests[request_slot(crew, index, next)].first_use ==
			worker->done);
}

/* Sees to it that the worker has what the next use wants; false: it has to
 * wait for it. */
static bool read_block(struct engine *engine, struct loader *loader,
		       uint32_t index)
{
	struct crew *crew = &loader->crew;
	struct worker *worker = &crew->workers[index];
	uint32_t slot;

	look_ahead(engine, loader, index);
	if (!wants_next_block(loader, index)) {
		worker->stage = STAGE_DECODE;
		return true;
	}
	if (worker->holds_block) {
		let_block_go(loader, index);
		look_ahead(engine, loader, index);
	}
	slot = request_slot(crew, index, 0);
	if (!loader->stages[STAGE_READ].output.slots[slot].done)
		return false;
	worker->holds_block = true;
	worker->stage = STAGE_DECOMPRESS;
	blocks_begin(engine, loader, slot, index);
	return true;
}

/* ---- working ---- */

/* Of a copy only what lies behind its echo is done again. */
static bool is_skipped(const struct engine *engine, enum stage_name name,
		       struct token use)
{
	return use.copy > 0 && name < engine->echo_place;
}

/* To make a copy costs something at the echo. */
static int64_t use_ns(const struct engine *engine, struct loader *loader,
		      enum stage_name name, struct token use)
{
	int64_t repeat_ns = engine->pipeline.echo.repeat_cost_ns;

	if (is_skipped(engine, name, use))
		return name + 1U == engine->echo_place ? repeat_ns : 0;
	if (use.copy == 0 || name != STAGE_DECODE)
		repeat_ns = 0; /* it costs nothing, or has done so */
	return cost_example_ns(engine, loader, name, use) + repeat_ns;
}

static int64_t work_ns(const struct engine *engine, struct loader *loader,
		       uint32_t index)
{
	const struct worker *worker = &loader->crew.workers[index];
	const struct block *block = &loader->blocks[index];
	struct token batch = batch_token(loader, worker);
	struct token use;

	if (worker->stage == STAGE_COLLATE)
		return cost_batch_ns(engine, loader,
				     &loader->batches[batch.id]);
	use = uses_of(loader, worker)[worker->done];
	if (worker->stage == STAGE_DECODE)
		return use_ns(engine, loader, STAGE_DECODE, use);
	if (worker->stage == STAGE_AUGMENT)
		return use_ns(engine, loader, STAGE_AUGMENT, use);
	return cost_block_ns(engine, loader, block,
			     loader->requests[block->request].first_block);
}

static void tell(const struct engine *engine, const struct loader *loader,
		 uint32_t index, int64_t service_ns)
{
	const struct worker *worker = &loader->crew.workers[index];
	struct token token = batch_token(loader, worker);

	if (worker->stage == STAGE_DECOMPRESS) {
		tell_block(engine, loader, &loader->blocks[index],
			   engine->now_ns, engine->now_ns + service_ns);
		return;
	}
	if (worker->stage != STAGE_COLLATE)
		token = uses_of(loader, worker)[worker->done];
	tell_work(engine, loader, (enum stage_name)worker->stage, token,
		  service_ns);
}

static void finish_batch(struct engine *engine, struct loader *loader,
			 struct worker *worker)
{
	struct crew *crew = &loader->crew;
	uint32_t slot = worker->slot;

	loader->batches[batch_token(loader, worker).id].made_ns =
		engine->now_ns;
	worker->slot = WORK_NONE;
	level_down(&crew->busy, engine->now_ns);
	handover_collated(engine, loader, slot);
}

/* What a worker does once it is through with a use. */
static void next_use(const struct engine *engine, struct loader *loader,
		     uint32_t index)
{
	struct worker *worker = &loader->crew.workers[index];

	worker->stage = STAGE_READ;
	if (++worker->done < engine->pipeline.batch_size)
		return;
	worker->stage = STAGE_COLLATE;
	if (worker->holds_block)
		let_block_go(loader, index);
}

/* What it does after this stage. */
static void next_stage(struct engine *engine, struct loader *loader,
		       uint32_t index)
{
	struct worker *worker = &loader->crew.workers[index];
	enum stage_name name = (enum stage_name)worker->stage;

	if (name == STAGE_COLLATE) {
		finish_batch(engine, loader, worker);
		return;
	}
	if (!is_skipped(engine, name, uses_of(loader, worker)[worker->done]))
		loader->stages[name].items++;
	if (name == STAGE_AUGMENT)
		next_use(engine, loader, index);
	else
		worker->stage++;
}

/* Goes on until there is something to wait for. */
static void go_on(struct engine *engine, struct loader *loader, uint32_t index)
{
	struct worker *worker = &loader->crew.workers[index];

	while (worker->slot != WORK_NONE) {
		struct stage_state *stage = &loader->stages[worker->stage];
		int64_t service_ns;

		if (worker->stage == STAGE_READ) {
			if (!read_block(engine, loader, index))
				return;
			continue;
		}
		if (worker->stage == STAGE_DECOMPRESS &&
		    engine->pipeline.external_decompress) {
			blocks_ask_decompress(engine, loader, index, 0);
			return;
		}
		service_ns = work_ns(engine, loader, index);
		if (service_ns > 0) {
			if (__builtin_expect(engine->tells, false))
				tell(engine, loader, index, service_ns);
			level_up(&stage->busy, engine->now_ns);
			agenda_push(&engine->own, engine->now_ns + service_ns,
				    operation(loader->number, OPERATION_WORK,
					      index));
			return;
		}
		next_stage(engine, loader, index);
	}
	worker_begin(engine, loader, index);
	worker_note_held(engine, &loader->crew, worker);
	crew_note(loader, engine->now_ns);
}

void worker_begin(struct engine *engine, struct loader *loader, uint32_t index)
{
	struct crew *crew = &loader->crew;
	struct worker *worker = &crew->workers[index];

	if (worker->slot == WORK_NONE && worker->head != WORK_NONE) {
		worker->slot = worker->head;
		worker->head = crew->works[worker->slot].next;
		crew->works[worker->slot].begun_ns = engine->now_ns;
		worker->stage = STAGE_READ;
		worker->done = 0;
		worker->asked = 0;
		worker->last_block = COUNT_UNKNOWN;
		worker->batches++;
		level_up(&crew->busy, engine->now_ns);
		worker_note_held(engine, crew, worker);
		go_on(engine, loader, index);
	}
}

void worker_finish(struct engine *engine, struct loader *loader, uint32_t index)
{
	struct worker *worker = &loader->crew.workers[index];

	level_down(&loader->stages[worker->stage].busy, engine->now_ns);
	if (worker->stage == STAGE_DECOMPRESS &&
	    engine->pipeline.external_decompress)
		blocks_count_decompress(engine, loader, index);
	next_stage(engine, loader, index);
	go_on(engine, loader, index);
}

void worker_finish_read(struct engine *engine, struct loader *loader,
			uint32_t slot)
{
	struct stage_state *stage = &loader->stages[STAGE_READ];
	uint32_t request = loader->parts[slot].request;
	uint32_t index = request / loader->crew.reads;
	struct worker *worker = &loader->crew.workers[index];

	level_down(&stage->busy, engine->now_ns);
	stage->items++;
	worker->in_flight--;
	if (blocks_take_part(engine, loader, slot))
		stage->output.slots[request].done = true;
	ask_parts(engine, loader, index);
	if (worker->stage == STAGE_READ)
		go_on(engine, loader, index);
}
