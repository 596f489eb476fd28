/* SPDX-License-Identifier: MIT */
/*
 * Draws against the distributions they are said to come from: closed forms of
 * the C library, by the test of Kolmogorov and Smirnov.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "sim/distribution.h"
#include "sim/random.h"
#include "tests/support/close.h"

#define SEED 7
#define DRAWS 200000

/* A distance that one seed in a million reaches. */
#define KS_MAX (2.69 / 447.2) /* sqrt(DRAWS) */

static const struct random_stream stream = { SEED };

static struct distribution prepared(struct distribution distribution)
{
	distribution_prepare(&distribution);
	return distribution;
}

static int64_t at(const struct distribution *distribution, double u)
{
	return distribution_draw(distribution, (uint64_t)(u * 0x1p64));
}

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The greatest distance of DRAWS draws from a cumulative distribution. */
static double distance(const struct distribution *distribution,
		       double (*below)(const struct distribution *, double))
{
	static int64_t draws[DRAWS];
	double greatest = 0;

	for (uint64_t i = 0; i < DRAWS; i++)
		draws[i] =
			distribution_draw(distribution, random_bits(stream, i));
	qsort(draws, DRAWS, sizeof(draws[0]), ascending);
	for (int i = 0; i < DRAWS; i++) {
		double expected = below(distribution, (double)draws[i]);

		greatest = fmax(greatest, fabs((i + 0.5) / DRAWS - expected));
	}
	return greatest;
}

static double uniform_below(const struct distribution *it, double x)
{
	return (x - it->low) / (it->high - it->low);
}

static double exponential_below(const struct distribution *it, double x)
{
	return -expm1(-x / it->mean);
}

static double normal_below(const struct distribution *it, double x)
{
	return erfc((it->mean - x) / it->stdev / sqrt(2)) / 2;
}

/* From the mean and deviation of the value to those of its logarithm. */
static double lognormal_below(const struct distribution *it, double x)
{
	double ratio = it->stdev / it->mean;
	double variance = log1p(ratio * ratio);
	double middle = log(it->mean) - variance / 2;

	return erfc((middle - log(x)) / sqrt(2 * variance)) / 2;
}

static void uniform_draws_are_uniform(void **state)
{
	struct distribution it = { .kind = DISTRIBUTION_UNIFORM,
				   .low = 1e6,
				   .high = 3e6 };

	(void)state;
	print_message("seed %d\n", SEED);
	assert_true(distance(&it, uniform_below) < KS_MAX);
	assert_int_equal(at(&it, 0), 1000000);
	assert_int_equal(at(&it, 0.25), 1500000);
	assert_int_equal(distribution_draw(&it, UINT64_MAX), 3000000);
	assert_close(distribution_mean(&it), 2e6, 1e-6);
}

static void exponential_draws_are_exponential(void **state)
{
	struct distribution it = { .kind = DISTRIBUTION_EXPONENTIAL,
				   .mean = 1e9 };

	(void)state;
	assert_true(distance(&it, exponential_below) < KS_MAX);
	/* The median is ln 2 means. */
	assert_close((double)at(&it, 0.5), 693147180.56, 1);
	assert_close(distribution_mean(&it), 1e9, 1e-6);
}

static void normal_draws_are_normal(void **state)
{
	struct distribution it = prepared((struct distribution){
		.kind = DISTRIBUTION_NORMAL, .mean = 1e9, .stdev = 1e8 });

	(void)state;
	assert_true(distance(&it, normal_below) < KS_MAX);
	assert_close((double)at(&it, 0.5), 1e9, 1);
	assert_close((double)at(&it, 0.975), 1e9 + 1.959963985e8, 2);
}

static void a_normal_draw_below_zero_is_zero(void **state)
{
	struct distribution it = prepared((struct distribution){
		.kind = DISTRIBUTION_NORMAL, .mean = 1000, .stdev = 1000 });
	uint32_t zeros = 0;

	(void)state;
	for (uint64_t i = 0; i < DRAWS; i++) {
		int64_t draw = distribution_draw(&it, random_bits(stream, i));

		assert_true(draw >= 0);
		zeros += draw == 0;
	}
	/* A standard normal value is below -1 with probability 0.15866. */
	assert_close((double)zeros / DRAWS, 0.15866, 0.005);
}

static void lognormal_draws_are_lognormal(void **state)
{
	struct distribution it = prepared((struct distribution){
		.kind = DISTRIBUTION_LOGNORMAL, .mean = 3e6, .stdev = 1e6 });

	(void)state;
	assert_true(distance(&it, lognormal_below) < KS_MAX);
	assert_close(distribution_mean(&it), 3e6, 1e-6);
}

/* Its parameters are those of the value, not of its logarithm. */
static void lognormal_draws_have_the_mean_and_deviation_asked_for(void **state)
{
	struct distribution it =
		prepared((struct distribution){ .kind = DISTRIBUTION_LOGNORMAL,
						.mean = 112 * 1024,
						.stdev = 70 * 1024 });
	double sum = 0;
	double squares = 0;
	double mean;

	(void)state;
	for (uint64_t i = 0; i < DRAWS; i++) {
		double draw =
			(double)distribution_draw(&it, random_bits(stream, i));

		sum += draw;
		squares += draw * draw;
	}
	mean = sum / DRAWS;
	assert_close(mean / (112 * 1024), 1, 0.01);
	assert_close(sqrt(squares / DRAWS - mean * mean) / (70 * 1024), 1,
		     0.03);
}

static const struct distribution table = {
	.kind = DISTRIBUTION_QUANTILES,
	.p50 = 1e6,
	.p90 = 3e6,
	.p99 = 2e7,
	.p999 = 9e7,
};

