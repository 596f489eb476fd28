/* SPDX-License-Identifier: MIT */
#include "tests/laws/digest.h"

#include "sim/check.h"
#include "sim/engine.h"
#include "sim/virtual.h"

#define MEMORY_BYTES (8 << 20)

static uint64_t memory[MEMORY_BYTES / 8] __attribute__((aligned(64)));
static _Alignas(64) char slots[1 << 16];

/* Every place and both policies, whole and fractional factors. */
static const struct echo echoes[] = {
	{ .place = ECHO_NONE, .factor = 1 },
	{ .place = ECHO_EXAMPLE_BEFORE_DECODE, .factor = 2 },
	{ .place = ECHO_EXAMPLE_BEFORE_AUGMENT,
	  .factor = 2.5,
	  .repeat_cost_ns = 100000 },
	{ .place = ECHO_EXAMPLE_AFTER_AUGMENT, .factor = 1.25 },
	{ .place = ECHO_BATCH, .factor = 2.5, .shuffle_batches = 3 },
	{ .place = ECHO_BATCH,
	  .policy = ECHO_WHEN_STARVED,
	  .factor = 1,
	  .max_factor = 4,
	  .shuffle_batches = 1 },
	{ .place = ECHO_EXAMPLE_AFTER_AUGMENT,
	  .policy = ECHO_WHEN_STARVED,
	  .factor = 1,
	  .max_factor = 3 },
};

#define ECHOES ((int)(sizeof(echoes) / sizeof(echoes[0])))

static struct distribution drawn(enum distribution_kind kind, double mean)
{
	struct distribution distribution = {
		.kind = kind,
		.mean = mean,
		.stdev = mean / 3,
		.low = mean / 2,
		.high = mean * 1.5,
	};

	distribution_prepare(&distribution);
	return distribution;
}

/* A small pipeline with something drawn in each of its stages. */
static void fill(struct pipeline *pipeline, const struct echo *echo,
		 int variant)
{
	struct distribution bytes = drawn(DISTRIBUTION_LOGNORMAL, 50000);

	*pipeline = (struct pipeline){
		.seed = 42 + (uint64_t)variant,
		.order = (enum read_order)(variant % 4),
		.request_bytes = 1 << 20,
		.ordered = variant % 2 == 0,
		.shuffle_examples = variant % 3 == 0 ? 0 : 100,
		.batch_size = 16,
		.prefetch_batches = 2,
		.echo = *echo,
		.limit = { .epochs = 2, .warmup_steps = 1 },
	};
	layout_compute(&pipeline->layout, 3001, &bytes, 1.5, 1 << 18, 250, 3);
	pipeline->stages[STAGE_READ].workers = 8;
	pipeline->stages[STAGE_DECOMPRESS] = (struct stage){
		.workers = 2,
		.rate_bytes_per_s = 800 * 1000 * 1000,
	};
	pipeline->stages[STAGE_DECODE] = (struct stage){
		.workers = 3,
		.time_ns = drawn(DISTRIBUTION_LOGNORMAL, 1e6),
	};
	pipeline->stages[STAGE_AUGMENT] = (struct stage){
		.workers = 2,
		.time_ns = drawn(DISTRIBUTION_EXPONENTIAL, 4e5),
	};
	pipeline->stages[STAGE_COLLATE] = (struct stage){
		.workers = 1,
		.time_ns = drawn(DISTRIBUTION_UNIFORM, 2e5),
	};
	pipeline->accelerators = (struct accelerators){
		.count = 2,
		.hosts = variant % 3 == 1 ? 2 : 1,
		.step_ns = drawn(DISTRIBUTION_NORMAL, 9e6),
		.allreduce_ns = drawn(DISTRIBUTION_EXPONENTIAL, 5e5),
		.sync = variant % 2 ? SYNC_NONE : SYNC_BARRIER,
	};
	pipeline->read_ahead_examples = pipeline_read_ahead_default(pipeline);
}

static uint64_t fold_figures(uint64_t hash, const struct figures *figures)
{
	const uint64_t counts[] = {
		figures->complete,
		figures->data_ended,
		figures->run_steps,
		(uint64_t)figures->run_ns,
		figures->steps,
		(uint64_t)figures->elapsed_ns,
		(uint64_t)figures->accelerator_ns,
		(uint64_t)figures->busy_ns,
		(uint64_t)figures->idle_ns,
		(uint64_t)figures->steady_busy_ns,
		(uint64_t)figures->steady_elapsed_ns,
		figures->consumed_examples,
		figures->fresh_examples,
		figures->batches,
		figures->duplicates,
		figures->lag_uses,
		figures->lag_steps,
		figures->run_read_examples,
		figures->run_dropped_examples,
		figures->run_left_over_examples,
		figures->run_left_over_batches,
		figures->run_under_way_examples,
		figures->run_epochs,
		figures->storage.requests,
		figures->storage.bytes,
		figures->storage.example_bytes,
		figures->storage.latency_ns.sum,
		figures->digest,
	};

	for (unsigned int i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		hash = fold(hash, counts[i]);
	for (int i = 0; i < STAGE_COUNT; i++) {
		const struct stage_figures *stage = &figures->stages[i];

		hash = fold(hash, stage->items);
		hash = fold_double(hash, stage->busy_mean);
		hash = fold_double(hash, stage->waiting_mean);
	}
	return hash;
}

static uint64_t fold_run(uint64_t hash, const struct echo *echo, int variant)
{
	static struct pipeline pipeline;
	static struct figures figures;
	struct tiers_profile profile = {
		.device = { .bandwidth_bytes_per_s = 60 * 1000 * 1000,
			    .latency_ns = drawn(DISTRIBUTION_LOGNORMAL, 5e6),
			    .max_inflight = 8 },
		.cache = { .policy = (enum cache_policy)(variant % 3),
			   .bytes = 1000 * 1000 },
		.link = { .bandwidth_bytes_per_s = 50 * 1000 * 1000 },
	};
	struct engine *engine;
	struct tiers tiers;

	fill(&pipeline, echo, variant);
	CHECK(engine_memory_bytes(&pipeline) <= MEMORY_BYTES);
	engine = engine_init(memory, &pipeline);
	CHECK(tiers_memory_bytes(&profile, &pipeline.layout,
				 pipeline.accelerators.hosts) <= sizeof(slots));
	tiers_init(&tiers, &profile, &pipeline.layout,
		   pipeline.accelerators.hosts, pipeline.seed, slots);
	while (virtual_run(engine, &tiers, 1000))
		;
	engine_figures(engine, &figures);
	CHECK(figures.run_steps > 0);
	return fold_figures(hash, &figures);
}

uint64_t digest_engine(uint64_t hash)
{
	for (int echo = 0; echo < ECHOES; echo++)
		for (int variant = 0; variant < 12; variant++)
			hash = fold_run(hash, &echoes[echo], variant);
	return hash;
}
