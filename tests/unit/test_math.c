/* SPDX-License-Identifier: MIT */
/*
 * Functions of a real number, against the C library's. The normal quantile is
 * held against erfc(), whose inverse it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "sim/math.h"
#include "sim/random.h"
#include "tests/support/close.h"

#define SEED 20031
#define POINTS 200000

static double unit(uint64_t index)
{
	return random_unit(random_bits((struct random_stream){ SEED }, index));
}

static void a_logarithm_is_that_of_the_c_library(void **state)
{
	(void)state;
	print_message("seed %d\n", SEED);
	for (uint64_t i = 0; i < POINTS; i++) {
		/* All the magnitudes there are, evenly. */
		double x = exp2(2044 * unit(i) - 1022);
		double expected = log(x);

		assert_close(math_log(x), expected,
			     3e-13 * fmax(1, fabs(expected)));
	}
}

static void a_logarithm_near_one_is_near_zero(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < POINTS; i++) {
		double x = 0.5 + unit(i);

		assert_close(math_log(x), log(x), 3e-13);
	}
}

static void a_power_of_e_is_that_of_the_c_library(void **state)
{
	(void)state;
	assert_true(math_exp(0) == 1);
	for (uint64_t i = 0; i < POINTS; i++) {
		double x = 1416 * unit(i) - 708;
		double expected = exp(x);

		assert_close(math_exp(x), expected, 1e-10 * expected);
	}
}

static void a_power_of_e_beyond_the_range_is_nothing_or_infinite(void **state)
{
	(void)state;
	assert_true(math_exp(-708.5) == 0);
	assert_true(math_exp(-1e300) == 0);
	assert_true(isinf(math_exp(709.5)));
	assert_true(isinf(math_exp(1e300)));
}

static void the_tables_are_what_they_say(void **state)
{
	(void)state;
	for (int i = 0; i < 1 << MATH_EXP_BITS; i++)
		assert_close(math_exp_table[i], exp2(i / 64.0), 3e-16);
	for (int i = 0; i < 1 << MATH_LOG_BITS; i++) {
		/* [0.6875, 1) in intervals of 1/256, [1, 1.375) of 1/128. */
		double middle = i < 80 ? 0.6875 + (i + 0.5) / 256 :
					 1 + (i - 80 + 0.5) / 128;
		double reciprocal = math_log_table[i].reciprocal;

		assert_close(reciprocal, 1 / middle, 3e-16);
		assert_close(math_log_table[i].log, -log(reciprocal), 1e-16);
	}
}

/* Probability that a standard normal value falls below x, exact in the lower
 * tail. */
static double normal_below(double x)
{
	return erfc(-x / sqrt(2)) / 2;
}

/* The quantile's error, from how far off its probability is. */
static double quantile_error(double p)
{
	double x = math_normal_quantile(p);
	double density = exp(-x * x / 2) / sqrt(2 * M_PI);

	return (normal_below(x) - p) / density;
}

static void a_normal_quantile_is_the_inverse_of_erfc(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < POINTS; i++) {
		double p = unit(i) / 2;
		double size = fabs(math_normal_quantile(p));

		assert_true(fabs(quantile_error(p)) <= 1.2e-9 * size + 1e-15);
	}
}

static void a_normal_quantile_holds_far_out(void **state)
{
	(void)state;
	/* As small as a draw's probability gets: half of 2^-52. */
	for (double p = 0x1p-53; p < 0.1; p *= 1.01) {
		double size = fabs(math_normal_quantile(p));

		assert_true(fabs(quantile_error(p)) <= 2e-9 * size);
	}
}

static void a_normal_quantile_is_symmetric(void **state)
{
	(void)state;
	assert_true(math_normal_quantile(0.5) == 0);
	for (int i = 1; i < 1024; i++) {
		double p = i / 2048.0; /* 1 - p is exact */

		assert_close(math_normal_quantile(1 - p),
			     -math_normal_quantile(p), 1e-15);
	}
}

/* Quantiles from any statistics book. */
static void well_known_quantiles_are_found(void **state)
{
	(void)state;
	assert_close(math_normal_quantile(0.9), 1.281551566, 5e-9);
	assert_close(math_normal_quantile(0.975), 1.959963985, 5e-9);
	assert_close(math_normal_quantile(0.99), 2.326347874, 5e-9);
	assert_close(math_normal_quantile(0.999), 3.090232306, 5e-9);
}

static void a_square_root_is_correctly_rounded(void **state)
{
	(void)state;
	assert_true(math_sqrt(0) == 0);
	for (uint64_t i = 0; i < POINTS; i++) {
		double x = exp2(200 * unit(i) - 100);

		assert_true(math_sqrt(x) == sqrt(x));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_logarithm_is_that_of_the_c_library),
		cmocka_unit_test(a_logarithm_near_one_is_near_zero),
		cmocka_unit_test(a_power_of_e_is_that_of_the_c_library),
		cmocka_unit_test(
			a_power_of_e_beyond_the_range_is_nothing_or_infinite),
		cmocka_unit_test(the_tables_are_what_they_say),
		cmocka_unit_test(a_normal_quantile_is_the_inverse_of_erfc),
		cmocka_unit_test(a_normal_quantile_holds_far_out),
		cmocka_unit_test(a_normal_quantile_is_symmetric),
		cmocka_unit_test(well_known_quantiles_are_found),
		cmocka_unit_test(a_square_root_is_correctly_rounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
