/* SPDX-License-Identifier: MIT */
#include "tests/support/live_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sim/replay.h"
#include "sim/virtual.h"
#include "storage/pack/pack.h"
#include "tests/support/foreign.h"

#define MILLISECOND INT64_C(1000000)

/* Others know no ratio: their content is half random. */
static void make_foreign(struct live_bench *bench, const char *format)
{
	const struct foreign foreign = {
		.count = LIVE_BENCH_FOREIGN,
		.bytes = LIVE_BENCH_FOREIGN_BYTES,
		.shards = 4,
	};

	foreign_make(&bench->temp, "dataset", format, &foreign);
}

static void pack(struct live_bench *bench, const char *format)
{
	struct pack_options options = {
		.target = bench->path,
		.format = format,
		.synthetic_examples = 2000,
		.synthetic_bytes = distribution_constant(8192),
		.synthetic_ratio = 2,
		.seed = 1,
		.block_bytes = 65536,
		.shard_examples = 500,
		.level = 1,
	};
	struct pack_result result;

	if (pack_run(&options, &result, &bench->fault))
		fail_msg("%s", bench->fault.text);
}

void live_bench_reopen(struct live_bench *bench)
{
	dataset_close(bench->dataset);
	bench->dataset = NULL;
	if (dataset_open(&bench->dataset, bench->path, NULL, true,
			 &bench->fault))
		fail_msg("%s", bench->fault.text);
	bench->pipeline.layout = dataset_layout(bench->dataset);
}

static void set_stage(struct pipeline *pipeline, enum stage_name stage,
		      uint32_t workers, int64_t time_ns)
{
	pipeline->stages[stage].workers = workers;
	pipeline->stages[stage].time_ns =
		distribution_constant((double)time_ns);
}

static void set_pipeline(struct pipeline *pipeline)
{
	pipeline->seed = 1;
	pipeline->order = ORDER_SHUFFLED_SHARDS;
	pipeline->request_bytes = 131072;
	set_stage(pipeline, STAGE_READ, 4, 0);
	set_stage(pipeline, STAGE_DECOMPRESS, 2, 0);
	set_stage(pipeline, STAGE_DECODE, 4, MILLISECOND / 4);
	set_stage(pipeline, STAGE_AUGMENT, 4, MILLISECOND / 4);
	set_stage(pipeline, STAGE_COLLATE, 1, MILLISECOND / 4);
	pipeline->ordered = true;
	pipeline->shuffle_examples = 100;
	pipeline->batch_size = 32;
	pipeline->prefetch_batches = 2;
	pipeline->accelerators = (struct accelerators){
		.count = 1,
		.hosts = 1,
		.step_ns = distribution_constant(4 * MILLISECOND),
		.sync = SYNC_BARRIER,
	};
	pipeline->echo.factor = 1;
	pipeline->echo.max_factor = 1;
	pipeline->echo.shuffle_batches = 1;
	pipeline->limit = (struct run_limit){
		.duration_ns = 1000 * MILLISECOND,
		.warmup_steps = 1,
	};
}

void live_bench_open(struct live_bench *bench, const char *format)
{
	memset(bench, 0, sizeof(*bench));
	assert_int_equal(temp_open(&bench->temp), 0);
	temp_name(&bench->temp, "dataset", bench->path);
	if (!strcmp(format, "shards") || !strcmp(format, "lmdb"))
		pack(bench, format);
	else
		make_foreign(bench, format);
	set_pipeline(&bench->pipeline);
	bench->device = (struct device_profile){
		.bandwidth_bytes_per_s = 16000000,
		.latency_ns = distribution_constant(5 * MILLISECOND),
	};
	live_bench_reopen(bench);
	bench->events = malloc(LIVE_BENCH_EVENTS * sizeof(*bench->events));
	assert_non_null(bench->events);
}

void live_bench_crew(struct live_bench *bench, uint32_t workers, uint32_t reads)
{
	struct pipeline *pipeline = &bench->pipeline;

	pipeline->loading = (struct loading){
		.kind = LOADER_WORKERS,
		.workers = workers,
		.prefetch_factor = 2,
		.in_order = true,
		.reads = reads,
	};
	pipeline->stages[STAGE_READ].workers =
		workers * reads * pipeline->accelerators.count;
	for (int i = STAGE_DECOMPRESS; i < STAGE_COUNT; i++)
		pipeline->stages[i].workers =
			workers * pipeline->accelerators.count;
}

void live_bench_close(struct live_bench *bench)
{
	dataset_close(bench->dataset);
	temp_close(&bench->temp);
	free(bench->events);
}

/* An engine over the pipeline, in memory of its own. */
static struct engine *make_engine(struct live_bench *bench, bool external)
{
	struct engine *engine;
	size_t bytes;
	void *memory;

