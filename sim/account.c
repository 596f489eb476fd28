/* SPDX-License-Identifier: MIT */
#include "sim/account.h"

#include <string.h>

static struct stage_sums stage_sums(const struct engine *engine,
				    enum stage_name name)
{
	struct stage_sums sums = { 0 };
	bool external = name == STAGE_DECOMPRESS &&
			engine->pipeline.external_decompress;

	for (uint32_t h = 0; h < engine->loader_count; h++) {
		const struct stage_state *stage =
			&engine->loaders[h].stages[name];

		sums.items += stage->items;
		if (external)
			sums.busy += (uint64_t)stage->reported_busy_ns;
		else
			sums.busy += level_until(&stage->busy, engine->now_ns);
		sums.waiting += level_until(&stage->waiting, engine->now_ns);
	}
	return sums;
}

static struct crew_sums crew_sums(const struct engine *engine)
{
	struct crew_sums sums = { 0 };

	for (uint32_t h = 0; engine->by_workers && h < engine->loader_count;
	     h++) {
		const struct crew *crew = &engine->loaders[h].crew;

		sums.busy += level_until(&crew->busy, engine->now_ns);
		sums.held += level_until(&crew->held, engine->now_ns);
		sums.blocked += level_until(&crew->blocked, engine->now_ns);
		sums.out += level_until(&crew->out, engine->now_ns);
	}
	return sums;
}

/* Nominal time so far, a step under way included. */
static int64_t accelerator_busy_ns(const struct engine *engine,
				   const struct accelerator *accelerator)
{
	int64_t spent_ns = engine->now_ns - accelerator->step_start_ns;

	if (!accelerator->stepping)
		return accelerator->busy_ns;
	if (spent_ns > accelerator->step_ns)
		spent_ns = accelerator->step_ns;
	return accelerator->busy_ns + spent_ns;
}

void account_begin_window(struct engine *engine)
{
	engine->window = engine->total;
	engine->window.at_ns = engine->now_ns;
	for (enum stage_name name = 0; name < STAGE_COUNT; name++)
		engine->window_stages[name] = stage_sums(engine, name);
	engine->window_crews = crew_sums(engine);
	for (uint32_t i = 0; i < engine->accelerator_count; i++)
		engine->accelerators[i].window_busy_ns =
			accelerator_busy_ns(engine, &engine->accelerators[i]);
}

/* With the last step of all, where no other was to follow; else accelerators
 * step or wait until now. */
static int64_t window_end_ns(const struct engine *engine)
{
	bool ended = engine->over && !engine->failed &&
		     engine->now_ns != engine->pipeline.limit.duration_ns;

	return ended ? engine->last_end_ns : engine->now_ns;
}

static void fill_accelerators(const struct engine *engine,
			      struct figures *figures)
{
	int64_t window_ns = window_end_ns(engine) - engine->window.at_ns;

	for (uint32_t i = 0; i < engine->accelerator_count; i++) {
		const struct accelerator *accelerator =
			&engine->accelerators[i];
		int64_t busy_ns = accelerator_busy_ns(engine, accelerator) -
				  accelerator->window_busy_ns;

		figures->busy_ns += (uint64_t)busy_ns;
		figures->accelerator_ns += (uint64_t)window_ns;
		figures->idle_ns += (uint64_t)(window_ns - busy_ns);
	}
}

static void fill_counts(const struct engine *engine, struct figures *figures)
{
	const struct counters *total = &engine->total;
	const struct counters *start = &engine->window;

	figures->steps = total->steps - start->steps;
	figures->consumed_examples =
		total->consumed_examples - start->consumed_examples;
	figures->fresh_examples = total->fresh_examples - start->fresh_examples;
	figures->batches = total->batches - start->batches;
	figures->duplicates = total->duplicates - start->duplicates;
	figures->lag_uses = total->lag_uses - start->lag_uses;
	figures->lag_steps = total->lag_steps - start->lag_steps;
}

static void fill_stages(const struct engine *engine, struct figures *figures)
{
	const struct pipeline *pipeline = &engine->pipeline;
	double elapsed_ns = (double)figures->elapsed_ns;

	for (enum stage_name name = 0; name < STAGE_COUNT; name++) {
		struct stage_sums now = stage_sums(engine, name);
		const struct stage_sums *start = &engine->window_stages[name];
		struct stage_figures *stage = &figures->stages[name];
		double busy_ns = level_to_double(now.busy - start->busy);

		stage->workers = pipeline->stages[name].workers *
				 pipeline->accelerators.hosts;
		stage->items = now.items - start->items;
		if (figures->elapsed_ns <= 0)
			continue;
		stage->busy_mean = busy_ns / elapsed_ns;
		stage->waiting_mean =
			level_to_double(now.waiting - start->waiting) /
			elapsed_ns;
	}
}

