/* SPDX-License-Identifier: MIT */
/*
 * What an engine tells its watcher adds up to what it counts: requests and
 * their bytes, the busy time of every stage's workers and of the
 * accelerators. Nothing is told twice or before its time, no accelerator
 * computes two steps at once, and no stage has more workers busy than it has
 * workers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/runs.h"

#define ACCELERATORS 4
#define EVENTS_MAX 200000

static struct trace_event events[EVENTS_MAX];
static size_t event_count;

static void keep(void *context, const struct trace_event *event)
{
	(void)context;
	assert_true(event_count < EVENTS_MAX);
	events[event_count++] = *event;
}

/* Every stage takes time, sizes matter, two hosts of two accelerators. */
static struct pipeline busy_pipeline(void)
{
	struct pipeline pipeline = plain_pipeline(4000, 1000);

	pipeline.order = ORDER_SHUFFLED_SHARDS;
	pipeline.stages[STAGE_READ].workers = 8;
	pipeline.stages[STAGE_DECOMPRESS] =
		(struct stage){ .workers = 2, .rate_bytes_per_s = 20000000 };
	pipeline.stages[STAGE_DECODE] =
		(struct stage){ .workers = 3, .rate_bytes_per_s = 900000 };
	pipeline.stages[STAGE_AUGMENT] = (struct stage){
		.workers = 2,
		.time_ns = { .kind = DISTRIBUTION_EXPONENTIAL, .mean = 5e5 },
	};
	pipeline.stages[STAGE_COLLATE] =
		(struct stage){ .workers = 1, .time_ns = seconds(0.001) };
	pipeline.shuffle_examples = 100;
	pipeline.accelerators.hosts = 2;
	pipeline.accelerators.count = ACCELERATORS / 2;
	pipeline.accelerators.step_ns =
		(struct distribution){ .kind = DISTRIBUTION_EXPONENTIAL,
				       .mean = 4e6 };
	pipeline.accelerators.allreduce_ns = seconds(0.0005);
	pipeline.limit.epochs = 2;
	return pipeline;
}

/* Of an event, what lies before the end of the run. */
static int64_t spent_ns(const struct trace_event *event, int64_t run_ns)
{
	int64_t end_ns = event->end_ns < run_ns ? event->end_ns : run_ns;

	return end_ns - event->start_ns;
}

static void check_requests(const struct figures *figures)
{
	uint64_t bytes = 0, cached = 0, count = 0, retries = 0;
	struct histogram latency_ns = { 0 };

	for (size_t i = 0; i < event_count; i++) {
		const struct trace_event *event = &events[i];

		if (event->kind != TRACE_REQUEST)
			continue;
		assert_true(event->issue_ns <= event->start_ns);
		assert_true(event->start_ns <= event->end_ns);
		count++;
		bytes += event->bytes;
		cached += event->cached_bytes;
		retries += event->retries;
		histogram_add(&latency_ns, event->end_ns - event->issue_ns);
	}
	assert_int_equal(count, figures->storage.requests);
	assert_int_equal(bytes, figures->storage.bytes);
	assert_int_equal(cached, figures->storage.cached_bytes);
	assert_int_equal(retries, figures->storage.retries);
	assert_memory_equal(&latency_ns, &figures->storage.latency_ns,
			    sizeof(latency_ns));
}

static void check_busy(const struct figures *figures)
{
	int64_t busy_ns[STAGE_COUNT] = { 0 };
	int64_t step_ns = 0;

	for (size_t i = 0; i < event_count; i++) {
		const struct trace_event *event = &events[i];

		if (event->kind == TRACE_WORK)
			busy_ns[event->stage] +=
				spent_ns(event, figures->run_ns);
		if (event->kind == TRACE_STEP)
			step_ns += spent_ns(event, figures->run_ns);
	}
	assert_int_equal(step_ns, figures->busy_ns);
	for (int i = STAGE_DECOMPRESS; i < STAGE_COUNT; i++) {
		double mean = (double)busy_ns[i] / (double)figures->elapsed_ns;

		assert_true(mean > 0);
		assert_true(mean > figures->stages[i].busy_mean - 1e-9);
		assert_true(mean < figures->stages[i].busy_mean + 1e-9);
	}
}

