/* SPDX-License-Identifier: MIT */
/*
 * Why accelerators idle and what limits them, where it can be worked out by
 * hand: one limit alone, or a barrier whose idle time is known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/stall/attribution.h"
#include "analysis/metric.h"
#include "tests/support/close.h"
#include "tests/support/runs.h"

#define STEP_S 0.010
#define BATCH_BYTES 10000 /* ten examples of a thousand */

static struct result result;

/* Steps of 10 ms over free storage and stages. */
static struct setting plain_setting(void)
{
	struct setting setting = { .pipeline = plain_pipeline(100000, 1000) };

	setting.pipeline.accelerators.step_ns = seconds(STEP_S);
	setting.pipeline.limit =
		(struct run_limit){ .steps = 2000, .warmup_steps = 200 };
	return setting;
}

static void explain(struct setting *setting,
		    const struct attribution_watch *watch)
{
	struct attribution *found = &result.attribution;

	setting->pipeline.read_ahead_examples =
		pipeline_read_ahead_default(&setting->pipeline);
	memset(&result, 0, sizeof(result));
	result.pipeline = setting->pipeline;
	run_tiers(&setting->pipeline, &setting->tiers, NULL, &result.figures);
	assert_true(result.figures.complete);
	assert_int_equal(
		attribution_find(found, setting, &result.figures, watch), 0);
}

static void run(struct setting *setting)
{
	static const struct attribution_watch watch = { 0 };
	const struct attribution *found = &result.attribution;

	explain(setting, &watch);
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
	struct setting setting = plain_setting();

	(void)x;
	setting.tiers.device = plain_device(BATCH_BYTES * 50);
	run(&setting);
	stalls(0.5, 0, 0, 0.001);
	limits("device bandwidth", 0.1, "step time");
	assert_close(result.attribution.headroom, 2, 0.01);
}

static void a_slow_link_is_a_fetch_stall_too(void **x)
{
	struct setting setting = plain_setting();

	(void)x;
	setting.tiers.device = plain_device(BATCH_BYTES * 5000);
	setting.tiers.link.bandwidth_bytes_per_s = BATCH_BYTES * 50;
	run(&setting);
	stalls(0.5, 0, 0, 0.001);
	limits("link bandwidth", 0.1, "step time");
}

/* Ten examples of 4 ms on one worker: 40 ms a batch, three quarters idle. */
static void a_slow_decoder_is_a_prep_stall(void **x)
{
	struct setting setting = plain_setting();

	(void)x;
	setting.pipeline.stages[STAGE_DECODE].time_ns = seconds(0.004);
	setting.tiers.device = plain_device(BATCH_BYTES * 1000);
	run(&setting);
	stalls(0, 0.75, 0, 0.001);
	limits("decode workers", 0.1, "step time");
	assert_close(result.attribution.headroom, 4, 0.02);
}

/* A batch is a block, and decompressed at half the speed of steps. */
static void a_stage_may_be_slow_by_its_rate(void **x)
{
	struct setting setting = plain_setting();

	(void)x;
	setting.pipeline.stages[STAGE_DECOMPRESS].rate_bytes_per_s =
		BATCH_BYTES * 50;
	run(&setting);
	stalls(0, 0.5, 0, 0.001);
	limits("decompress workers", 0.1, "step time");
}

/* Every second batch is a copy, and making one takes 40 ms: 20 ms a step. */
static void copies_are_made_by_the_workers_before_the_echo(void **x)
{
	struct setting setting = plain_setting();

	(void)x;
	setting.pipeline.echo = (struct echo){
		.place = ECHO_BATCH,
		.factor = 2,
		.max_factor = 1,
		.repeat_cost_ns = (int64_t)(4 * STEP_S * NS_PER_S),
		.shuffle_batches = 1,
	};
	run(&setting);
	stalls(0, 0.5, 0, 0.002);
	limits("collate workers", 0.1, "step time");
}

/* 40 ms of storage hide 20 ms of decoding: three quarters are idle, without
 * storage still half, and none without both. */
static void what_storage_hides_is_a_prep_stall(void **x)
{
	struct setting setting = plain_setting();

	(void)x;
	setting.pipeline.stages[STAGE_DECODE].time_ns = seconds(0.002);
	setting.tiers.device = plain_device(BATCH_BYTES * 25);
	run(&setting);
	stalls(0.25, 0.5, 0, 0.001);
	limits("device bandwidth", 0.1, "decode workers");
	assert_close(result.attribution.headroom, 2, 0.02);
}

