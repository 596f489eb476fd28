/* SPDX-License-Identifier: MIT */
#include "sim/steps.h"

#include "sim/account.h"
#include "sim/check.h"
#include "sim/epoch.h"
#include "sim/handover.h"
#include "sim/inlet.h"
#include "sim/tell.h"

static bool in_step_together(const struct engine *engine)
{
	return engine->pipeline.accelerators.sync == SYNC_BARRIER;
}

static uint64_t step_of(const struct engine *engine,
			const struct accelerator *accelerator)
{
	return in_step_together(engine) ? engine->total.steps :
					  accelerator->steps;
}

/* The step that the n-th use of a batch belongs to. It is of all accelerators
 * together and so never goes back, also where each goes its own way. */
static uint64_t step_of_use(const struct engine *engine, uint64_t use)
{
	return use / engine->accelerator_count;
}

static void use_again(struct engine *engine, const struct example *example,
		      uint32_t this_use)
{
	uint64_t use = engine->total.batches;
	uint64_t last = use - (this_use - example->last_use) / 2;

	if (last == use) {
		engine->total.duplicates++;
		return;
	}
	engine->total.lag_uses++;
	engine->total.lag_steps +=
		step_of_use(engine, use) - step_of_use(engine, last);
}

static void tell_watcher(const struct engine *engine,
			 const struct loader *loader,
			 const struct accelerator *accelerator)
{
	const struct batch *batch = &loader->batches[accelerator->batch.id];
	uint64_t examples = engine->pipeline.layout.examples;
	struct batch_use use = {
		.at_ns = engine->now_ns,
		.accelerator = (uint32_t)(accelerator - engine->accelerators),
		.step = step_of(engine, accelerator),
		.uses = engine->uses,
		.count = engine->pipeline.batch_size,
	};

	for (uint32_t i = 0; i < use.count; i++) {
		struct token token = batch->tokens[i];
		uint64_t ordinal = loader->examples[token.id].ordinal;

		/* A repeated batch repeats each of its uses. */
		engine->uses[i] = (struct use){
			.epoch = ordinal / examples,
			.example = ordinal % examples,
			.copy = token.copy + accelerator->batch.copy,
		};
	}
	engine->watcher->batch(engine->watcher->context, &use);
}

/* A step uses a batch: every example in it once. */
static void use_batch(struct engine *engine, struct loader *loader,
		      struct accelerator *accelerator)
{
	uint32_t size = engine->pipeline.batch_size;
	struct batch *batch = &loader->batches[accelerator->batch.id];
	uint32_t this_use = (uint32_t)engine->total.batches * 2 + 1;

	if (engine->watcher && engine->watcher->batch)
		tell_watcher(engine, loader, accelerator);
	for (uint32_t i = 0; i < size; i++) {
		struct token token = batch->tokens[i];
		struct example *example = &loader->examples[token.id];

		if (example->last_use == 0)
			engine->total.fresh_examples++;
		else
			use_again(engine, example, this_use);
		example->last_use = this_use;
		engine_fold(engine, example->ordinal * 31 + token.copy);
	}
	engine->total.consumed_examples += size;
	engine->total.batches++;
	batch->used = true;
	accelerator->has_batch = false;
}

static struct loader *loader_of(struct engine *engine, uint32_t accelerator)
{
	return &engine->loaders[accelerator / engine->lanes];
}

static uint32_t first_accelerator(const struct engine *engine,
				  const struct loader *loader)
{
	return loader->number * engine->lanes;
}

/* Has nothing to do, and waits behind those who waited before. */
static void join_line(struct engine *engine, uint32_t index)
{
	struct loader *loader = loader_of(engine, index);
	struct accelerator *accelerator = &engine->accelerators[index];

	*loader->line_end = index - first_accelerator(engine, loader);
	accelerator->next_in_line = LANE_NONE;
	loader->line_end = &accelerator->next_in_line;
}

/* As many batches are taken as the run is to have steps, over all
 * accelerators. */
static bool has_all_steps(const struct engine *engine)
{
	uint64_t limit = engine->pipeline.limit.steps;

	return limit > 0 && engine->taken == limit * engine->accelerator_count;
}

static int64_t draw_step_ns(const struct engine *engine, uint32_t index)
{
	uint64_t number =
		engine->accelerators[index].steps * engine->accelerator_count +
		index;

	return distribution_draw_at(&engine->step_ns, engine->step_stream,
				    number);
}

