/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/metric.h"
#include "analysis/law/rank.h"

#define SECOND INT64_C(1000000000)

/* A second of this many fresh examples, each worth `gain`. */
static struct result of(enum echo_place place, bool live, uint64_t fresh,
			double gain)
{
	struct result result;

	memset(&result, 0, sizeof(result));
	result.echo.place = place;
	result.live = live;
	result.figures.elapsed_ns = SECOND;
	result.figures.fresh_examples = fresh;
	result.law.gain = gain;
	result.law.fresh = 1e6 / gain;
	return result;
}

static void no_echo_comes_first_then_the_least_time_to_target(void **state)
{
	struct result slow = of(ECHO_BATCH, false, 100, 1.1);
	struct result unknown = of(ECHO_EXAMPLE_BEFORE_DECODE, false, 100, 0);
	struct result fast = of(ECHO_EXAMPLE_BEFORE_AUGMENT, false, 90, 2);
	struct result none = of(ECHO_NONE, false, 100, 1);
	struct result *runs[] = { &slow, &unknown, &fast, &none };

	(void)state;
	rank_runs(runs, 4, 1);
	assert_ptr_equal(runs[0], &none);
	assert_ptr_equal(runs[1], &fast);
	assert_ptr_equal(runs[2], &slow);
	assert_ptr_equal(runs[3], &unknown);
	assert_true(none.speedup == 1);
	assert_true(fabs(fast.speedup - 1.8) < 1e-9);
	assert_true(fabs(slow.speedup - 1.1) < 1e-9);
	assert_true(unknown.speedup == 0);
	assert_ptr_equal(rank_best((const struct result *const *)runs, 4),
			 &fast);
	/* Time to target says the same. */
	assert_true(fabs(metric_get("time_to_target_s", &none).real /
				 metric_get("time_to_target_s", &fast).real -
			 1.8) < 1e-9);
}

static void the_runs_of_one_strategy_stay_together(void **state)
{
	struct result runs_of[] = { of(ECHO_BATCH, false, 100, 1.1),
				    of(ECHO_BATCH, true, 80, 1.1),
				    of(ECHO_NONE, false, 100, 1),
				    of(ECHO_NONE, true, 50, 1) };
	struct result *runs[] = { &runs_of[0], &runs_of[1], &runs_of[2],
				  &runs_of[3] };

	(void)state;
	rank_runs(runs, 4, 2);
	assert_ptr_equal(runs[0], &runs_of[2]);
	assert_ptr_equal(runs[1], &runs_of[3]);
	/* Each against no echo in its own mode. */
	assert_true(fabs(runs_of[0].speedup - 1.1) < 1e-9);
	assert_true(fabs(runs_of[1].speedup - 1.76) < 1e-9);
}

static void without_a_law_the_order_stays_and_nothing_is_best(void **state)
{
	struct result batch = of(ECHO_BATCH, false, 100, 0);
	struct result none = of(ECHO_NONE, false, 100, 0);
	struct result *runs[] = { &batch, &none };

	(void)state;
	rank_runs(runs, 2, 1);
	assert_ptr_equal(runs[0], &batch);
	assert_true(none.speedup == 0);
	assert_null(rank_best((const struct result *const *)runs, 2));
}

static void the_first_variant_without_echo_is_the_reference(void **state)
{
	struct result runs_of[] = { of(ECHO_BATCH, false, 150, 1.2),
				    of(ECHO_NONE, false, 200, 1),
				    of(ECHO_BATCH, false, 300, 1.2),
				    of(ECHO_NONE, false, 500, 1) };
	struct result *runs[] = { &runs_of[0], &runs_of[1], &runs_of[2],
				  &runs_of[3] };

	(void)state;
	runs_of[0].variant = runs_of[1].variant = "slow";
	runs_of[2].variant = runs_of[3].variant = "fast";
	rank_runs(runs, 4, 1);
	assert_ptr_equal(runs[0], &runs_of[1]);
	assert_ptr_equal(runs[1], &runs_of[3]);
	assert_ptr_equal(runs[2], &runs_of[2]);
	assert_ptr_equal(runs[3], &runs_of[0]);
	assert_true(runs_of[1].speedup == 1);
	assert_true(fabs(runs_of[3].speedup - 2.5) < 1e-9);
	assert_true(fabs(runs_of[2].speedup - 1.8) < 1e-9);
	assert_true(fabs(runs_of[0].speedup - 0.9) < 1e-9);
}