static void fill_crew(const struct engine *engine, struct figures *figures)
{
	struct crew_sums now = crew_sums(engine);
	const struct crew_sums *start = &engine->window_crews;
	struct crew_figures *crew = &figures->crew;
	double elapsed_ns = (double)figures->elapsed_ns;

	if (!engine->by_workers)
		return;
	crew->workers = engine->loader_count * engine->loaders[0].crew.count;
	if (figures->elapsed_ns <= 0)
		return;
	crew->busy_mean = level_to_double(now.busy - start->busy) / elapsed_ns;
	crew->held_mean = level_to_double(now.held - start->held) / elapsed_ns;
	crew->blocked_mean =
		level_to_double(now.blocked - start->blocked) / elapsed_ns;
	crew->out_mean = level_to_double(now.out - start->out) / elapsed_ns;
}

static void fill_storage(const struct engine *engine,
			 struct storage_figures *storage)
{
	const struct counters *total = &engine->total;
	const struct counters *start = &engine->window;

	storage->requests = total->requests - start->requests;
	storage->bytes = total->bytes - start->bytes;
	storage->example_bytes = total->example_bytes - start->example_bytes;
	storage->cached_bytes = total->cached_bytes - start->cached_bytes;
	storage->retries = total->retries - start->retries;
	histogram_subtract(&storage->latency_ns, &total->latency_ns,
			   &start->latency_ns);
}

/* What became of the examples read. */
static void fill_fates(const struct engine *engine, struct figures *figures)
{
	uint64_t unused = 0;

	for (uint32_t h = 0; h < engine->loader_count; h++) {
		const struct loader *loader = &engine->loaders[h];

		unused += loader->unused_examples;
		figures->run_read_examples += loader->read_examples;
		figures->run_left_over_examples += loader->left_over_examples;
		figures->run_left_over_batches += loader->left_over_batches;
	}
	figures->run_fresh_examples = engine->total.fresh_examples;
	figures->run_dropped_examples =
		unused - figures->run_left_over_examples;
	figures->run_under_way_examples = figures->run_read_examples -
					  engine->total.fresh_examples - unused;
}

void engine_figures(const struct engine *engine, struct figures *figures)
{
	bool warm = engine->warm == engine->accelerator_count;
	struct steady_bin steady = steady_part(&engine->steady);

	memset(figures, 0, sizeof(*figures));
	figures->complete = engine->complete;
	figures->data_ended = engine->data_ended;
	figures->storage.failed = engine->failed;
	figures->run_steps = engine->total.steps;
	figures->run_ns = engine->now_ns;
	fill_fates(engine, figures);
	figures->run_epochs = engine->loaders[0].source.epoch +
			      !engine->loaders[0].source.ended;
	memcpy(figures->epochs, engine->epochs, sizeof(figures->epochs));
	figures->accelerators = engine->accelerator_count;
	figures->digest = engine->digest;
	if (!warm)
		return;
	figures->elapsed_ns = engine->now_ns - engine->window.at_ns;
	figures->steady_busy_ns = steady.busy_ns;
	figures->steady_elapsed_ns = steady.elapsed_ns;
	fill_accelerators(engine, figures);
	fill_counts(engine, figures);
	fill_stages(engine, figures);
	fill_crew(engine, figures);
	fill_storage(engine, &figures->storage);
}

static void add_loader_levels(const struct loader *loader,
			      struct engine_levels *levels)
{
	const struct inlet *inlets = loader->inlets;

	for (enum stage_name name = 0; name < STAGE_COUNT; name++) {
		levels->busy[name] += loader->stages[name].busy.count;
		levels->waiting[name] += loader->stages[name].waiting.count;
	}
	for (enum stage_name name = STAGE_DECODE; name < STAGE_COUNT; name++)
		levels->shuffled_examples += inlets[name].resident_count;
	levels->ahead_examples += loader->in_flight_examples;
	levels->batches += loader->stages[STAGE_COLLATE].waiting.count +
			   inlets[PLACE_ACCELERATORS].resident_count;
}

void engine_levels(const struct engine *engine, struct engine_levels *levels)
{
	*levels = (struct engine_levels){ 0 };
	for (uint32_t h = 0; h < engine->loader_count; h++)
		add_loader_levels(&engine->loaders[h], levels);
	for (uint32_t i = 0; i < engine->accelerator_count; i++) {
		levels->batches += engine->accelerators[i].has_batch;
		levels->stepping += engine->accelerators[i].stepping;
	}
	levels->requests = levels->busy[STAGE_READ];
}
