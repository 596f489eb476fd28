/* SPDX-License-Identifier: MIT */
/*
 * The search is fed with rates whose summit is known: those of the ideal law,
 * where the time for a fresh example is max(1, e/R) and its worth G(e).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/law/best.h"

#define SECOND INT64_C(1000000000)

static struct result result;

/* A run that idles for 1 - au and is worth `rate` fresh examples a second. */
static const struct result *of_rate(double rate, double au)
{
	memset(&result, 0, sizeof(result));
	result.figures.accelerator_ns = SECOND;
	result.figures.busy_ns = (uint64_t)(au * (double)SECOND);
	result.figures.elapsed_ns = SECOND;
	result.figures.fresh_examples = 1000;
	result.law.gain = rate / 1000;
	return &result;
}

typedef double gain_function(double factor);

static double search(double ratio, double high, gain_function *gain)
{
	struct best_search search;
	double factor;
	int trials = 0;

	best_begin(&search, of_rate(1000, fmin(1, 1 / ratio)), high);
	while (best_next(&search, &factor)) {
		assert_true(factor > 1 && factor <= high);
		assert_true(++trials <= BEST_TRIALS_MAX);
		best_tell(&search, factor,
			  of_rate(1000 * gain(factor) *
					  fmin(1, ratio / factor) /
					  fmin(1, ratio),
				  fmin(1, factor / ratio)));
	}
	return best_factor(&search);
}

static double as_good_as_fresh(double factor)
{
	return factor;
}

static double worth_nothing(double factor)
{
	(void)factor;
	return 1;
}

/* G = e / (1 + (e-1)^2 / 20): with all the time in the world the best factor
 * is sqrt(21). */
static double falls_in_the_end(double factor)
{
	return factor / (1 + (factor - 1) * (factor - 1) / 20);
}

static double half_as_good(double factor)
{
	return 1 + (factor - 1) / 2;
}

static void a_repeat_as_good_as_fresh_is_used_until_nothing_idles(void **state)
{
	(void)state;
	assert_true(fabs(search(2.5, 16, as_good_as_fresh) - 2.5) < 0.03);
	assert_true(fabs(search(1.28, 2, as_good_as_fresh) - 1.28) < 0.02);
}

static void half_as_good_it_is_used_until_nothing_idles_too(void **state)
{
	(void)state;
	assert_true(fabs(search(3, 8, half_as_good) - 3) < 0.04);
}

static void a_summit_before_that_is_found(void **state)
{
	(void)state;
	assert_true(fabs(search(12, 16, falls_in_the_end) - sqrt(21)) < 0.35);
}

static void the_law_s_end_is_the_end(void **state)
{
	(void)state;
	assert_true(search(6, 2, as_good_as_fresh) == 2);
}

static void a_worthless_repeat_is_not_made(void **state)
{
	(void)state;
	assert_true(search(4, 8, worth_nothing) == 1);
}

static void where_nothing_idles_no_echo_is_best(void **state)
{
	(void)state;
	assert_true(search(0.5, 8, half_as_good) == 1);
}

static void the_search_ends_where_the_law_does(void **state)
{
	const struct law *lm1b = law_find("choi2019-transformer-lm1b");
	const struct law *cloud = law_find("choi2019-resnet50-imagenet-cloud");

	(void)state;
	assert_true(best_high(lm1b, ECHO_EXAMPLE_BEFORE_AUGMENT) == 16);
	assert_true(best_high(lm1b, ECHO_BATCH) == 2);
	assert_true(best_high(cloud, ECHO_EXAMPLE_BEFORE_AUGMENT) == 5);
	/* No point at this place, only the model. */
	assert_true(best_high(cloud, ECHO_BATCH) == 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_repeat_as_good_as_fresh_is_used_until_nothing_idles),
		cmocka_unit_test(
			half_as_good_it_is_used_until_nothing_idles_too),
		cmocka_unit_test(a_summit_before_that_is_found),
		cmocka_unit_test(the_law_s_end_is_the_end),
		cmocka_unit_test(a_worthless_repeat_is_not_made),
		cmocka_unit_test(where_nothing_idles_no_echo_is_best),
		cmocka_unit_test(the_search_ends_where_the_law_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
