/* SPDX-License-Identifier: MIT */
/* Student's quantiles as every table of them has them, and a sample by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/sweep/interval.h"

static void student_s_quantiles_are_those_of_the_tables(void **state)
{
	/* Two-sided 95 %, three decimals. */
	static const struct {
		uint32_t degrees;
		double quantile;
	} table[] = {
		{ 1, 12.706 }, { 2, 4.303 },   { 3, 3.182 },  { 4, 2.776 },
		{ 5, 2.571 },  { 6, 2.447 },   { 7, 2.365 },  { 8, 2.306 },
		{ 9, 2.262 },  { 10, 2.228 },  { 11, 2.201 }, { 12, 2.179 },
		{ 13, 2.160 }, { 14, 2.145 },  { 15, 2.131 }, { 16, 2.120 },
		{ 17, 2.110 }, { 18, 2.101 },  { 19, 2.093 }, { 20, 2.086 },
		{ 25, 2.060 }, { 30, 2.042 },  { 40, 2.021 }, { 60, 2.000 },
		{ 99, 1.984 }, { 120, 1.980 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_true(fabs(interval_student(table[i].degrees) -
				 table[i].quantile) < 0.001);
	assert_true(fabs(interval_student(UINT32_MAX) - 1.959964) < 1e-6);
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares about it 32, s^2 = 32 / 7. */
static void a_sample_has_its_mean_ends_and_interval(void **state)
{
	const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct interval interval = interval_of(values, 8);
	double half = 2.36462 * sqrt(32.0 / 7 / 8);

	(void)state;
	assert_true(interval.known);
	assert_true(interval.mean == 5 && interval.min == 2 &&
		    interval.max == 9);
	assert_true(fabs(interval.low - (5 - half)) < 1e-9);
	assert_true(fabs(interval.high - (5 + half)) < 1e-9);
}

static void equal_values_have_no_width(void **state)
{
	const double values[] = { 0.5, 0.5, 0.5 };
	struct interval interval = interval_of(values, 3);

	(void)state;
	assert_true(interval.low == 0.5 && interval.high == 0.5);
}

static void one_value_has_no_interval(void **state)
{
	const double value = 3;

	(void)state;
	assert_false(interval_of(&value, 1).known);
	assert_false(interval_of(&value, 0).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student_s_quantiles_are_those_of_the_tables),
		cmocka_unit_test(a_sample_has_its_mean_ends_and_interval),
		cmocka_unit_test(equal_values_have_no_width),
		cmocka_unit_test(one_value_has_no_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
