/* SPDX-License-Identifier: MIT */
/* The steady part of a run is what is left when its start is cut off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sim/random.h"
#include "sim/steady.h"
#include "tests/support/close.h"

#define SEED 1997

static const struct random_stream stream = { SEED };

/* A step of the run's start or of its steady part: 80 of the time busy. */
static int64_t step_ns(uint64_t step, uint64_t transient)
{
	int64_t noise_ns =
		(int64_t)random_below(random_bits(stream, step), 20001) - 10000;

	return (step < transient ? 50000 : 100000) + noise_ns;
}

static struct steady_bin run(uint64_t steps, uint64_t transient)
{
	static struct steady steady;

	memset(&steady, 0, sizeof(steady));
	for (uint64_t i = 0; i < steps; i++)
		steady_add(&steady, step_ns(i, transient), 40000);
	return steady_part(&steady);
}

/* Steps in a part, by their busy time. */
static double steps_of(struct steady_bin part)
{
	return (double)part.busy_ns / 40000;
}

static void a_short_run_has_no_steady_part(void **state)
{
	(void)state;
	print_message("seed %d\n", SEED);
	for (uint64_t steps = 0; steps < 50; steps++) {
		struct steady_bin part = run(steps, 0);

		assert_int_equal(part.elapsed_ns, 0);
		assert_true(part.busy_ns == 0);
	}
	assert_true(run(50, 0).elapsed_ns > 0);
}

static void a_transient_is_cut(void **state)
{
	(void)state;
	for (uint64_t transient = 5; transient <= 200; transient += 39) {
		struct steady_bin part = run(500, transient);
		double steps = steps_of(part);

		/* All of the transient; at most a little of the rest. */
		assert_true(steps <= 500 - (double)transient);
		assert_true(steps >= 0.8 * (500 - (double)transient) - 5);
		assert_close((double)part.elapsed_ns / steps, 100000, 1500);
	}
}

static void a_run_steady_from_the_start_is_kept(void **state)
{
	(void)state;
	for (uint64_t steps = 50; steps <= 2000; steps += 65)
		/* MSER may cut half at most; noise makes it cut little. */
		assert_true(steps_of(run(steps, 0)) >= (double)steps / 2 - 5);
	assert_true(steps_of(run(2000, 0)) >= 1500);
}

static void no_more_than_half_is_cut(void **state)
{
	static struct steady steady;

	(void)state;
	/* Slower and slower: every cut would look better than none. */
	memset(&steady, 0, sizeof(steady));
	for (int64_t i = 0; i < 1000; i++)
		steady_add(&steady, 1000 * i * i, 40000);
	assert_true(steps_of(steady_part(&steady)) >= 500);
}

static void constant_steps_are_all_kept(void **state)
{
	static struct steady steady;

	(void)state;
	memset(&steady, 0, sizeof(steady));
	for (int i = 0; i < 500; i++)
		steady_add(&steady, 100000, 40000);
	assert_int_equal(steady_part(&steady).elapsed_ns, 500 * 100000);
	assert_true(steady_part(&steady).busy_ns == 500 * 40000);
}

/* A run of any length fits: bins are merged, sums stay. */
static void merging_loses_nothing(void **state)
{
	static struct steady steady;
	struct steady_bin whole = { 0, 0 };

	(void)state;
	memset(&steady, 0, sizeof(steady));
	for (uint64_t i = 0; i < 100000; i++) {
		struct steady_bin sum = { 0, 0 };

		steady_add(&steady, step_ns(i, 0), i);
		whole.elapsed_ns += step_ns(i, 0);
		whole.busy_ns += i;
		if (i % 997 != 0)
			continue;
		for (uint32_t b = 0; b < steady.full; b++) {
			sum.elapsed_ns += steady.bins[b].elapsed_ns;
			sum.busy_ns += steady.bins[b].busy_ns;
		}
		if (steady.open_steps > 0) {
			sum.elapsed_ns += steady.bins[steady.full].elapsed_ns;
			sum.busy_ns += steady.bins[steady.full].busy_ns;
		}
		assert_true(sum.elapsed_ns == whole.elapsed_ns);
		assert_true(sum.busy_ns == whole.busy_ns);
	}
	assert_true(steady.full <= STEADY_BINS);
	assert_true(steady.full >= STEADY_BINS / 2);
}

static void a_transient_of_a_long_run_is_cut(void **state)
{
	struct steady_bin part = run(100000, 20000);
	double steps = steps_of(part);

	(void)state;
	assert_true(steps <= 80000);
	assert_true(steps >= 70000);
	assert_close((double)part.elapsed_ns / steps, 100000, 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_short_run_has_no_steady_part),
		cmocka_unit_test(a_transient_is_cut),
		cmocka_unit_test(a_run_steady_from_the_start_is_kept),
		cmocka_unit_test(no_more_than_half_is_cut),
		cmocka_unit_test(constant_steps_are_all_kept),
		cmocka_unit_test(merging_loses_nothing),
		cmocka_unit_test(a_transient_of_a_long_run_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