/* The longest of four exponential times takes H_4 = 25/12 of their mean; the
 * idle share of a window of n steps has a standard deviation of about
 * 0.3 / sqrt(n). */
static void a_barrier_alone_idles_as_the_longest_of_four(void **x)
{
	struct setting setting = plain_setting();
	struct accelerators *accelerators = &setting.pipeline.accelerators;

	(void)x;
	setting.pipeline.limit =
		(struct run_limit){ .steps = 20000, .warmup_steps = 100 };
	accelerators->count = 4;
	accelerators->step_ns = (struct distribution){
		.kind = DISTRIBUTION_EXPONENTIAL,
		.mean = STEP_S * NS_PER_S,
	};
	run(&setting);
	stalls(0, 0, 1 - 12.0 / 25, 0.008);
	assert_int_equal(result.attribution.other_ns, result.figures.idle_ns);
	limits("step time", 0.1, NULL);
}

/* One request at a time, 20 ms each: half the latency or two at a time are the
 * same, and a tenth of it is a tenth more. */
static void latency_at_depth_one_is_as_good_as_depth(void **x)
{
	struct setting setting = plain_setting();

	(void)x;
	setting.tiers.device.latency_ns = seconds(0.020);
	run(&setting);
	stalls(0.5, 0, 0, 0.001);
	limits("latency", 0.1, "queue depth");
}

static void nothing_but_steps_limits_a_busy_accelerator(void **x)
{
	struct setting setting = plain_setting();

	(void)x;
	setting.tiers.device = plain_device(BATCH_BYTES * 200);
	setting.pipeline.stages[STAGE_DECODE].time_ns = seconds(0.0005);
	run(&setting);
	stalls(0, 0, 0, 0.0001);
	/* Storage and decoding take 5 ms each: either limits in the end. */
	limits("step time", 0.1, NULL);
	assert_close(result.attribution.headroom, 2, 0.01);
}

/* A batch is one request, and 50 of them a second are half of what steps use. */
static void operations_limit_where_they_are_rationed(void **x)
{
	struct setting setting = plain_setting();

	(void)x;
	setting.tiers.device.iops = 50;
	setting.pipeline.stages[STAGE_READ].workers = 8;
	run(&setting);
	stalls(0.5, 0, 0, 0.001);
	limits("iops", 0.1, "step time");
}

/* A steady pipeline has the same limit in a tenth of its steps. */
static void a_cut_search_finds_what_a_whole_one_does(void **x)
{
	const struct attribution_watch watch = { .examples_max = 4000 };
	struct setting setting = plain_setting();

	(void)x;
	setting.tiers.device = plain_device(BATCH_BYTES * 50);
	explain(&setting, &watch);
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
	struct setting setting = plain_setting();

	(void)x;
	setting.pipeline.limit.steps = 200000;
	setting.pipeline.layout = plain_pipeline(2000000, 1000).layout;
	setting.tiers.device = plain_device(BATCH_BYTES * 50);
	explain(&setting, &watch);
	assert_false(result.attribution.known);
	assert_int_equal(asked, 1);
	assert_false(metric_get("stalls.fetch", &result).known);
	assert_false(metric_get("bottleneck.resource", &result).known);
}

/* Its simulation idles half the time for storage; what a live run idles
 * beyond that is not storage's, what it idles less never was. */
static void a_live_run_adopts_what_its_twin_knows(void **x)
{
	struct setting setting = plain_setting();
	struct figures live = { .accelerator_ns = 1000, .idle_ns = 700 };

	(void)x;
	setting.tiers.device = plain_device(BATCH_BYTES * 50);
	run(&setting);
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
		cmocka_unit_test(
			half_the_speed_of_storage_is_half_a_fetch_stall),
		cmocka_unit_test(a_slow_link_is_a_fetch_stall_too),
		cmocka_unit_test(a_slow_decoder_is_a_prep_stall),
		cmocka_unit_test(a_stage_may_be_slow_by_its_rate),
		cmocka_unit_test(
			copies_are_made_by_the_workers_before_the_echo),
		cmocka_unit_test(what_storage_hides_is_a_prep_stall),
		cmocka_unit_test(a_barrier_alone_idles_as_the_longest_of_four),
		cmocka_unit_test(latency_at_depth_one_is_as_good_as_depth),
		cmocka_unit_test(nothing_but_steps_limits_a_busy_accelerator),
		cmocka_unit_test(operations_limit_where_they_are_rationed),
		cmocka_unit_test(a_cut_search_finds_what_a_whole_one_does),
		cmocka_unit_test(an_interrupted_search_knows_nothing),
		cmocka_unit_test(a_live_run_adopts_what_its_twin_knows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