static int64_t draw_allreduce_ns(const struct engine *engine)
{
	return distribution_draw_at(&engine->allreduce_ns,
				    engine->allreduce_stream,
				    engine->total.steps);
}

/* Starts a step of one accelerator; returns its nominal time. */
static int64_t step_begin(struct engine *engine, uint32_t index)
{
	struct accelerator *accelerator = &engine->accelerators[index];

	accelerator->stepping = true;
	accelerator->step_start_ns = engine->now_ns;
	accelerator->step_ns = draw_step_ns(engine, index);
	if (engine->tells)
		tell_step(engine, index, step_of(engine, accelerator));
	use_batch(engine, loader_of(engine, index), accelerator);
	loader_mark(loader_of(engine, index), PLACE_ACCELERATORS);
	return accelerator->step_ns;
}

static void begin_together(struct engine *engine)
{
	int64_t slowest_ns = 0;

	engine->ready = 0;
	engine_fold(engine, (uint64_t)engine->now_ns);
	for (uint32_t i = 0; i < engine->accelerator_count; i++) {
		int64_t step_ns = step_begin(engine, i);

		if (step_ns > slowest_ns)
			slowest_ns = step_ns;
	}
	agenda_push(&engine->own,
		    engine->now_ns + slowest_ns + draw_allreduce_ns(engine),
		    operation(0, PLACE_ACCELERATORS, 0));
}

static void begin_alone(struct engine *engine, uint32_t index)
{
	int64_t step_ns = step_begin(engine, index);

	engine_fold(engine, (uint64_t)engine->now_ns);
	agenda_push(&engine->own, engine->now_ns + step_ns,
		    operation(0, PLACE_ACCELERATORS, index));
}

/* Nothing is left for this lane, which goes its own way: collate has seen the
 * last epoch's end, so has this inlet, and the lane's echo owes no copy. */
static bool lane_is_drained(const struct loader *loader, uint32_t lane)
{
	const struct inlet *inlet = &loader->inlets[PLACE_ACCELERATORS];

	return loader->exhausted &&
	       inlet->epoch == loader->inlets[STAGE_COLLATE].epoch &&
	       (!inlet->echoes || inlet->holds[lane].remaining == 0);
}

/* The accelerator of a lane that is drained has made its last step. */
static void retire(struct engine *engine, const struct loader *loader)
{
	if (loader->inlets[STAGE_COLLATE].epoch ==
	    engine->pipeline.limit.epochs)
		engine->complete = true;
	if (++engine->retired == engine->accelerator_count)
		epoch_end_data(engine);
}

void steps_handed_over(struct engine *engine, uint32_t accelerator)
{
	engine->accelerators[accelerator].handing_over = false;
	engine->ready++;
	if (!in_step_together(engine))
		begin_alone(engine, accelerator);
	else if (engine->epoch_over) /* gives it up again */
		loader_mark(loader_of(engine, accelerator), PLACE_ACCELERATORS);
	else if (engine->ready == engine->accelerator_count)
		begin_together(engine);
}

/* An accelerator has taken its batch; it is ready once that is in hand. */
static void batch_taken(struct engine *engine, struct loader *loader,
			uint32_t index)
{
	struct accelerator *accelerator = &engine->accelerators[index];
	int64_t time_ns = handover_ns(engine, loader, accelerator);

	engine->taken++;
	accelerator->handing_over = true;
	accelerator->batch_ns = engine->now_ns;
	if (engine->tells)
		tell_batch(engine, loader, index);
	if (time_ns == 0)
		steps_handed_over(engine, index);
	else
		agenda_push(&engine->own, engine->now_ns + time_ns,
			    operation(loader->number, OPERATION_HANDOVER,
				      index));
}

/* Asks the inlet for a batch for the accelerator of a lane; true when that
 * need not stand in line any longer: it has one, or none will ever come. */
static bool serve_lane(struct engine *engine, struct loader *loader,
		       uint32_t lane)
{
	uint32_t index = first_accelerator(engine, loader) + lane;
	struct accelerator *accelerator = &engine->accelerators[index];
	bool together = in_step_together(engine);
	struct token batch;

	do {
		if (!together && lane_is_drained(loader, lane)) {
			retire(engine, loader);
			return true;
		}
		batch = inlet_take(engine, loader, PLACE_ACCELERATORS, lane);
	} while (!together && take_is_epoch_end(batch));
	if (take_is_epoch_end(batch))
		epoch_end(engine);
	if (!token_is_item(batch))
		return false;
	accelerator->batch = batch;
	accelerator->has_batch = true;
	batch_taken(engine, loader, index);
	return true;
}

