/* SPDX-License-Identifier: MIT */
#include "sim/steps.h"

#include "sim/account.h"
#include "sim/check.h"
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
	batch_release(engine, loader, accelerator->batch.id);
	accelerator->has_batch = false;
}

static struct loader *loader_of(struct engine *engine, uint32_t accelerator)
{
	return &engine->loaders[accelerator /
				engine->pipeline.accelerators.count];
}

static int64_t draw_step_ns(const struct engine *engine, uint32_t index)
{
	uint64_t number =
		engine->accelerators[index].steps * engine->accelerator_count +
		index;

	return distribution_draw(&engine->step_ns,
				 random_bits(engine->step_stream, number));
}

static int64_t draw_allreduce_ns(const struct engine *engine)
{
	return distribution_draw(&engine->allreduce_ns,
				 random_bits(engine->allreduce_stream,
					     engine->total.steps));
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

static void retire(struct engine *engine, struct accelerator *accelerator)
{
	accelerator->retired = true;
	engine->retired++;
	if (engine->retired == engine->accelerator_count)
		engine_end(engine);
}

/* Nothing is left for this lane: collate has seen the last epoch's end, so
 * has this inlet, and the lane's echo owes no copy. */
static bool lane_is_drained(const struct loader *loader, uint32_t lane)
{
	const struct inlet *inlet = &loader->inlets[PLACE_ACCELERATORS];

	return loader->exhausted &&
	       inlet->epoch == loader->inlets[STAGE_COLLATE].epoch &&
	       (!inlet->echoes || inlet->holds[lane].remaining == 0);
}

/* An accelerator's host has no more data for it. */
static void end_of_data(struct engine *engine, const struct loader *loader,
			struct accelerator *accelerator)
{
	engine->data_ended = true;
	if (loader->inlets[STAGE_COLLATE].epoch ==
	    engine->pipeline.limit.epochs)
		engine->complete = true;
	if (in_step_together(engine))
		engine_end(engine);
	else
		retire(engine, accelerator);
}

/* Asks the inlet for a batch for one accelerator. */
static bool take_batch(struct engine *engine, struct loader *loader,
		       uint32_t lane, struct accelerator *accelerator)
{
	do {
		if (lane_is_drained(loader, lane)) {
			end_of_data(engine, loader, accelerator);
			return false;
		}
		accelerator->batch =
			inlet_take(engine, loader, PLACE_ACCELERATORS, lane);
		accelerator->has_batch = token_is_item(accelerator->batch);
	} while (!accelerator->has_batch &&
		 accelerator->batch.copy == TAKE_EPOCH_END);
	return accelerator->has_batch;
}

void steps_start(struct engine *engine, struct loader *loader)
{
	uint32_t count = engine->pipeline.accelerators.count;
	uint32_t first = loader->host * count;

	for (uint32_t lane = 0; lane < count && !engine->over; lane++) {
		struct accelerator *accelerator =
			&engine->accelerators[first + lane];

		if (accelerator->has_batch || accelerator->stepping ||
		    accelerator->retired ||
		    !take_batch(engine, loader, lane, accelerator))
			continue;
		accelerator->batch_ns = engine->now_ns;
		if (engine->tells)
			tell_batch(engine, loader, first + lane);
		engine->ready++;
		if (!in_step_together(engine))
			begin_alone(engine, first + lane);
	}
	if (in_step_together(engine) && !engine->over &&
	    engine->ready == engine->accelerator_count)
		begin_together(engine);
}

/* Books the end of an accelerator's step. */
static void end_step(struct engine *engine, uint32_t index)
{
	struct accelerator *accelerator = &engine->accelerators[index];
	uint64_t warmup = engine->pipeline.limit.warmup_steps;

	accelerator->stepping = false;
	accelerator->busy_ns += accelerator->step_ns;
	accelerator->steps++;
	accelerator->last_end_ns = engine->now_ns;
	loader_mark(loader_of(engine, index), PLACE_ACCELERATORS);
	if (accelerator->steps != warmup)
		return;
	accelerator->window_start_ns = engine->now_ns;
	accelerator->window_busy_ns = accelerator->busy_ns;
	if (++engine->warm == engine->accelerator_count)
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
	struct accelerator *accelerator = &engine->accelerators[index];
	uint64_t limit = engine->pipeline.limit.steps;
	bool counts = is_warm(engine);

	end_step(engine, index);
	gather_for_series(engine, accelerator->step_ns, counts);
	engine->total.steps = engine->total.batches / engine->accelerator_count;
	if (accelerator->steps != limit)
		return;
	if (engine->retired + 1 == engine->accelerator_count)
		engine->complete = true;
	retire(engine, accelerator);
}

void steps_finish(struct engine *engine, uint32_t accelerator)
{
	if (in_step_together(engine))
		finish_together(engine);
	else
		finish_alone(engine, accelerator);
}
