/* SPDX-License-Identifier: MIT */
/* A lazily made order is an order, and a new one each time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sim/permutation.h"
#include "tests/support/close.h"

#define SEED 77

static struct permutation make(uint64_t count, uint64_t epoch)
{
	struct random_stream seed = random_stream(SEED, RANDOM_EPOCH_ORDER);

	return permutation_make(count, random_substream(seed, epoch));
}

static void every_value_comes_once_whatever_the_count(void **state)
{
	static uint8_t seen[2000];

	(void)state;
	print_message("seed %d\n", SEED);
	for (uint64_t count = 1; count <= 2000; count++) {
		struct permutation order = make(count, 0);

		memset(seen, 0, sizeof(seen));
		for (uint64_t i = 0; i < count; i++) {
			uint64_t value = permutation_at(&order, i);

			assert_true(value < count);
			assert_int_equal(seen[value]++, 0);
		}
	}
}

static void a_value_is_found_where_it_is(void **state)
{
	(void)state;
	for (uint64_t count = 1; count <= 2000; count += 7) {
		struct permutation order = make(count, 1);

		for (uint64_t i = 0; i < count; i++)
			assert_int_equal(
				permutation_find(&order,
						 permutation_at(&order, i)),
				i);
	}
}

static void a_value_of_a_very_long_order_is_found(void **state)
{
	static const uint64_t counts[] = { UINT64_C(85000000),
					   UINT64_C(1) << 40,
					   (UINT64_C(1) << 40) + 1,
					   (UINT64_C(1) << 62) + 12345 };

	(void)state;
	for (int c = 0; c < 4; c++) {
		struct permutation order = make(counts[c], 2);

		for (uint64_t i = 0; i < 1000; i++) {
			uint64_t place = counts[c] / 1000 * i;
			uint64_t value = permutation_at(&order, place);

			assert_true(value < counts[c]);
			assert_int_equal(permutation_find(&order, value),
					 place);
		}
	}
}

static void another_epoch_is_another_order(void **state)
{
	(void)state;
	for (uint64_t count = 20; count <= 2000; count += 99) {
		struct permutation one = make(count, 3);
		struct permutation other = make(count, 4);
		uint64_t same = 0;

		for (uint64_t i = 0; i < count; i++)
			same += permutation_at(&one, i) ==
				permutation_at(&other, i);
		/* One on average; more than nine once in a million. */
		assert_true(same <= 9);
	}
}

static void the_same_seed_is_the_same_order(void **state)
{
	struct permutation one = make(1000, 5);
	struct permutation other = make(1000, 5);

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(permutation_at(&one, i),
				 permutation_at(&other, i));
}

/* Over many epochs every value comes to every place equally often: chi-square
 * with (n - 1)^2 degrees of freedom. */
static void every_place_gets_every_value(void **state)
{
	enum { COUNT = 12, EPOCHS = 12000 };
	double expected = (double)EPOCHS / COUNT;
	uint32_t times[COUNT][COUNT] = { 0 };
	double chi_square = 0;

	(void)state;
	for (uint64_t epoch = 0; epoch < EPOCHS; epoch++) {
		struct permutation order = make(COUNT, epoch);

		for (uint64_t i = 0; i < COUNT; i++)
			times[i][permutation_at(&order, i)]++;
	}
	for (int i = 0; i < COUNT; i++)
		for (int j = 0; j < COUNT; j++) {
			double off = times[i][j] - expected;

			chi_square += off * off / expected;
		}
	/* Mean 121, standard deviation 15.6; five of those. */
	assert_close(chi_square, 121, 5 * 15.6);
}

/* Neighbours in the order are no neighbours in storage. */
static void neighbours_are_far_apart(void **state)
{
	struct permutation order = make(1000000, 6);
	double sum = 0;

	(void)state;
	for (uint64_t i = 0; i < 100000; i++) {
		int64_t a = (int64_t)permutation_at(&order, i);
		int64_t b = (int64_t)permutation_at(&order, i + 1);

		sum += (double)llabs(a - b);
	}
	/* Two random points are a third of the length apart. */
	assert_close(sum / 100000 / 1000000, 1.0 / 3, 0.004);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_comes_once_whatever_the_count),
		cmocka_unit_test(a_value_is_found_where_it_is),
		cmocka_unit_test(a_value_of_a_very_long_order_is_found),
		cmocka_unit_test(another_epoch_is_another_order),
		cmocka_unit_test(the_same_seed_is_the_same_order),
		cmocka_unit_test(every_place_gets_every_value),
		cmocka_unit_test(neighbours_are_far_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
