/* SPDX-License-Identifier: MIT */
/*
 * Why accelerators idle and what limits them, where it can be worked out by
 * hand: one limit alone, or a barrier whose idle time is known.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/stall/attribution.h"
#include "analysis/metric.h"
#include "tests/support/close.h"
#include "tests/support/crews.h"

static struct result result;
static struct scenario scenario;

static void set(const char *assignment)
{
	struct fault fault = { 0 };

	if (scenario_set(&scenario, assignment, &fault))
		fail_msg("%s: %s", assignment, fault.text);
}

/* Steps of 10 ms over storage and stages that take next to no time; a request
 * is a block of ten examples, which is a batch. */
static int begin(void **x)
{
	static const char *const plain[] = {
		"dataset.examples=100000",
		"dataset.example_bytes=1000 B",
		"dataset.block_bytes=10000 B",
		"dataset.shard_examples=100",
		"storage.device={bandwidth: 1000000 GB/s}",
		"storage.order=sequential",
		"storage.request_bytes=10000 B",
		"storage.queue_depth=1",
		"pipeline.batch_size=10",
		"accelerator.step_time=10 ms",
		"run={steps: 2000, warmup_steps: 200}",
	};
	size_t i;

	(void)x;
	scenario_init(&scenario);
	for (i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		set(plain[i]);
	return 0;
}

static void explain(const struct attribution_watch *watch)
{
	struct attribution *found = &result.attribution;
	struct attribution_subject subject = { .scenario = &scenario };
	struct tiers_profile tiers;
	struct fault fault = { 0 };

	if (scenario_check(&scenario, NULL, &fault))
		fail_msg("%s", fault.text);
	memset(&result, 0, sizeof(result));
	scenario_pipeline(&scenario, &scenario.echoes[0], NULL,
			  &result.pipeline);
	scenario_tiers(&scenario, &tiers);
	run_tiers(&result.pipeline, &tiers, NULL, &result.figures);
	assert_true(result.figures.complete);
	subject.limit = result.pipeline.limit;
	assert_int_equal(
		attribution_find(found, &subject, &result.figures, watch), 0);
}

static void run(void)
{
	static const struct attribution_watch watch = { 0 };
	const struct attribution *found = &result.attribution;

	explain(&watch);
	assert_true(found->known);
	assert_int_equal(found->cut_steps, 0);
	assert_int_equal(found->fetch_ns + found->prep_ns + found->other_ns,
			 result.figures.idle_ns);
}

static void stalls(double fetch, double prep, double other, double tolerance)
{
	assert_close(metric_get("stalls.fetch", &result).real, fetch,
		     tolerance);
	assert_close(metric_get("stalls.prep", &result).real, prep, tolerance);
	assert_close(metric_get("stalls.other", &result).real, other,
		     tolerance);
}

static void limits(const char *first, double gain, const char *next)
{
	assert_string_equal(metric_get("bottleneck.resource", &result).text,
			    first);
	assert_close(metric_get("bottleneck.gain_per_10pct", &result).real,
		     gain, 0.001);
	if (next)
		assert_string_equal(metric_get("bottleneck.next", &result).text,
				    next);
	else
		assert_false(metric_get("bottleneck.next", &result).known);
}

/* A batch in 20 ms and steps of 10: half the time is idle, and the steps take
 * over at twice the bandwidth. */
static void half_the_speed_of_storage_is_half_a_fetch_stall(void **x)
{
	(void)x;
	set("storage.device.bandwidth=0.5 MB/s");
	run();
	stalls(0.5, 0, 0, 0.001);
	limits("device bandwidth", 0.1, "step time");
	assert_close(result.attribution.headroom, 2, 0.01);
}

static void a_slow_link_is_a_fetch_stall_too(void **x)
{
	(void)x;
	set("storage.device.bandwidth=50 MB/s");
	set("link.bandwidth=0.5 MB/s");
	run();
	stalls(0.5, 0, 0, 0.001);
	limits("link bandwidth", 0.1, "step time");
}

/* What the change of one key brings. */
static void brings(const char *change, double gain)
{
	assert_string_equal(metric_get("bottleneck.change", &result).text,
			    change);
	assert_close(metric_get("bottleneck.gain", &result).real, gain, 0.001);
}

/* Ten examples of 16 ms on eight workers: 20 ms a batch. A ninth is an eighth
 * more; the time a tenth shorter a ninth. */
static void workers_are_whole(void **x)
{
	(void)x;
	set("pipeline.decode={workers: 8, time: 16 ms}");
	set("storage.queue_depth=8");
	run();
	limits("decode workers", 0.1, "step time");
	brings("pipeline.decode.workers=9", 0.125);
}

/* Ten examples of 4 ms on one worker: 40 ms a batch, three quarters idle. */
static void a_slow_decoder_is_a_prep_stall(void **x)
{
	(void)x;
	set("pipeline.decode.time=4 ms");
	set("storage.device.bandwidth=10 MB/s");
	run();
	stalls(0, 0.75, 0, 0.001);
	limits("decode workers", 0.1, "step time");
	assert_close(result.attribution.headroom, 4, 0.02);
}

/* A batch is a block, and decompressed at half the speed of steps. */
static void a_stage_may_be_slow_by_its_rate(void **x)
{
	(void)x;
	set("pipeline.decompress.rate=0.5 MB/s");
	set("storage.queue_depth=8");
	run();
	stalls(0, 0.5, 0, 0.001);
	limits("decompress workers", 0.1, "step time");
}

/* Every second batch is a copy, and making one takes 40 ms: 20 ms a step. */
static void copies_are_made_by_the_workers_before_the_echo(void **x)
{
	(void)x;
	set("echo=[{place: batch, factor: 2, repeat_cost: 40 ms}]");
	run();
	stalls(0, 0.5, 0, 0.002);
	limits("collate workers", 0.1, "echo repeat cost");
}

/* 40 ms of storage hide 20 ms of decoding: three quarters are idle, without
 * storage still half, and none without both. */
static void what_storage_hides_is_a_prep_stall(void **x)
{
	(void)x;
	set("pipeline.decode.time=2 ms");
	set("storage.device.bandwidth=0.25 MB/s");
	run();
	stalls(0.25, 0.5, 0, 0.001);
	limits("device bandwidth", 0.1, "decode workers");
	assert_close(result.attribution.headroom, 2, 0.02);
}

/* The longest of four exponential times takes H_4 = 25/12 of their mean; the
 * idle share of a window of n steps has a standard deviation of about
 * 0.3 / sqrt(n). */
static void a_barrier_alone_idles_as_the_longest_of_four(void **x)
{
	(void)x;
	set("dataset.examples=1000000");
	set("run={steps: 20000, warmup_steps: 100}");
	set("accelerator.count=4");
	set("accelerator.step_time={dist: exponential, mean: 10 ms}");
	run();
	stalls(0, 0, 1 - 12.0 / 25, 0.008);
	assert_int_equal(result.attribution.other_ns, result.figures.idle_ns);
	limits("step time", 0.1, NULL);
}

/* One request at a time, 20 ms each: half the latency or two at a time are the
 * same, and a tenth of it is a tenth more. */
static void latency_at_depth_one_is_as_good_as_depth(void **x)
{
	(void)x;
	set("storage.device.latency=20 ms");
	run();
	stalls(0.5, 0, 0, 0.001);
	limits("latency", 0.1, "queue depth");
	brings("storage.device.latency=18 ms", 1 / 0.9 - 1);
	/* Twice as many, of 18 ms each, would be 9 ms: less than a step. */
	assert_string_equal(result.attribution.next_change.set,
			    "storage.queue_depth=2");
	assert_close(result.attribution.both_gain, 1, 0.001);
}

static void nothing_but_steps_limits_a_busy_accelerator(void **x)
{
	(void)x;
	set("storage.device.bandwidth=2 MB/s");
	set("pipeline.decode.time=0.5 ms");
	run();
	stalls(0, 0, 0, 0.0001);
	/* Storage and decoding take 5 ms each: either limits in the end. */
	limits("step time", 0.1, NULL);
	assert_close(result.attribution.headroom, 2, 0.01);
}

/* A batch is one request, and 50 of them a second are half of what steps use. */
static void operations_limit_where_they_are_rationed(void **x)
{
	(void)x;
	set("storage.device.iops=50");
	set("storage.queue_depth=8");
	run();
	stalls(0.5, 0, 0, 0.001);
	limits("iops", 0.1, "step time");
}

/* ---- a loader of workers ---- */

static void by_workers(const char *loader)
{
	char text[128];

	scenario.given[field_find("storage.queue_depth") - field_table] = false;
	snprintf(text, sizeof(text), "pipeline.loader={kind: workers, %s}",
		 loader);
	set(text);
}

/* Ten examples of 4 ms: 40 ms a batch, 75 batches a second of three workers,
 * and as many as there are steps of a fourth. */
static void workers_of_the_loader_are_named_and_not_those_of_a_stage(void **x)
{
	(void)x;
	by_workers("workers: 3");
	set("pipeline.decode.time=4 ms");
	run();
	stalls(0, 0.25, 0, 0.001);
	limits("loader workers", 0.1, "decode time");
	brings("pipeline.loader.workers=4", 1.0 / 3);
}

/* 10 ms of work and then 10 of step, until a worker does the one during the
 * other. */
static void the_first_worker_ends_waiting_for_ones_own_work(void **x)
{
	(void)x;
	by_workers("workers: 0");
	set("pipeline.decode.time=1 ms");
	run();
	stalls(0, 0.5, 0, 0.001);
	limits("loader workers", 1, "decode time");
	brings("pipeline.loader.workers=1", 1);
}

/* Ten reads of 2 ms, one after the other: 20 ms a batch. */
static void reads_of_a_worker_are_a_fetch_stall(void **x)
{
	(void)x;
	by_workers("workers: 1");
	set("dataset.block_bytes=1000 B");
	set("storage.device.latency=2 ms");
	run();
	stalls(0.5, 0, 0, 0.001);
	limits("latency", 0.1, "worker reads");
}

/* Batches of 30 and of 10 ms in turn, each worker with one out: in order one of
 * each is done in 30 ms; as they finish both workers are always at work. */
static void one_slow_batch_holds_up_those_behind_it(void **x)
{
	static const double times_ns[] = { 30e6, 10e6 };

	(void)x;
	by_workers("workers: 2, prefetch_factor: 1");
	set("pipeline.batch_size=1");
	set("accelerator.step_time=1 us");
	scenario.stages[STAGE_DECODE].time_ns = crew_cycle(times_ns, 2);
	run();
	limits("in-order waiting", 0.5, "loader workers");
	brings("pipeline.loader.in_order=false", 0.5);
}

/* 30 ms of hand-over and 10 of step, of which a tenth less is 37 ms. */
static void handing_over_is_no_stall_of_storage_or_work(void **x)
{
	double gain = 40.0 / 37 - 1;

	(void)x;
	by_workers("workers: 1");
	set("pipeline.loader.handover.time=30 ms");
	run();
	stalls(0, 0, 0.75, 0.001);
	brings("pipeline.loader.handover.time=27 ms", gain);
	limits("hand-over", pow(1 + gain, log(1.1) / log(1 / 0.9)) - 1,
	       "step time");
}

/* An epoch is a hundred steps, a second; and so is starting its workers. */
static void starting_anew_for_every_epoch_is_named(void **x)
{
	(void)x;
	by_workers("workers: 2, start: 500 ms, restart: epoch");
	set("dataset.examples=1000");
	run();
	stalls(0, 0, 0.5, 0.001);
	limits("start-up", 1, "step time");
	brings("pipeline.loader.restart=run", 1);
}

/* 20 ms a batch of the one that pins, whoever collates. */
static void the_one_that_pins_is_named(void **x)
{
	(void)x;
	by_workers("workers: 2");
	set("pipeline.loader.pin.time=20 ms");
	run();
	stalls(0, 0, 0.5, 0.001);
	limits("pinning", 0.1, "step time");
}

/* ---- searches ---- */

/* A steady pipeline has the same limit in a tenth of its steps. */
static void a_cut_search_finds_what_a_whole_one_does(void **x)
{
	const struct attribution_watch watch = { .examples_max = 4000 };

	(void)x;
	set("storage.device.bandwidth=0.5 MB/s");
	explain(&watch);
	assert_true(result.attribution.known);
	assert_int_equal(result.attribution.cut_steps, 401);
	stalls(0.5, 0, 0, 0.001);
	limits("device bandwidth", 0.1, "step time");
}

static bool refuse(void *context, double done)
{
	assert_true(done >= 0 && done <= 1);
	++*(int *)context;
	return false;
}

static void an_interrupted_search_knows_nothing(void **x)
{
	int asked = 0;
	const struct attribution_watch watch = { .go_on = refuse,
						 .context = &asked };

	(void)x;
	set("run.steps=200000");
	set("dataset.examples=2000000");
	set("storage.device.bandwidth=0.5 MB/s");
	explain(&watch);
	assert_false(result.attribution.known);
	assert_int_equal(asked, 1);
	assert_false(metric_get("stalls.fetch", &result).known);
	assert_false(metric_get("bottleneck.resource", &result).known);
}

/* Its simulation idles half the time for storage; what a live run idles
 * beyond that is not storage's, what it idles less never was. */
static void a_live_run_adopts_what_its_twin_knows(void **x)
{
	struct figures live = { .accelerator_ns = 1000, .idle_ns = 700 };

	(void)x;
	set("storage.device.bandwidth=0.5 MB/s");
	run();
	attribution_adopt(&result.attribution, &live);
	assert_int_equal(result.attribution.fetch_ns, 500);
	assert_int_equal(result.attribution.prep_ns, 0);
	assert_int_equal(result.attribution.other_ns, 200);
	live.idle_ns = 300;
	attribution_adopt(&result.attribution, &live);
	assert_int_equal(result.attribution.fetch_ns, 300);
	assert_int_equal(result.attribution.other_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
			half_the_speed_of_storage_is_half_a_fetch_stall, begin),
		cmocka_unit_test_setup(a_slow_link_is_a_fetch_stall_too, begin),
		cmocka_unit_test_setup(workers_are_whole, begin),
		cmocka_unit_test_setup(a_slow_decoder_is_a_prep_stall, begin),
		cmocka_unit_test_setup(a_stage_may_be_slow_by_its_rate, begin),
		cmocka_unit_test_setup(
			copies_are_made_by_the_workers_before_the_echo, begin),
		cmocka_unit_test_setup(what_storage_hides_is_a_prep_stall,
				       begin),
		cmocka_unit_test_setup(
			a_barrier_alone_idles_as_the_longest_of_four, begin),
		cmocka_unit_test_setup(latency_at_depth_one_is_as_good_as_depth,
				       begin),
		cmocka_unit_test_setup(
			nothing_but_steps_limits_a_busy_accelerator, begin),
		cmocka_unit_test_setup(operations_limit_where_they_are_rationed,
				       begin),
		cmocka_unit_test_setup(
			workers_of_the_loader_are_named_and_not_those_of_a_stage,
			begin),
		cmocka_unit_test_setup(
			the_first_worker_ends_waiting_for_ones_own_work, begin),
		cmocka_unit_test_setup(reads_of_a_worker_are_a_fetch_stall,
				       begin),
		cmocka_unit_test_setup(one_slow_batch_holds_up_those_behind_it,
				       begin),
		cmocka_unit_test_setup(
			handing_over_is_no_stall_of_storage_or_work, begin),
		cmocka_unit_test_setup(starting_anew_for_every_epoch_is_named,
				       begin),
		cmocka_unit_test_setup(the_one_that_pins_is_named, begin),
		cmocka_unit_test_setup(a_cut_search_finds_what_a_whole_one_does,
				       begin),
		cmocka_unit_test_setup(an_interrupted_search_knows_nothing,
				       begin),
		cmocka_unit_test_setup(a_live_run_adopts_what_its_twin_knows,
				       begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
