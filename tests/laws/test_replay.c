/* SPDX-License-Identifier: MIT */
/*
 * The replay law: an engine that is fed with the completions of a run takes
 * every decision of it again. Here the run is a simulated one, over every
 * order of reading, every place of the echo, with and without barrier, where
 * the device's errors and caches disturb it; and a recording of another run
 * is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/replay.h"
#include "tests/support/runs.h"

#define EVENTS_MAX 200000

static struct trace_event events[EVENTS_MAX];
static size_t event_count;
static size_t next;

static void keep(void *context, const struct trace_event *event)
{
	(void)context;
	assert_true(event_count < EVENTS_MAX);
	events[event_count++] = *event;
}

static int next_event(void *context, struct trace_event *event)
{
	(void)context;
	if (next == event_count)
		return 0;
	*event = events[next++];
	return 1;
}

static struct pipeline some_pipeline(void)
{
	struct pipeline pipeline = plain_pipeline(3000, 1000);

	pipeline.stages[STAGE_READ].workers = 8;
	pipeline.stages[STAGE_DECOMPRESS] =
		(struct stage){ .workers = 2, .rate_bytes_per_s = 20000000 };
	pipeline.stages[STAGE_DECODE] =
		(struct stage){ .workers = 3, .rate_bytes_per_s = 900000 };
	pipeline.stages[STAGE_AUGMENT] = (struct stage){
		.workers = 2,
		.time_ns = { .kind = DISTRIBUTION_EXPONENTIAL, .mean = 5e5 },
	};
	pipeline.shuffle_examples = 50;
	pipeline.accelerators.hosts = 2;
	pipeline.accelerators.step_ns = seconds(0.004);
	pipeline.limit.epochs = 2;
	return pipeline;
}

static struct tiers_profile some_tiers(void)
{
	struct tiers_profile tiers = { .device = plain_device(5000000) };

	tiers.device.latency_ns = (struct distribution){
		.kind = DISTRIBUTION_LOGNORMAL, .mean = 4e6, .stdev = 8e6
	};
	tiers.device.error.probability = 0.1;
	tiers.device.error.retries = 20;
	tiers.cache.policy = CACHE_LRU;
	tiers.cache.bytes = 1000000;
	return tiers;
}

/* Replays what was kept; the figures, and how it ended. */
static enum replay_end replay(const struct pipeline *pipeline, int64_t until_ns,
			      struct figures *figures)
{
	const struct replay_source source = { NULL, next_event };
	struct pipeline whole = *pipeline;
	enum replay_end end = REPLAY_GOING;
	struct engine *engine;
	struct replay replay;
	void *memory, *tasks;

	whole.read_ahead_examples = pipeline_read_ahead_default(&whole);
	memory =
		aligned_alloc(64, (engine_memory_bytes(&whole) + 63) / 64 * 64);
	tasks = aligned_alloc(64, (replay_memory_bytes(&whole) + 63) / 64 * 64);
	assert_non_null(memory);
	assert_non_null(tasks);
	engine = engine_init(memory, &whole);
	next = 0;
	replay_init(&replay, engine, &whole, &source, until_ns, tasks);
	while (end == REPLAY_GOING)
		end = replay_run(&replay, 1000);
	engine_figures(engine, figures);
	free(tasks);
	free(memory);
	return end;
}

static void check(const struct pipeline *pipeline)
{
	const struct watcher watcher = { .event = keep };
	struct tiers_profile tiers = some_tiers();
	struct figures run, again;

	event_count = 0;
	run_tiers(pipeline, &tiers, &watcher, &run);
	assert_true(run.complete);
	assert_int_equal(replay(pipeline, INT64_MAX, &again), REPLAY_OVER);
	assert_memory_equal(&again, &run, sizeof(run));
}

static void workers_that_carry_batches_replay(void **state)
{
	struct pipeline pipeline = some_pipeline();

	(void)state;
	pipeline.accelerators.count = 2;
	pipeline.loading = (struct loading){
		.kind = LOADER_WORKERS,
		.workers = 3,
		.prefetch_factor = 2,
		.reads = 2,
		.start_ns = 1000000,
		.restart = RESTART_EPOCH,
		.pin.time_ns = seconds(0.001),
		.handover.time_ns = seconds(0.002),
	};
	for (int in_order = 0; in_order < 2; in_order++) {
		pipeline.ordered = in_order;
		check(&pipeline);
	}
}

