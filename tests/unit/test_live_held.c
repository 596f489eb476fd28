/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/random.h"
#include "storage/live/held.h"

static void nothing_is_held_at_first(void **state)
{
	struct held held;
	int64_t due_ns;

	(void)state;
	assert_int_equal(held_init(&held, 1), 0);
	assert_false(held_take(&held, INT64_MAX, &due_ns));
	assert_int_equal(held_next_ns(&held), INT64_MAX);
	held_release(&held);
}

static void a_due_time_is_taken_when_reached_and_not_before(void **state)
{
	struct held held;
	int64_t due_ns = 0;

	(void)state;
	assert_int_equal(held_init(&held, 2), 0);
	held_put(&held, 100);
	assert_false(held_take(&held, 99, &due_ns));
	assert_true(held_take(&held, 100, &due_ns));
	assert_int_equal(due_ns, 100);
	assert_false(held_take(&held, 100, &due_ns));
	held_release(&held);
}

static void any_order_in_comes_out_earliest_first(void **state)
{
	struct random_stream stream = random_stream(7, RANDOM_SHUFFLE);
	struct held held;
	int64_t before_ns;
	int64_t due_ns;
	uint32_t size;
	uint64_t drawn = 0;
	uint32_t i;

	(void)state;
	for (size = 1; size < 40; size++) {
		assert_int_equal(held_init(&held, size), 0);
		for (i = 0; i < size; i++)
			held_put(&held,
				 (int64_t)random_below(
					 random_bits(stream, drawn++), 20));
		before_ns = -1;
		for (i = 0; i < size; i++) {
			assert_true(held_take(&held, 20, &due_ns));
			assert_true(due_ns >= before_ns);
			before_ns = due_ns;
		}
		assert_int_equal(held.count, 0);
		held_release(&held);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_held_at_first),
		cmocka_unit_test(
			a_due_time_is_taken_when_reached_and_not_before),
		cmocka_unit_test(any_order_in_comes_out_earliest_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
