/* SPDX-License-Identifier: MIT */
/* The integral of a count over time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/level.h"
#include "sim/random.h"
#include "tests/support/close.h"

#define SEED 5

static void nothing_for_ever_is_nothing(void **state)
{
	struct level level = { 0 };

	(void)state;
	assert_true(level_until(&level, INT64_MAX) == 0);
}

static void three_for_four_nanoseconds_are_twelve(void **state)
{
	struct level level = { 0 };

	(void)state;
	level_raise(&level, 10, 3);
	assert_true(level_until(&level, 14) == 12);
	assert_int_equal(level.count, 3);
}

static void one_more_and_one_less_are_counted_while_they_are_there(void **state)
{
	struct level level = { 0 };

	(void)state;
	level_up(&level, 5);
	level_up(&level, 7);
	level_down(&level, 10);
	assert_int_equal(level.count, 1);
	/* 5..7 one, 7..10 two, 10..20 one. */
	assert_true(level_until(&level, 20) == 2 + 6 + 10);
}

static void the_integral_of_a_window_is_a_difference(void **state)
{
	struct level level = { 0 };
	level_integral start;

	(void)state;
	level_up(&level, 100);
	start = level_until(&level, 150);
	level_raise(&level, 160, 9);
	assert_true(level_until(&level, 170) - start == 10 + 10 * 10);
}

/* Four billion of them for ninety years do not fit 64 bits. */
static void a_long_run_of_many_things_does_not_overflow(void **state)
{
	struct level level = { 0 };
	int64_t long_ns = INT64_C(3000000000) * 1000000000;

	(void)state;
	level_raise(&level, 0, UINT32_MAX);
	assert_close(level_to_double(level_until(&level, long_ns)) / 3e18 /
			     4294967295.0,
		     1, 1e-15);
}

static void a_random_walk_is_summed_step_by_step(void **state)
{
	struct random_stream stream = { SEED };
	struct level level = { 0 };
	uint64_t sum = 0;
	uint64_t count = 0;
	int64_t now_ns = 0;

	(void)state;
	print_message("seed %d\n", SEED);
	for (uint64_t i = 0; i < 10000; i++) {
		uint64_t bits = random_bits(stream, i);
		int64_t passed_ns = (int64_t)(bits >> 44);

		sum += count * (uint64_t)passed_ns;
		now_ns += passed_ns;
		if (count > 0 && bits % 2) {
			level_down(&level, now_ns);
			count--;
		} else {
			level_raise(&level, now_ns, bits % 8);
			count += bits % 8;
		}
		assert_int_equal(level.count, count);
		assert_true(level_until(&level, now_ns) == sum);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_for_ever_is_nothing),
		cmocka_unit_test(three_for_four_nanoseconds_are_twelve),
		cmocka_unit_test(
			one_more_and_one_less_are_counted_while_they_are_there),
		cmocka_unit_test(the_integral_of_a_window_is_a_difference),
		cmocka_unit_test(a_long_run_of_many_things_does_not_overflow),
		cmocka_unit_test(a_random_walk_is_summed_step_by_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