	bench->pipeline.external_decompress = external;
	bench->pipeline.read_ahead_examples =
		pipeline_read_ahead_default(&bench->pipeline);
	bytes = (engine_memory_bytes(&bench->pipeline) + 63) / 64 * 64;
	memory = aligned_alloc(64, bytes);
	assert_non_null(memory);
	engine = engine_init(memory, &bench->pipeline);
	assert_ptr_equal(engine, memory);
	return engine;
}

/* The device under test, in memory of its own. */
static void *make_tiers(struct live_bench *bench, struct tiers *tiers)
{
	struct tiers_profile profile = { .device = bench->device };
	const struct layout *layout = &bench->pipeline.layout;
	uint32_t hosts = bench->pipeline.accelerators.hosts;
	void *memory =
		aligned_alloc(64, tiers_memory_bytes(&profile, layout, hosts));

	assert_non_null(memory);
	tiers_init(tiers, &profile, layout, hosts, bench->pipeline.seed,
		   memory);
	return memory;
}

static void record(void *context, const struct trace_event *event)
{
	struct live_bench *bench = context;

	if (event->kind != TRACE_REQUEST &&
	    (event->kind != TRACE_WORK || event->stage != STAGE_DECOMPRESS))
		return;
	if (bench->recorded == LIVE_BENCH_EVENTS)
		abort();
	bench->events[bench->recorded++] = *event;
}

int live_bench_run(struct live_bench *bench)
{
	struct engine *engine = make_engine(bench, true);
	struct tiers tiers;
	void *slots = make_tiers(bench, &tiers);
	const struct watcher watcher = { .context = bench, .event = record };
	int error;

	bench->fault.text[0] = '\0';
	bench->recorded = 0;
	if (bench->record)
		engine_watch(engine, &watcher);
	error = live_run(engine, &bench->pipeline,
			 bench->native ? NULL : &tiers, bench->dataset,
			 &bench->options, &bench->report, &bench->fault);
	engine_figures(engine, &bench->figures);
	free(slots);
	free(engine);
	return error;
}

void live_bench_simulate(struct live_bench *bench, struct figures *figures)
{
	struct engine *engine = make_engine(bench, false);
	struct tiers tiers;
	void *slots = make_tiers(bench, &tiers);

	while (virtual_run(engine, &tiers, 1000000))
		;
	engine_figures(engine, figures);
	free(slots);
	free(engine);
}

static int by_number(const void *a, const void *b)
{
	const struct trace_event *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* How many requests were completed at another time than a fresh device says
 * and are not marked late, or the other way round; puts them in the order of
 * issuing. One that was under way as the run ended is not known, nor what it
 * did to those behind it. */
static uint64_t count_unexplained(struct live_bench *bench)
{
	struct tiers tiers;
	void *slots = make_tiers(bench, &tiers);
	uint64_t unexplained = 0;

	qsort(bench->events, bench->recorded, sizeof(*bench->events),
	      by_number);
	for (uint64_t i = 0; i < bench->recorded; i++) {
		const struct trace_event *event = &bench->events[i];
		struct device_request request = {
			.number = event->number,
			.position_bytes = layout_position(
				&bench->pipeline.layout, event->object,
				event->offset_bytes),
			.bytes = event->bytes,
			.first_touch = event->flags & TRACE_FIRST_TOUCH,
		};

		bool late = event->flags & TRACE_LATE;

		if (event->kind != TRACE_REQUEST || event->number != i)
			break;
		unexplained += late != (device_submit(tiers.devices,
						      event->issue_ns, &request)
						.at_ns != event->end_ns);
	}
	free(slots);
	return unexplained;
}

static int next_event(void *context, struct trace_event *event)
{
	struct live_bench *bench = context;

	if (bench->replayed == bench->recorded)
		return 0;
	*event = bench->events[bench->replayed++];
	return 1;
}

uint64_t live_bench_replay(struct live_bench *bench, struct figures *figures)
{
	const struct replay_source source = { bench, next_event };
	struct engine *engine = make_engine(bench, true);
	enum replay_end end = REPLAY_GOING;
	struct replay replay;
	size_t size = replay_memory_bytes(&bench->pipeline);
	void *tasks = aligned_alloc(64, (size + 63) / 64 * 64);

	assert_non_null(tasks);
	bench->replayed = 0;
	replay_init(&replay, engine, &bench->pipeline, &source, INT64_MAX,
		    tasks);
	while (end == REPLAY_GOING)
		end = replay_run(&replay, UINT64_MAX);
	assert_int_equal(end, REPLAY_OVER);
	engine_figures(engine, figures);
	free(tasks);
	free(engine);
	return count_unexplained(bench);
}

double live_bench_au(const struct figures *figures)
{
	return level_to_double(figures->busy_ns) /
	       level_to_double(figures->accelerator_ns);
}
