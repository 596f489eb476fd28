/* SPDX-License-Identifier: MIT */
/* Counter-based numbers are even, independent, and functions of their index. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "sim/random.h"
#include "tests/support/close.h"

#define SEED 99
#define DRAWS 1000000

static struct random_stream decode_times(uint64_t seed)
{
	return random_stream(seed, RANDOM_DECODE_TIME);
}

static void a_draw_is_a_function_of_its_index(void **state)
{
	struct random_stream stream = decode_times(SEED);
	uint64_t forward[100];

	(void)state;
	print_message("seed %d\n", SEED);
	for (uint64_t i = 0; i < 100; i++)
		forward[i] = random_bits(stream, i);
	for (uint64_t i = 100; i-- > 0;)
		assert_true(random_bits(decode_times(SEED), i) == forward[i]);
}

static void every_bit_is_set_half_the_time(void **state)
{
	struct random_stream stream = decode_times(SEED);
	uint32_t set[64] = { 0 };

	(void)state;
	for (uint64_t i = 0; i < DRAWS; i++) {
		uint64_t bits = random_bits(stream, i);

		for (int b = 0; b < 64; b++)
			set[b] += bits >> b & 1;
	}
	/* Five standard deviations of a fair coin. */
	for (int b = 0; b < 64; b++)
		assert_close(set[b], DRAWS / 2.0, 5 * sqrt(DRAWS) / 2);
}

/* Flipping a bit of the index flips each bit of the draw half the time. */
static void a_bit_of_the_index_changes_half_of_the_draw(void **state)
{
	struct random_stream stream = decode_times(SEED);

	(void)state;
	for (int flip = 0; flip < 64; flip++) {
		uint32_t changed = 0;

		for (uint64_t i = 0; i < 10000; i++)
			changed += (uint32_t)__builtin_popcountll(
				random_bits(stream, i) ^
				random_bits(stream, i ^ UINT64_C(1) << flip));
		assert_close(changed / 10000.0, 32, 5 * 4 / 100.0);
	}
}

static void streams_have_nothing_in_common(void **state)
{
	struct random_stream streams[] = {
		decode_times(SEED),
		decode_times(SEED + 1),
		random_stream(SEED, RANDOM_AUGMENT_TIME),
		random_substream(decode_times(SEED), 0),
		random_substream(decode_times(SEED), 1),
	};

	(void)state;
	for (int a = 0; a < 5; a++)
		for (int b = 0; b < a; b++) {
			uint64_t equal_bits = 0;

			for (uint64_t i = 0; i < 10000; i++)
				equal_bits += (uint64_t)__builtin_popcountll(
					~(random_bits(streams[a], i) ^
					  random_bits(streams[b], i)));
			assert_close((double)equal_bits / 10000, 32,
				     5 * 4 / 100.0);
		}
}

/* A counter that steps by a constant would make the streams of keys that far
 * apart one sequence, read from another place on. */
static void no_stream_is_another_one_further_on(void **state)
{
	struct random_stream one = decode_times(SEED);
	struct random_stream other = { one.key + RANDOM_GOLDEN };

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		assert_true(random_bits(one, i + 1) != random_bits(other, i));
}

static void a_unit_is_strictly_between_zero_and_one(void **state)
{
	(void)state;
	assert_true(random_unit(0) > 0);
	assert_true(random_unit(UINT64_MAX) < 1);
	assert_true(1 - random_unit(UINT64_MAX) > 0);
	assert_close(random_unit(UINT64_C(1) << 63), 0.5, 0x1p-52);
}

/* Kolmogorov and Smirnov: in 1000 equal cells the sum never strays far. */
static void units_are_even(void **state)
{
	struct random_stream stream = decode_times(SEED);
	static uint32_t cells[1000];
	double below = 0;

	(void)state;
	for (uint64_t i = 0; i < DRAWS; i++)
		cells[(int)(random_unit(random_bits(stream, i)) * 1000)]++;
	for (int i = 0; i < 1000; i++) {
		below += cells[i];
		/* 1.95 / sqrt(n) is passed once in a thousand seeds. */
		assert_close(below / DRAWS, (i + 1) / 1000.0,
			     1.95 / sqrt(DRAWS));
	}
}

static void a_draw_does_not_tell_the_next(void **state)
{
	struct random_stream stream = decode_times(SEED);

	(void)state;
	for (uint64_t lag = 1; lag <= 64; lag *= 2) {
		double sum = 0;

		for (uint64_t i = 0; i < DRAWS; i++)
			sum += (random_unit(random_bits(stream, i)) - 0.5) *
			       (random_unit(random_bits(stream, i + lag)) -
				0.5);
		/* A product of two has a deviation of a twelfth. */
		assert_close(sum / DRAWS, 0, 5 / 12.0 / sqrt(DRAWS));
	}
}

/* bits * bound / 2^64, with the processor's own wide product. */
static uint64_t below(uint64_t bits, uint64_t bound)
{
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t)((wide)bits * bound >> 64);
}

static void a_bounded_draw_is_the_share_of_its_bound(void **state)
{
	static const uint64_t bounds[] = { 1,
					   2,
					   3,
					   1000,
					   UINT32_MAX,
					   UINT64_C(1) << 32,
					   (UINT64_C(1) << 32) + 1,
					   UINT64_C(1) << 63,
					   UINT64_MAX };
	struct random_stream stream = decode_times(SEED);

	(void)state;
	for (int b = 0; b < 9; b++) {
		assert_true(random_below(0, bounds[b]) == 0);
		assert_true(random_below(UINT64_MAX, bounds[b]) ==
			    bounds[b] - 1);
		for (uint64_t i = 0; i < 10000; i++) {
			uint64_t bits = random_bits(stream, i);

			assert_true(random_below(bits, bounds[b]) ==
				    below(bits, bounds[b]));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_draw_is_a_function_of_its_index),
		cmocka_unit_test(every_bit_is_set_half_the_time),
		cmocka_unit_test(a_bit_of_the_index_changes_half_of_the_draw),
		cmocka_unit_test(streams_have_nothing_in_common),
		cmocka_unit_test(no_stream_is_another_one_further_on),
		cmocka_unit_test(a_unit_is_strictly_between_zero_and_one),
		cmocka_unit_test(units_are_even),
		cmocka_unit_test(a_draw_does_not_tell_the_next),
		cmocka_unit_test(a_bounded_draw_is_the_share_of_its_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