/* Goes along the line from who has waited longest. Where every lane has an
 * echo of its own, one further back may get what one in front did not. */
static void serve_line(struct engine *engine, struct loader *loader)
{
	uint32_t first = first_accelerator(engine, loader);
	bool all_alike = !loader->inlets[PLACE_ACCELERATORS].echoes;
	uint32_t *link = &loader->line;

	while (*link != LANE_NONE && !engine->over && !engine->epoch_over &&
	       !has_all_steps(engine)) {
		uint32_t *next =
			&engine->accelerators[first + *link].next_in_line;

		if (serve_lane(engine, loader, *link))
			*link = *next;
		else if (all_alike && !loader->exhausted)
			return;
		else
			link = next;
	}
	if (*link == LANE_NONE)
		loader->line_end = link;
}

void steps_start(struct engine *engine, struct loader *loader)
{
	if (!engine->epoch_over)
		serve_line(engine, loader);
	if (engine->epoch_over)
		epoch_give_up(engine, loader);
}

void steps_line_up(struct engine *engine, struct loader *loader)
{
	uint32_t first = first_accelerator(engine, loader);

	loader->line = LANE_NONE;
	loader->line_end = &loader->line;
	for (uint32_t lane = 0; lane < engine->lanes; lane++)
		join_line(engine, first + lane);
}

/* Books the end of an accelerator's step; its batch is consumed. */
static void end_step(struct engine *engine, uint32_t index)
{
	struct accelerator *accelerator = &engine->accelerators[index];
	uint64_t warmup = engine->pipeline.limit.warmup_steps;

	batch_release(engine, loader_of(engine, index), accelerator->batch.id);
	accelerator->stepping = false;
	accelerator->busy_ns += accelerator->step_ns;
	accelerator->steps++;
	engine->last_end_ns = engine->now_ns;
	loader_mark(loader_of(engine, index), PLACE_ACCELERATORS);
	join_line(engine, index);
	if (accelerator->steps == warmup &&
	    ++engine->warm == engine->accelerator_count)
		account_begin_window(engine);
}

static bool is_warm(const struct engine *engine)
{
	return engine->warm == engine->accelerator_count;
}

/* One more point of the series that the steady part is found in. */
static void add_to_series(struct engine *engine, level_integral busy_ns)
{
	steady_add(&engine->steady, engine->now_ns - engine->last_step_end_ns,
		   busy_ns);
}

static void finish_together(struct engine *engine)
{
	uint64_t limit = engine->pipeline.limit.steps;
	bool counts = is_warm(engine);
	level_integral busy_ns = 0;

	engine->total.steps++;
	for (uint32_t i = 0; i < engine->accelerator_count; i++) {
		busy_ns += (uint64_t)engine->accelerators[i].step_ns;
		end_step(engine, i);
	}
	if (counts)
		add_to_series(engine, busy_ns);
	engine->last_step_end_ns = engine->now_ns;
	if (engine->total.steps != limit)
		return;
	engine->complete = true;
	engine_end(engine);
}

/* When every accelerator goes its own way, a point of the series is as many
 * steps as there are accelerators. */
static void gather_for_series(struct engine *engine, int64_t busy_ns,
			      bool counts)
{
	if (counts)
		engine->gathered_busy_ns += (uint64_t)busy_ns;
	else
		engine->last_step_end_ns = engine->now_ns;
	if (!counts || ++engine->gathered < engine->accelerator_count)
		return;
	add_to_series(engine, engine->gathered_busy_ns);
	engine->last_step_end_ns = engine->now_ns;
	engine->gathered_busy_ns = 0;
	engine->gathered = 0;
}

static void finish_alone(struct engine *engine, uint32_t index)
{
	bool counts = is_warm(engine);

	engine->total.steps =
		++engine->finished_alone / engine->accelerator_count;
	end_step(engine, index);
	gather_for_series(engine, engine->accelerators[index].step_ns, counts);
	if (!has_all_steps(engine) || engine->finished_alone < engine->taken)
		return;
	engine->complete = true;
	engine_end(engine);
}

void steps_finish(struct engine *engine, uint32_t accelerator)
{
	if (in_step_together(engine))
		finish_together(engine);
	else
		finish_alone(engine, accelerator);
}