static void every_order_replays(void **state)
{
	struct pipeline pipeline = some_pipeline();

	(void)state;
	for (int order = ORDER_SEQUENTIAL; order <= ORDER_RANDOM; order++) {
		pipeline.order = (enum read_order)order;
		for (int free = 0; free < 4; free++) {
			pipeline.ordered = free & 1;
			pipeline.accelerators.sync = free & 2 ? SYNC_NONE :
								SYNC_BARRIER;
			check(&pipeline);
		}
	}
}

static void every_echo_replays(void **state)
{
	struct pipeline pipeline = some_pipeline();

	(void)state;
	for (int place = ECHO_NONE; place <= ECHO_BATCH; place++) {
		pipeline.echo.place = (enum echo_place)place;
		pipeline.echo.factor = place == ECHO_NONE ? 1 : 1.5;
		pipeline.echo.policy = ECHO_FIXED;
		check(&pipeline);
		if (place == ECHO_NONE)
			continue;
		pipeline.echo.policy = ECHO_WHEN_STARVED;
		pipeline.echo.max_factor = 3;
		check(&pipeline);
	}
}

/* Cut short anywhere, it goes as far, and no step is another. */
static void part_of_a_run_replays_as_far(void **state)
{
	const struct watcher watcher = { .event = keep };
	struct pipeline pipeline = some_pipeline();
	struct tiers_profile tiers = some_tiers();
	struct figures run, again;
	size_t whole;

	(void)state;
	event_count = 0;
	run_tiers(&pipeline, &tiers, &watcher, &run);
	whole = event_count;
	for (event_count = 0; event_count < whole; event_count += whole / 50) {
		enum replay_end end = replay(&pipeline, INT64_MAX, &again);

		/* Once every request is answered, the rest follows. */
		if (end == REPLAY_OVER)
			assert_int_equal(again.digest, run.digest);
		else
			assert_int_equal(end, REPLAY_SHORT);
		assert_int_equal(again.complete, end == REPLAY_OVER);
		assert_true(again.run_steps <= run.run_steps);
	}
}

static void a_recording_of_another_run_is_refused(void **state)
{
	const struct watcher watcher = { .event = keep };
	struct pipeline pipeline = some_pipeline();
	struct tiers_profile tiers = some_tiers();
	struct figures run, again;

	(void)state;
	event_count = 0;
	run_tiers(&pipeline, &tiers, &watcher, &run);
	pipeline.seed++;
	pipeline.order = ORDER_RANDOM;
	assert_int_equal(replay(&pipeline, INT64_MAX, &again), REPLAY_OTHER);
	pipeline = some_pipeline();
	pipeline.stages[STAGE_READ].workers--;
	assert_int_equal(replay(&pipeline, INT64_MAX, &again), REPLAY_OTHER);
	pipeline = some_pipeline();
	for (next = 0; events[next].kind != TRACE_REQUEST;)
		next++;
	events[next].bytes += 512;
	assert_int_equal(replay(&pipeline, INT64_MAX, &again), REPLAY_OTHER);
	for (next = 0; events[next].kind != TRACE_REQUEST;)
		next++;
	events[next].bytes -= 512;
	pipeline.limit.epochs = 1;
	assert_int_equal(replay(&pipeline, INT64_MAX, &again), REPLAY_OTHER);
}

/* Hostile events: any of them changed is refused or changes nothing that the
 * engine is told. */
static void hostile_events_do_no_harm(void **state)
{
	const struct watcher watcher = { .event = keep };
	struct pipeline pipeline = some_pipeline();
	struct tiers_profile tiers = some_tiers();
	struct figures run, again;

	(void)state;
	event_count = 0;
	run_tiers(&pipeline, &tiers, &watcher, &run);
	for (size_t i = 0; i < event_count; i += event_count / 200) {
		struct trace_event saved = events[i];

		events[i].number ^= UINT64_C(1) << (i % 64);
		replay(&pipeline, INT64_MAX, &again);
		events[i] = saved;
		events[i].end_ns = (int64_t)(i * i) - 1000000;
		replay(&pipeline, INT64_MAX, &again);
		events[i] = saved;
		events[i].cached_bytes = UINT64_MAX;
		replay(&pipeline, INT64_MAX, &again);
		events[i] = saved;
	}
	assert_int_equal(replay(&pipeline, INT64_MAX, &again), REPLAY_OVER);
	assert_int_equal(again.digest, run.digest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_order_replays),
		cmocka_unit_test(workers_that_carry_batches_replay),
		cmocka_unit_test(every_echo_replays),
		cmocka_unit_test(part_of_a_run_replays_as_far),
		cmocka_unit_test(a_recording_of_another_run_is_refused),
		cmocka_unit_test(hostile_events_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
