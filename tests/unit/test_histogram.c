/* SPDX-License-Identifier: MIT */
/* Quantiles read from a histogram are within 1/64 of the sorted values'. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/histogram.h"
#include "sim/random.h"
#include "tests/support/close.h"

#define SEED 64
#define VALUES 20000

static const struct random_stream stream = { SEED };
static const double fractions[] = {
	0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999
};

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Any magnitude: up to `bits` bits, evenly over the magnitudes. */
static int64_t any_value(uint64_t index, uint32_t bits)
{
	uint64_t draw = random_bits(stream, index);

	return (int64_t)(draw >> 1 >> (63 - draw % (bits + 1)));
}

static void a_quantile_is_within_a_64th(void **state)
{
	static struct histogram histogram;
	static int64_t values[VALUES];

	(void)state;
	print_message("seed %d\n", SEED);
	for (uint32_t bits = 1; bits <= 63; bits++) {
		memset(&histogram, 0, sizeof(histogram));
		for (uint64_t i = 0; i < VALUES; i++) {
			values[i] = any_value(i, bits);
			histogram_add(&histogram, values[i]);
		}
		qsort(values, VALUES, sizeof(values[0]), ascending);
		for (int f = 0; f < 8; f++) {
			double exact =
				(double)values[(int)(fractions[f] * VALUES)];

			assert_close((double)histogram_quantile(&histogram,
								fractions[f]),
				     exact, exact / 64);
		}
	}
}

static void small_values_are_exact(void **state)
{
	static struct histogram histogram;

	(void)state;
	memset(&histogram, 0, sizeof(histogram));
	for (int64_t i = 0; i < 100; i++)
		histogram_add(&histogram, i);
	for (uint64_t i = 0; i < 100; i++)
		assert_int_equal(histogram_quantile(&histogram,
						    ((double)i + 0.5) / 100),
				 i);
}

static void count_sum_mean_and_maximum_are_exact(void **state)
{
	static struct histogram histogram;
	uint64_t sum = 0;
	uint64_t max = 0;

	(void)state;
	memset(&histogram, 0, sizeof(histogram));
	for (uint64_t i = 0; i < VALUES; i++) {
		uint64_t value = (uint64_t)any_value(i, 40);

		histogram_add(&histogram, (int64_t)value);
		sum += value;
		max = value > max ? value : max;
	}
	assert_int_equal(histogram.count, VALUES);
	assert_true(histogram.sum == sum);
	assert_true(histogram.max == max);
	assert_close(histogram_mean(&histogram), (double)sum / VALUES, 1e-3);
	assert_true(histogram_quantile(&histogram, 1) == max);
}

static void an_empty_histogram_is_all_zero(void **state)
{
	static struct histogram histogram;

	(void)state;
	memset(&histogram, 0, sizeof(histogram));
	assert_int_equal(histogram_quantile(&histogram, 0.5), 0);
	assert_true(histogram_mean(&histogram) == 0);
}

static void a_negative_value_counts_as_zero(void **state)
{
	static struct histogram histogram;

	(void)state;
	memset(&histogram, 0, sizeof(histogram));
	histogram_add(&histogram, -5);
	histogram_add(&histogram, INT64_MIN);
	assert_int_equal(histogram.count, 2);
	assert_int_equal(histogram.sum, 0);
	assert_int_equal(histogram_quantile(&histogram, 0.5), 0);
}

static void a_sum_too_large_stays_at_the_largest(void **state)
{
	static struct histogram histogram;

	(void)state;
	memset(&histogram, 0, sizeof(histogram));
	for (int i = 0; i < 3; i++)
		histogram_add(&histogram, INT64_MAX);
	assert_true(histogram.sum == UINT64_MAX);
	assert_true(histogram.max == INT64_MAX);
}

static void a_difference_is_what_was_added_since(void **state)
{
	static struct histogram whole, start, later, difference;

	(void)state;
	memset(&whole, 0, sizeof(whole));
	memset(&later, 0, sizeof(later));
	for (uint64_t i = 0; i < 1000; i++)
		histogram_add(&whole, any_value(i, 50));
	start = whole;
	for (uint64_t i = 1000; i < 3000; i++) {
		histogram_add(&whole, any_value(i, 30));
		histogram_add(&later, any_value(i, 30));
	}
	histogram_subtract(&difference, &whole, &start);
	assert_int_equal(difference.count, 2000);
	assert_true(difference.sum == later.sum);
	assert_memory_equal(difference.cells, later.cells, sizeof(later.cells));
	/* The earlier maximum is gone; the later one is known to a cell. */
	assert_close((double)difference.max, (double)later.max,
		     (double)later.max / 64);
	for (int f = 0; f < 8; f++)
		assert_close((double)histogram_quantile(&difference,
							fractions[f]),
			     (double)histogram_quantile(&later, fractions[f]),
			     (double)later.max / 64);
}

static void a_new_maximum_is_exact_in_a_difference(void **state)
{
	static struct histogram whole, start, difference;

	(void)state;
	memset(&whole, 0, sizeof(whole));
	histogram_add(&whole, 1000);
	start = whole;
	histogram_add(&whole, 123456789);
	histogram_subtract(&difference, &whole, &start);
	assert_int_equal(difference.max, 123456789);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quantile_is_within_a_64th),
		cmocka_unit_test(small_values_are_exact),
		cmocka_unit_test(count_sum_mean_and_maximum_are_exact),
		cmocka_unit_test(an_empty_histogram_is_all_zero),
		cmocka_unit_test(a_negative_value_counts_as_zero),
		cmocka_unit_test(a_sum_too_large_stays_at_the_largest),
		cmocka_unit_test(a_difference_is_what_was_added_since),
		cmocka_unit_test(a_new_maximum_is_exact_in_a_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
