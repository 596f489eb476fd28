/* SPDX-License-Identifier: MIT */
/*
 * The cheapest combination: where cost is linear, worked out by hand; and a
 * whole grid tried point by point.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>

#include "tests/support/close.h"
#include "tests/support/plans.h"

static const struct plan_answer *together(void)
{
	static struct plan_answer answer;

	assert_int_equal(plan_together(&plans.plan, &answer, &plans.fault), 0);
	assert_true(answer.known);
	return &answer;
}

/* Bandwidth and operations are needed both, nothing stands for the other: the
 * cheapest is the least of each, 900 MB/s at 0.01 and 900 requests of 1 MB a
 * second at 0.02 a month: 9 + 18. */
static void needs_that_do_not_replace_each_other_are_each_the_least(void **x)
{
	const struct plan_answer *answer;

	(void)x;
	plans_begin(PLANS_IDEAL
		    "storage: {request_bytes: 1 MB, device: {"
		    "bandwidth: 1 MB/s, iops: 1, price: {per_mb_s_month: 0.01,"
		    " per_iops_month: 0.02}}}\n",
		    "au>=0.9");
	plans_knob("storage.device.bandwidth=100 MB/s..2 GB/s:5");
	plans_knob("storage.device.iops=100..2000:7");
	answer = together();
	assert_true(answer->reached);
	assert_close(answer->point.values[0], 9e8, 2e6);
	assert_close(answer->point.values[1], 900, 2);
	assert_close(answer->trial.cost_per_hour.real * 730, 27, 0.1);
}

/* A pinned cache of the share x leaves b / (1 - x) >= 0.9 GB/s to the device.
 * Whichever of the two is cheaper for all of it does all that it may: bandwidth
 * at 900 a month against a cache of the whole at 1,000 or at 500. */
static void what_replaces_the_other_is_taken_where_it_is_cheaper(void **x)
{
	static const struct {
		double cache_gib_month; /* of 9.313 GiB in all */
		double share;		/* that is cached */
	} rows[] = {
		{ 107.374, 0.25 },
		{ 53.687, 0.75 },
	};
	const struct plan_answer *answer;
	char text[1000];
	size_t i;

	for (i = 0; i < 2; i++) {
		snprintf(text, sizeof(text),
			 "dataset: {examples: 10000, example_bytes: 1 MB, "
			 "block_bytes: 1 MB, shard_examples: 1}\n"
			 "pipeline: {batch_size: 10}\n"
			 "run: {steps: 4000, warmup_steps: 1000}\n"
			 "accelerator: {step_time: 10 ms}\n"
			 "storage: {request_bytes: 1 MB, order: shuffled-blocks"
			 ", device: {bandwidth: 1 MB/s, price: "
			 "{per_mb_s_month: 1}}}\n"
			 "cache: {policy: pinned, bytes: 1 GB}\n"
			 "prices: {cache_gib_month: %.3f}\n",
			 rows[i].cache_gib_month);
		plans_begin(text, "au>=0.9");
		plans_knob("storage.device.bandwidth=25 MB/s..1000 MB/s:9");
		plans_knob("cache.bytes=2.5 GB..7.5 GB:3");
		answer = together();
		assert_true(answer->reached);
		/* The cache may shrink as far as the bandwidth's step lets. */
		assert_close(answer->point.values[1] / 10e9, rows[i].share,
			     0.06);
		assert_close(answer->point.values[0],
			     9e8 * (1 - answer->point.values[1] / 10e9), 3e7);
		plans_finish(x);
	}
}

/* Every point of a grid of two axes, one by one. */
static double cheapest_of_all(void)
{
	struct plan_point point = plan_as_is();
	uint32_t size = plans.knobs[0].count * plans.knobs[1].count;
	double best = INFINITY;
	struct plan_trial trial;
	uint32_t at;

	for (at = 0; at < size; at++) {
		point.values[0] = plan_knob_at(&plans.knobs[0],
					       at % plans.knobs[0].count);
		point.values[1] = plan_knob_at(&plans.knobs[1],
					       at / plans.knobs[0].count);
		assert_int_equal(plan_try(&plans.plan, &point, false, &trial,
					  &plans.fault),
				 0);
		if (trial.met && trial.cost_per_hour.real < best)
			best = trial.cost_per_hour.real;
	}
	return best;
}

/* Bandwidth against cache at several ratios of their prices; so many points
 * that lowering within a step gains little. */
static void no_point_of_the_grid_is_cheaper(void **state)
{
	static const double cache_gib_month[] = { 20, 107, 300 };
	const struct plan_answer *answer;
	char text[1000];
	double best;
	size_t i;

	for (i = 0; i < 3; i++) {
		snprintf(text, sizeof(text),
			 "dataset: {examples: 2000, example_bytes: 1 MB, "
			 "block_bytes: 1 MB, shard_examples: 1}\n"
			 "pipeline: {batch_size: 10}\n"
			 "run: {steps: 800, warmup_steps: 200}\n"
			 "accelerator: {step_time: 10 ms}\n"
			 "storage: {request_bytes: 1 MB, order: shuffled-blocks"
			 ", device: {bandwidth: 1 MB/s, price: "
			 "{per_mb_s_month: 0.2}}}\n"
			 "cache: {policy: pinned, bytes: 1 GB}\n"
			 "prices: {cache_gib_month: %.3f}\n",
			 cache_gib_month[i]);
		plans_begin(text, "au>=0.8");
		plans_knob("storage.device.bandwidth=50 MB/s..1000 MB/s:20");
		plans_knob("cache.bytes=100 MB..1900 MB:13");
		best = cheapest_of_all();
		assert_true(best < INFINITY);
		answer = together();
		assert_true(answer->reached);
		assert_true(answer->trial.met);
		assert_true(answer->trial.cost_per_hour.real <=
			    best * (1 + 1e-12));
		assert_true(answer->trial.cost_per_hour.real > best * 0.7);
		plans_finish(state);
	}
}

static void a_combination_that_cannot_be_says_what_forbids_it(void **state)
{
	const struct plan_answer *answer;

	(void)state;
	plans_begin(PLANS_IDEAL
		    "storage: {device: {bandwidth: 1 MB/s, iops: 1, price: "
		    "{per_iops_month: 1}}}\n",
		    "au>=0.9");
	plans_knob("storage.device.bandwidth=100 MB/s..800 MB/s:3");
	plans_knob("storage.device.iops=1000..9000:3");
	answer = together();
	assert_false(answer->reached);
	assert_string_equal(answer->trial.binding, "device bandwidth");
}

static void a_grid_too_large_is_refused(void **state)
{
	struct plan_answer answer;

	(void)state;
	plans_begin(PLANS_IDEAL "storage: {device: {bandwidth: 1 MB/s, price: "
				"{per_mb_s_month: 1}}}\n",
		    "au>=0.9");
	plans_knob("storage.device.bandwidth=100 MB/s..800 MB/s:4000");
	plans_knob("storage.queue_depth=1..16000:4000");
	assert_int_equal(plan_together(&plans.plan, &answer, &plans.fault),
			 -EINVAL);
	assert_non_null(strstr(plans.fault.text, "more than 65536 points"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, plans_finish)
	const struct CMUnitTest tests[] = {
		TEST(needs_that_do_not_replace_each_other_are_each_the_least),
		TEST(what_replaces_the_other_is_taken_where_it_is_cheaper),
		TEST(no_point_of_the_grid_is_cheaper),
		TEST(a_combination_that_cannot_be_says_what_forbids_it),
		TEST(a_grid_too_large_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
