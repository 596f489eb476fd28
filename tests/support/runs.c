/* SPDX-License-Identifier: MIT */
#include "tests/support/runs.h"

#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/virtual.h"

struct distribution seconds(double value)
{
	return distribution_constant(value * (double)NS_PER_S);
}

struct distribution bytes(double value)
{
	return distribution_constant(value);
}

struct pipeline plain_pipeline(uint64_t examples, double example_bytes)
{
	struct distribution size = bytes(example_bytes);
	struct pipeline pipeline;

	memset(&pipeline, 0, sizeof(pipeline));
	pipeline.seed = 1;
	layout_compute(&pipeline.layout, examples, &size, 1,
		       (uint64_t)(10 * example_bytes), 100, 1);
	pipeline.order = ORDER_SEQUENTIAL;
	pipeline.request_bytes = (uint64_t)(10 * example_bytes);
	for (int i = 0; i < STAGE_COUNT; i++)
		pipeline.stages[i].workers = 1;
	pipeline.ordered = true;
	pipeline.batch_size = 10;
	pipeline.prefetch_batches = 2;
	pipeline.accelerators.count = 1;
	pipeline.accelerators.hosts = 1;
	pipeline.echo.factor = 1;
	pipeline.echo.max_factor = 1;
	pipeline.echo.shuffle_batches = 1;
	pipeline.limit.epochs = 1;
	return pipeline;
}

struct device_profile plain_device(uint64_t bandwidth_bytes_per_s)
{
	return (struct device_profile){
		.bandwidth_bytes_per_s = bandwidth_bytes_per_s,
	};
}

void run_tiers(const struct pipeline *pipeline,
	       const struct tiers_profile *profile,
	       const struct watcher *watcher, struct figures *figures)
{
	struct pipeline whole = *pipeline;
	uint32_t hosts = pipeline->accelerators.hosts;
	struct engine *engine;
	struct tiers tiers;
	void *engine_memory;
	void *tiers_memory;

	if (whole.read_ahead_examples == 0)
		whole.read_ahead_examples = pipeline_read_ahead_default(&whole);
	engine_memory = aligned_alloc(64, engine_memory_bytes(&whole));
	tiers_memory = aligned_alloc(
		64, tiers_memory_bytes(profile, &whole.layout, hosts));
	CHECK(engine_memory);
	CHECK(tiers_memory);
	engine = engine_init(engine_memory, &whole);
	engine_watch(engine, watcher);
	tiers_init(&tiers, profile, &whole.layout, hosts, whole.seed,
		   tiers_memory);
	while (virtual_run(engine, &tiers, 1000000))
		;
	engine_figures(engine, figures);
	free(tiers_memory);
	free(engine_memory);
}

void run_pipeline(const struct pipeline *pipeline,
		  const struct device_profile *device,
		  const struct watcher *watcher, struct figures *figures)
{
	struct tiers_profile profile = { .device = *device };

	run_tiers(pipeline, &profile, watcher, figures);
}

double seconds_of(int64_t time_ns)
{
	return (double)time_ns / (double)NS_PER_S;
}

double idle_fraction(const struct figures *figures)
{
	return level_to_double(figures->idle_ns) /
	       level_to_double(figures->accelerator_ns);
}