static void a_table_is_met_at_its_points(void **state)
{
	(void)state;
	assert_close((double)at(&table, 0.5), 1e6, 2);
	assert_close((double)at(&table, 0.9), 3e6, 2);
	assert_close((double)at(&table, 0.99), 2e7, 20);
	assert_close((double)at(&table, 0.999), 9e7, 90);
}

static void a_table_is_straight_in_nines_and_logarithm(void **state)
{
	(void)state;
	/* Half way from one nine to two: the geometric mean. */
	assert_close((double)at(&table, 1 - pow(10, -1.5)), sqrt(3e6 * 2e7),
		     20);
	assert_close((double)at(&table, 1 - pow(10, -2.5)), sqrt(2e7 * 9e7),
		     100);
}

static void a_table_goes_on_for_one_more_nine_and_ends(void **state)
{
	(void)state;
	assert_close((double)at(&table, 0.9999) / (9e7 * 9e7 / 2e7), 1, 1e-5);
	assert_close((double)at(&table, 0.99999) / (9e7 * 9e7 / 2e7), 1, 1e-5);
	assert_int_equal(distribution_draw(&table, UINT64_MAX),
			 at(&table, 0.99999));
}

static void a_table_below_its_median_is_its_mirror_as_far_as_p90(void **state)
{
	(void)state;
	assert_close((double)at(&table, 0.1), 1e12 / 3e6, 1);
	assert_close((double)at(&table, 0.01), 1e12 / 3e6, 1);
	assert_close((double)at(&table, 0.3), 1e12 / (double)at(&table, 0.7),
		     2);
}

static void a_table_of_zeros_draws_zeros(void **state)
{
	struct distribution it = { .kind = DISTRIBUTION_QUANTILES };

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(distribution_draw(&it, random_bits(stream, i)),
				 0);
}

/* Zero has no logarithm: from there the line is straight in the value. */
static void a_table_rises_from_zero_in_a_straight_line(void **state)
{
	struct distribution it = { .kind = DISTRIBUTION_QUANTILES,
				   .p90 = 1e6,
				   .p99 = 1e6,
				   .p999 = 1e6 };
	double nines = (log10(2) + 1) / 2;

	(void)state;
	assert_close((double)at(&it, 1 - pow(10, -nines)), 5e5, 1);
	assert_int_equal(at(&it, 0.3), 0);
}

static void the_mean_of_a_table_is_the_average_draw(void **state)
{
	double sum = 0;

	(void)state;
	for (uint64_t i = 0; i < DRAWS; i++)
		sum += (double)distribution_draw(&table,
						 random_bits(stream, i));
	assert_close(sum / DRAWS / distribution_mean(&table), 1, 0.03);
}

static void a_greater_chance_is_never_a_smaller_draw(void **state)
{
	(void)state;
	for (int kind = DISTRIBUTION_UNIFORM; kind <= DISTRIBUTION_QUANTILES;
	     kind++) {
		struct distribution it = table;
		int64_t last = 0;

		it.kind = (enum distribution_kind)kind;
		it.mean = 1e9;
		it.stdev = 4e8;
		it.low = 5;
		it.high = 1e9;
		distribution_prepare(&it);
		for (uint64_t i = 0; i < 65536; i++) {
			int64_t draw = distribution_draw(&it, i << 48);

			assert_true(draw >= last);
			last = draw;
		}
	}
}

static void a_draw_is_the_nearest_whole_number(void **state)
{
	struct distribution it = distribution_constant(1234.4);

	(void)state;
	assert_int_equal(at(&it, 0.3), 1234);
	it = distribution_constant(1234.6);
	assert_int_equal(at(&it, 0.3), 1235);
}

static void a_draw_is_cut_at_a_hundred_years(void **state)
{
	struct distribution it = distribution_constant(1e30);

	(void)state;
	assert_true(at(&it, 0.5) == INT64_C(1) << 62);
}

static void only_a_constant_of_nothing_is_zero(void **state)
{
	struct distribution it = distribution_constant(0.4);

	(void)state;
	assert_true(distribution_is_zero(&it));
	assert_int_equal(at(&it, 0.5), 0);
	it = distribution_constant(0.6);
	assert_false(distribution_is_zero(&it));
	it.kind = DISTRIBUTION_EXPONENTIAL;
	it.mean = 0.1;
	assert_false(distribution_is_zero(&it));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uniform_draws_are_uniform),
		cmocka_unit_test(exponential_draws_are_exponential),
		cmocka_unit_test(normal_draws_are_normal),
		cmocka_unit_test(a_normal_draw_below_zero_is_zero),
		cmocka_unit_test(lognormal_draws_are_lognormal),
		cmocka_unit_test(
			lognormal_draws_have_the_mean_and_deviation_asked_for),
		cmocka_unit_test(a_table_is_met_at_its_points),
		cmocka_unit_test(a_table_is_straight_in_nines_and_logarithm),
		cmocka_unit_test(a_table_goes_on_for_one_more_nine_and_ends),
		cmocka_unit_test(
			a_table_below_its_median_is_its_mirror_as_far_as_p90),
		cmocka_unit_test(a_table_of_zeros_draws_zeros),
		cmocka_unit_test(a_table_rises_from_zero_in_a_straight_line),
		cmocka_unit_test(the_mean_of_a_table_is_the_average_draw),
		cmocka_unit_test(a_greater_chance_is_never_a_smaller_draw),
		cmocka_unit_test(a_draw_is_the_nearest_whole_number),
		cmocka_unit_test(a_draw_is_cut_at_a_hundred_years),
		cmocka_unit_test(only_a_constant_of_nothing_is_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