/* A fresh example is worth the same in both, but for its update's size. */
static void
without_a_law_variants_have_a_speed_up_when_none_echoes(void **state)
{
	struct result runs_of[] = { of(ECHO_NONE, false, 200, 0),
				    of(ECHO_NONE, false, 500, 0),
				    of(ECHO_BATCH, false, 500, 0),
				    of(ECHO_NONE, false, 500, 0) };
	struct result *runs[] = { &runs_of[0], &runs_of[1], &runs_of[2],
				  &runs_of[3] };

	(void)state;
	runs_of[0].variant = "slow";
	runs_of[1].variant = runs_of[2].variant = "fast";
	runs_of[3].variant = "large";
	for (int i = 0; i < 4; i++)
		runs_of[i].pipeline.accelerators.count =
			runs_of[i].pipeline.accelerators.hosts = 1;
	runs_of[3].pipeline.batch_size = 7;
	rank_runs(runs, 4, 1);
	assert_true(runs_of[0].speedup == 1);
	assert_true(fabs(runs_of[1].speedup - 2.5) < 1e-9);
	assert_true(runs_of[2].speedup == 0);
	assert_true(runs_of[3].speedup == 0);
}

static void strategies_tie_when_their_spreads_meet(void **state)
{
	struct result one = of(ECHO_BATCH, false, 100, 1.2);
	struct result other = of(ECHO_NONE, false, 100, 1);

	(void)state;
	/* No spread, no verdict. */
	assert_false(rank_ties(&one, &other));
	one.law.fresh_min = 8e5;
	one.law.fresh_max = 9e5;
	other.law.fresh_min = 9.5e5;
	other.law.fresh_max = 10.5e5;
	assert_false(rank_ties(&one, &other));
	assert_false(rank_ties(&other, &one));
	one.law.fresh_max = 9.6e5;
	assert_true(rank_ties(&one, &other));
	assert_true(rank_ties(&other, &one));
}

/* The law hears what was counted: the batch of an update is that of all
 * accelerators in step, and a repeat in the very next step has no lag. */
static void the_law_is_asked_about_what_happened(void **state)
{
	struct result result = of(ECHO_BATCH, false, 1000, 0);
	struct law_query query;

	(void)state;
	result.echo.shuffle_batches = 4;
	result.pipeline.batch_size = 32;
	result.pipeline.shuffle_examples = 777;
	result.pipeline.accelerators.count = 4;
	result.pipeline.accelerators.hosts = 2;
	result.figures.consumed_examples = 2500;
	result.figures.lag_uses = 1400;
	result.figures.duplicates = 100;
	result.figures.lag_steps = 1400 * 4;
	query = rank_query(&result);
	assert_int_equal(query.batch, 256);
	assert_true(query.factor == 2.5);
	assert_int_equal(query.shuffle_examples, 777);
	assert_int_equal(query.shuffle_batches, 4);
	assert_true(query.lag_steps == 1400 * 3 / 1500.0);
	result.pipeline.accelerators.sync = SYNC_NONE;
	assert_int_equal(rank_query(&result).batch, 32);
	result.figures.lag_steps = 1400;
	assert_true(rank_query(&result).lag_steps == 0);
}

static void efficiency_is_what_an_average_use_is_worth(void **state)
{
	struct result result = of(ECHO_BATCH, false, 1000, 1.5);

	(void)state;
	result.figures.consumed_examples = 2000;
	result.figures.busy_ns = 8;
	result.figures.accelerator_ns = 10;
	assert_true(metric_get("efficiency", &result).real == 0.75);
	assert_true(fabs(metric_get("useful_au", &result).real - 0.6) < 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_first_variant_without_echo_is_the_reference),
		cmocka_unit_test(
			without_a_law_variants_have_a_speed_up_when_none_echoes),
		cmocka_unit_test(
			no_echo_comes_first_then_the_least_time_to_target),
		cmocka_unit_test(the_runs_of_one_strategy_stay_together),
		cmocka_unit_test(
			without_a_law_the_order_stays_and_nothing_is_best),
		cmocka_unit_test(strategies_tie_when_their_spreads_meet),
		cmocka_unit_test(the_law_is_asked_about_what_happened),
		cmocka_unit_test(efficiency_is_what_an_average_use_is_worth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
