/* SPDX-License-Identifier: MIT */
/* Knees of curves whose knee is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/sweep/knee.h"

#define POINTS 33

static double x[POINTS], y[POINTS];

/* Points from 1 to 256, eight of them over two doublings. */
static struct knee knee_of(double (*rate)(double amount))
{
	int i;

	for (i = 0; i < POINTS; i++) {
		x[i] = pow(2, i / 4.0);
		y[i] = rate(x[i]);
	}
	return knee_find(x, y, POINTS);
}

#define DEMAND 50.0

/* The ideal law: what alone limits, until the demand is met. */
static double ideal(double amount)
{
	return fmin(DEMAND, amount);
}

static double inverse(double amount)
{
	return fmin(DEMAND, 1000 / amount);
}

static double flat(double amount)
{
	return 7 + 0.01 * sin(amount);
}

static double proportional(double amount)
{
	return 3 * amount;
}

/* Amdahl's law: a share of the time is not divided by the amount. */
#define SERIAL 0.2

static double amdahl(double amount)
{
	return 1 / (SERIAL + (1 - SERIAL) / amount);
}

/* Rises to a summit and falls. */
static double summit(double amount)
{
	return amount / (1 + pow(amount / 20, 2));
}

static void the_knee_of_the_ideal_law_is_the_demand(void **state)
{
	struct knee knee = knee_of(ideal);

	(void)state;
	assert_int_equal(knee.verdict, KNEE_FOUND);
	assert_false(knee.less_is_more);
	assert_true(x[knee.index] >= DEMAND);
	assert_true(x[knee.index - 1] < DEMAND);
	assert_true(fabs(knee.estimate / DEMAND - 1) < 1e-9);
}

static void a_time_has_its_knee_before_the_rate_falls(void **state)
{
	struct knee knee = knee_of(inverse);

	(void)state;
	assert_int_equal(knee.verdict, KNEE_FOUND);
	assert_true(knee.less_is_more);
	assert_true(x[knee.index] <= 1000 / DEMAND);
	assert_true(x[knee.index + 1] > 1000 / DEMAND);
	assert_true(fabs(knee.estimate / (1000 / DEMAND) - 1) < 1e-9);
}

static void noise_is_no_gain(void **state)
{
	(void)state;
	assert_int_equal(knee_of(flat).verdict, KNEE_FLAT);
}

/* Close points have little to gain, and noise is as large as ever. */
static void noise_between_close_points_is_no_gain(void **state)
{
	const double amounts[] = { 100, 101, 102, 103, 104 };
	const double rates[] = { 1000, 997, 1002, 999, 1003 };

	(void)state;
	assert_int_equal(knee_find(amounts, rates, 5).verdict, KNEE_FLAT);
}

static void what_never_stops_paying_has_no_knee(void **state)
{
	(void)state;
	assert_int_equal(knee_of(proportional).verdict, KNEE_BEYOND);
}

/* By a doubling it gains 2^e, e = (1-s)/a / (s + (1-s)/a): that is 5 % where
 * a = (1-s) / s (1-e) / e, e = log2 1.05. The points are a quarter of a
 * doubling apart. */
static void at_the_knee_a_doubling_gains_five_per_cent(void **state)
{
	struct knee knee = knee_of(amdahl);
	double e = log2(1.05);
	double amount = (1 - SERIAL) / SERIAL * (1 - e) / e;

	(void)state;
	assert_int_equal(knee.verdict, KNEE_FOUND);
	assert_true(fabs(log2(x[knee.index] / amount)) < 0.25);
}

static void beyond_the_summit_nothing_pays(void **state)
{
	struct knee knee = knee_of(summit);

	(void)state;
	assert_int_equal(knee.verdict, KNEE_FOUND);
	assert_true(x[knee.index] > 12 && x[knee.index] <= 20);
}

static void a_rate_that_is_not_known_has_no_knee(void **state)
{
	const double amounts[] = { 1, 2, 3 };
	const double rates[] = { 1, 0, 2 };

	(void)state;
	assert_int_equal(knee_find(amounts, rates, 3).verdict, KNEE_UNKNOWN);
	assert_int_equal(knee_find(amounts, rates, 1).verdict, KNEE_UNKNOWN);
}

static void an_amount_of_zero_is_a_point_like_others(void **state)
{
	const double amounts[] = { 0, 1, 2, 4 };
	const double rising[] = { 1, 2, 3, 3 };
	const double falling[] = { 3, 3, 2, 1 };

	(void)state;
	assert_int_equal(knee_find(amounts, rising, 4).verdict, KNEE_FOUND);
	assert_int_equal(knee_find(amounts, rising, 4).index, 2);
	assert_int_equal(knee_find(amounts, falling, 4).verdict, KNEE_FOUND);
	assert_int_equal(knee_find(amounts, falling, 4).index, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_knee_of_the_ideal_law_is_the_demand),
		cmocka_unit_test(a_time_has_its_knee_before_the_rate_falls),
		cmocka_unit_test(noise_is_no_gain),
		cmocka_unit_test(noise_between_close_points_is_no_gain),
		cmocka_unit_test(what_never_stops_paying_has_no_knee),
		cmocka_unit_test(at_the_knee_a_doubling_gains_five_per_cent),
		cmocka_unit_test(beyond_the_summit_nothing_pays),
		cmocka_unit_test(a_rate_that_is_not_known_has_no_knee),
		cmocka_unit_test(an_amount_of_zero_is_a_point_like_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
