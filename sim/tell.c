/* SPDX-License-Identifier: MIT */
#include "sim/tell.h"

#define RETRIES_MAX UINT8_MAX

static void tell(const struct engine *engine, const struct trace_event *event)
{
	engine->watcher->event(engine->watcher->context, event);
}

void tell_time(const struct engine *engine, int64_t to_ns)
{
	if (to_ns > engine->now_ns)
		engine->watcher->time(engine->watcher->context, to_ns);
}

static uint8_t part_flags(const struct request *request,
			  const struct part *part)
{
	unsigned int flags = 0;

	if (part->completion.failed)
		flags |= TRACE_FAILED;
	if (request->epoch == 0)
		flags |= TRACE_FIRST_TOUCH;
	if (part->completion.late_ns > 0)
		flags |= TRACE_LATE;
	return (uint8_t)flags;
}

void tell_part(const struct engine *engine, const struct loader *loader,
	       const struct part *part)
{
	const struct request *request = &loader->requests[part->request];
	const struct completion *done = &part->completion;
	struct trace_event event = {
		.issue_ns = part->issue_ns,
		.start_ns = done->start_ns,
		.end_ns = engine->now_ns,
		.number = part->number,
		.offset_bytes = part->offset_bytes,
		.bytes = part->bytes,
		.cached_bytes = done->cached_bytes,
		.object = request->blocks[0].shard,
		.host = loader->host,
		.late_ns = UINT32_MAX,
		.kind = TRACE_REQUEST,
		.flags = part_flags(request, part),
		.retries = RETRIES_MAX,
	};

	if (done->late_ns < UINT32_MAX)
		event.late_ns = (uint32_t)done->late_ns;
	if (done->retries < RETRIES_MAX)
		event.retries = (uint8_t)done->retries;
	tell(engine, &event);
}

void tell_block(const struct engine *engine, const struct loader *loader,
		const struct block *block, int64_t start_ns, int64_t end_ns)
{
	tell(engine,
	     &(struct trace_event){
		     .issue_ns = loader->requests[block->request].arrived_ns,
		     .start_ns = start_ns,
		     .end_ns = end_ns,
		     .number = block->number,
		     .offset_bytes = block->place.offset_bytes,
		     .bytes = block->place.stored_bytes,
		     .object = block->place.shard,
		     .host = loader->host,
		     .kind = TRACE_WORK,
		     .stage = STAGE_DECOMPRESS,
	     });
}

void tell_work(const struct engine *engine, const struct loader *loader,
	       enum stage_name name, struct token token, int64_t service_ns)
{
	struct trace_event event = {
		.issue_ns = TIME_UNKNOWN,
		.start_ns = engine->now_ns,
		.end_ns = engine->now_ns + service_ns,
		.object = token.copy,
		.host = loader->host,
		.kind = TRACE_WORK,
		.stage = (uint8_t)name,
	};

	if (name == STAGE_COLLATE) {
		event.number = loader->batches[token.id].number;
	} else {
		event.number = loader->examples[token.id].ordinal;
		if (loader->example_bytes)
			event.bytes = loader->example_bytes[token.id];
	}
	tell(engine, &event);
}

void tell_carry(const struct engine *engine, const struct loader *loader,
		uint32_t slot)
{
	const struct crew *crew = &loader->crew;
	uint32_t id = loader->stages[STAGE_COLLATE].output.slots[slot].token.id;
	uint32_t place = loader->number % engine->pipeline.accelerators.count;

	tell(engine,
	     &(struct trace_event){
		     .issue_ns = crew->works[slot].begun_ns,
		     .start_ns = loader->batches[id].made_ns,
		     .end_ns = engine->now_ns,
		     .number = loader->batches[id].number,
		     .object = place * crew->count + crew->works[slot].worker,
		     .host = loader->host,
		     .kind = TRACE_CARRY,
	     });
}

void tell_batch(const struct engine *engine, const struct loader *loader,
		uint32_t accelerator)
{
	struct token token = engine->accelerators[accelerator].batch;
	const struct batch *batch = &loader->batches[token.id];

	tell(engine, &(struct trace_event){
			     .issue_ns = batch->made_ns,
			     .start_ns = engine->now_ns,
			     .end_ns = engine->now_ns,
			     .number = batch->number,
			     .object = accelerator,
			     .host = loader->host,
			     .kind = TRACE_BATCH,
		     });
}

void tell_step(const struct engine *engine, uint32_t accelerator,
	       uint64_t number)
{
	const struct accelerator *state = &engine->accelerators[accelerator];

	tell(engine,
	     &(struct trace_event){
		     .issue_ns = state->batch_ns,
		     .start_ns = state->step_start_ns,
		     .end_ns = state->step_start_ns + state->step_ns,
		     .number = number,
		     .object = accelerator,
		     .host = accelerator / engine->pipeline.accelerators.count,
		     .kind = TRACE_STEP,
	     });
}
