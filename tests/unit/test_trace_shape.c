/* SPDX-License-Identifier: MIT */
/* Many values as one distribution: what was drawn from must come out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "analysis/trace/shape.h"
#include "sim/random.h"
#include "tests/support/close.h"

#define COUNT 100000
#define SEED 3

static struct shape shape;

static struct shape_fit drawn_from(struct distribution distribution,
				   uint64_t count)
{
	struct random_stream stream = random_stream(SEED, RANDOM_PROBE);
	struct shape_fit fit;
	uint64_t i;

	memset(&shape, 0, sizeof(shape));
	distribution_prepare(&distribution);
	for (i = 0; i < count; i++)
		shape_add(&shape, distribution_draw(&distribution,
						    random_bits(stream, i)));
	shape_make(&shape, &fit);
	return fit;
}

static void each_kind_is_told_by_its_values(void **state)
{
	const struct distribution kinds[] = {
		{ DISTRIBUTION_CONSTANT, .mean = 323e6 },
		{ DISTRIBUTION_NORMAL, .mean = 40e6, .stdev = 4e6 },
		{ DISTRIBUTION_LOGNORMAL, .mean = 110e3, .stdev = 70e3 },
		{ DISTRIBUTION_QUANTILES, .p50 = 1e6, .p90 = 9e6, .p99 = 9.5e6,
		  .p999 = 1e8 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct shape_fit fit = drawn_from(kinds[i], COUNT);

		assert_true(fit.known);
		assert_int_equal(fit.count, COUNT);
		assert_int_equal(fit.distribution.kind, kinds[i].kind);
		assert_close(distribution_mean(&fit.distribution) /
				     distribution_mean(&kinds[i]),
			     1, 0.02);
		if (kinds[i].stdev > 0)
			assert_close(fit.distribution.stdev / kinds[i].stdev, 1,
				     0.02);
		assert_true(fit.mean_error < 0.02);
		assert_true(fit.quantile_error < 0.08);
	}
}

/* Two values far apart are none of these; the error says so. */
static void what_no_distribution_fits_has_a_large_error(void **state)
{
	struct shape_fit fit;
	int i;

	(void)state;
	memset(&shape, 0, sizeof(shape));
	for (i = 0; i < 10000; i++)
		shape_add(&shape, i % 10 < 6 ? 1000 : 3000);
	shape_make(&shape, &fit);
	assert_close(distribution_mean(&fit.distribution), 1800, 50);
	assert_true(fit.quantile_error > 0.2);
}

static void few_values_and_none(void **state)
{
	struct shape_fit fit = drawn_from(distribution_constant(5000), 0);

	(void)state;
	assert_false(fit.known);
	fit = drawn_from(distribution_constant(5000), 1);
	assert_true(fit.known);
	assert_true(fit.distribution.mean == 5000);
	assert_true(isnan(fit.mean_error));
	/* Nothing, a hundred times. */
	fit = drawn_from(distribution_constant(0), 100);
	assert_true(distribution_is_zero(&fit.distribution));
	assert_true(fit.mean_error == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_is_told_by_its_values),
		cmocka_unit_test(what_no_distribution_fits_has_a_large_error),
		cmocka_unit_test(few_values_and_none),
	};

	print_message("# seed %d\n", SEED);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
