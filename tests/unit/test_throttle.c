/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sim/random.h"
#include "sim/throttle.h"

#define END 1000

static void a_read_in_time_gets_its_due_time(void **state)
{
	struct throttle throttle = { 0 };

	(void)state;
	assert_int_equal(throttle_stamp(&throttle, 5, 20, 10), 20);
	assert_int_equal(throttle_stamp(&throttle, 5, 20, 20), 20);
	assert_int_equal(throttle.completions, 2);
	assert_int_equal(throttle.late, 0);
	assert_int_equal(throttle.disturbed_ns, 0);
}

static void a_late_read_gets_the_kernels_time_and_is_counted(void **state)
{
	struct throttle throttle = { 0 };

	(void)state;
	assert_int_equal(throttle_stamp(&throttle, 5, 20, 27), 27);
	assert_int_equal(throttle.late, 1);
	assert_int_equal(throttle.lateness_ns.sum, 7);
	assert_int_equal(throttle.disturbed_ns, 7);
}

static void a_native_run_is_never_late(void **state)
{
	struct throttle throttle = { .native = true };

	(void)state;
	assert_int_equal(throttle_stamp(&throttle, 5, 5, 27), 27);
	throttle_block(&throttle, 5, 27);
	assert_int_equal(throttle.late, 0);
	assert_int_equal(throttle.overtaken, 0);
	assert_int_equal(throttle.disturbed_ns, 0);
}

static void a_block_is_overtaken_when_stamped_after_its_end(void **state)
{
	struct throttle throttle = { 0 };

	(void)state;
	throttle_block(&throttle, 10, 10);
	throttle_block(&throttle, 30, 34);
	assert_int_equal(throttle.blocks, 2);
	assert_int_equal(throttle.overtaken, 1);
	assert_int_equal(throttle.overtaken_ns, 4);
	assert_int_equal(throttle.disturbed_ns, 4);
}

/* Against a line of marked nanoseconds: random overdue times, in the order of
 * their ends. */
static void the_disturbed_time_is_the_union_of_all(void **state)
{
	struct random_stream stream = random_stream(3, RANDOM_SHUFFLE);
	uint64_t drawn = 0;

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct throttle throttle = { 0 };
		uint8_t marked[END] = { 0 };
		uint64_t most = 2 + (uint64_t)round % 60;
		int64_t expected = 0;

		for (int64_t end = 20; end < END; end++) {
			uint64_t length = random_below(
				random_bits(stream, drawn++), most);
			int64_t start = end - (int64_t)length;

			if (start < 0 || random_bits(stream, drawn++) % 8)
				continue;
			memset(marked + start, 1, length);
			throttle_block(&throttle, start, end);
		}
		for (int i = 0; i < END; i++)
			expected += marked[i];
		assert_int_equal(throttle.disturbed_ns, expected);
	}
}

static void reaching_back_over_a_forgotten_span_never_counts_less(void **state)
{
	struct throttle throttle = { 0 };

	(void)state;
	for (int64_t i = 0; i < 100; i++)
		throttle_block(&throttle, i * 10, i * 10 + 5);
	assert_int_equal(throttle.disturbed_ns, 500);
	throttle_block(&throttle, 0, 1000);
	assert_true(throttle.disturbed_ns >= 1000);
	assert_true(throttle.disturbed_ns <= 1500);
}

static void it_holds_up_to_a_hundredth_of_the_window(void **state)
{
	struct throttle throttle = { .elapsed_ns = 10000 };

	(void)state;
	assert_true(throttle_held(&throttle));
	throttle_block(&throttle, 100, 200);
	assert_true(throttle_held(&throttle));
	throttle_block(&throttle, 300, 301);
	assert_false(throttle_held(&throttle));
}

static void ending_behind_the_clock_counts(void **state)
{
	struct throttle throttle = { .elapsed_ns = 10000, .lag_ns = 100 };

	(void)state;
	assert_true(throttle_held(&throttle));
	throttle.lag_ns++;
	assert_false(throttle_held(&throttle));
}

static void a_window_of_no_length_holds_only_undisturbed(void **state)
{
	struct throttle throttle = { 0 };

	(void)state;
	assert_true(throttle_held(&throttle));
	throttle_block(&throttle, 100, 200);
	assert_false(throttle_held(&throttle));
}

static void no_share_is_more_than_all(void **state)
{
	struct throttle throttle = { .elapsed_ns = 100, .lag_ns = 30 };

	(void)state;
	/* Before the window, too. */
	throttle_block(&throttle, 0, 500);
	assert_true(throttle_disturbed(&throttle) == 1);
	throttle.elapsed_ns = 530 * 4;
	assert_true(throttle_disturbed(&throttle) == 0.25);
}

static void a_native_run_is_disturbed_by_pauses_alone(void **state)
{
	struct throttle throttle = { .native = true, .elapsed_ns = 1000 };

	(void)state;
	throttle_stamp(&throttle, 0, 10, 90);
	throttle_block(&throttle, 10, 90);
	assert_true(throttle_held(&throttle));
	throttle_pause(&throttle, 100, 400);
	throttle_pause(&throttle, 300, 500);
	assert_false(throttle_held(&throttle));
	assert_true(throttle_disturbed(&throttle) == 0.4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_read_in_time_gets_its_due_time),
		cmocka_unit_test(
			a_late_read_gets_the_kernels_time_and_is_counted),
		cmocka_unit_test(a_native_run_is_never_late),
		cmocka_unit_test(
			a_block_is_overtaken_when_stamped_after_its_end),
		cmocka_unit_test(the_disturbed_time_is_the_union_of_all),
		cmocka_unit_test(
			reaching_back_over_a_forgotten_span_never_counts_less),
		cmocka_unit_test(it_holds_up_to_a_hundredth_of_the_window),
		cmocka_unit_test(ending_behind_the_clock_counts),
		cmocka_unit_test(no_share_is_more_than_all),
		cmocka_unit_test(a_native_run_is_disturbed_by_pauses_alone),
		cmocka_unit_test(a_window_of_no_length_holds_only_undisturbed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