static int by_start(const void *a, const void *b)
{
	const struct trace_event *x = a, *y = b;

	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* No more than `most` of the events, which are in order of starting, are under
 * way at once. */
static void check_at_once(uint8_t kind, uint8_t stage, uint32_t lane,
			  uint32_t most)
{
	int64_t ends_ns[16] = { 0 };

	assert_true(most <= 16);
	for (size_t i = 0; i < event_count; i++) {
		const struct trace_event *event = &events[i];
		uint32_t is_of = kind == TRACE_STEP ? event->object :
						      event->host;
		uint32_t worker = 0;

		if (event->kind != kind || event->stage != stage ||
		    is_of != lane)
			continue;
		while (worker < most && ends_ns[worker] > event->start_ns)
			worker++;
		assert_true(worker < most);
		ends_ns[worker] = event->end_ns;
	}
}

static void check_workers(const struct pipeline *pipeline)
{
	qsort(events, event_count, sizeof(events[0]), by_start);
	for (uint32_t i = 0; i < ACCELERATORS; i++)
		check_at_once(TRACE_STEP, 0, i, 1);
	for (uint32_t host = 0; host < 2; host++)
		for (uint8_t i = STAGE_DECOMPRESS; i < STAGE_COUNT; i++)
			check_at_once(TRACE_WORK, i, host,
				      pipeline->stages[i].workers);
}

/* The engine's time when an event was told never goes back. */
static void check_order(void)
{
	int64_t now_ns = 0;

	for (size_t i = 0; i < event_count; i++) {
		const struct trace_event *event = &events[i];
		bool begins = event->kind == TRACE_WORK ||
			      event->kind == TRACE_STEP;
		int64_t told_ns = begins ? event->start_ns : event->end_ns;

		assert_true(told_ns >= now_ns);
		now_ns = told_ns;
	}
}

static void run_and_check(const struct pipeline *pipeline,
			  const struct tiers_profile *tiers)
{
	const struct watcher watcher = { .event = keep };
	struct figures watched, alone;

	event_count = 0;
	run_tiers(pipeline, tiers, &watcher, &watched);
	run_tiers(pipeline, tiers, NULL, &alone);
	assert_memory_equal(&watched, &alone, sizeof(alone));
	assert_true(event_count > 1000);
	check_order();
	check_requests(&watched);
	check_busy(&watched);
	check_workers(pipeline);
}

static struct tiers_profile troubled_tiers(void)
{
	struct tiers_profile tiers = { .device = plain_device(5000000) };

	tiers.device.latency_ns = seconds(0.002);
	tiers.device.max_inflight = 4;
	tiers.device.error.probability = 0.2;
	tiers.device.error.retries = 20;
	tiers.cache.policy = CACHE_LRU;
	tiers.cache.bytes = 2000000;
	return tiers;
}

static void events_add_up_to_the_figures(void **state)
{
	struct pipeline pipeline = busy_pipeline();
	struct tiers_profile tiers = troubled_tiers();

	(void)state;
	run_and_check(&pipeline, &tiers);
	pipeline.ordered = false;
	run_and_check(&pipeline, &tiers);
	pipeline.accelerators.sync = SYNC_NONE;
	pipeline.order = ORDER_RANDOM;
	run_and_check(&pipeline, &tiers);
}

static void they_do_with_every_echo(void **state)
{
	struct pipeline pipeline = busy_pipeline();
	struct tiers_profile tiers = troubled_tiers();

	(void)state;
	for (int place = ECHO_EXAMPLE_BEFORE_DECODE; place <= ECHO_BATCH;
	     place++) {
		pipeline.echo.place = (enum echo_place)place;
		pipeline.echo.factor = 1.5;
		pipeline.echo.repeat_cost_ns = 100000;
		run_and_check(&pipeline, &tiers);
	}
}

static void they_do_when_time_ends_the_run(void **state)
{
	struct pipeline pipeline = busy_pipeline();
	struct tiers_profile tiers = troubled_tiers();

	(void)state;
	pipeline.limit.duration_ns = 777777777;
	pipeline.accelerators.sync = SYNC_NONE;
	run_and_check(&pipeline, &tiers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_add_up_to_the_figures),
		cmocka_unit_test(they_do_with_every_echo),
		cmocka_unit_test(they_do_when_time_ends_the_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
