/* SPDX-License-Identifier: MIT */
/*
 * A loader of workers on three kinds of work that loaders of all makes were
 * put to: constant, one slow example in sixteen, and lognormal, in batches of
 * 8 and of 32. What PyTorch's protocol makes of them was found by a program of
 * another hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/crews.h"

/* Python's random.Random(1): the Mersenne Twister of Matsumoto and Nishimura,
 * seeded as init_by_array() does, in numbers of 53 bits. */
#define TWISTER_SIZE 624

static uint32_t twister[TWISTER_SIZE];
static int twisted = TWISTER_SIZE;

static void twister_seed(uint32_t key)
{
	twister[0] = 19650218;
	for (uint32_t i = 1; i < TWISTER_SIZE; i++)
		twister[i] =
			1812433253 * (twister[i - 1] ^ twister[i - 1] >> 30) +
			i;
	for (uint32_t k = 0, i = 1; k < 2 * TWISTER_SIZE - 1; k++) {
		uint32_t mixed = twister[i - 1] ^ twister[i - 1] >> 30;

		if (k < TWISTER_SIZE)
			twister[i] = (twister[i] ^ mixed * 1664525) + key;
		else
			twister[i] = (twister[i] ^ mixed * 1566083941) - i;
		if (++i == TWISTER_SIZE) {
			twister[0] = twister[TWISTER_SIZE - 1];
			i = 1;
		}
	}
	twister[0] = 0x80000000;
	twisted = TWISTER_SIZE;
}

static void twister_twist(void)
{
	for (int i = 0; i < TWISTER_SIZE; i++) {
		uint32_t bits = (twister[i] & 0x80000000) |
				(twister[(i + 1) % TWISTER_SIZE] & 0x7fffffff);

		twister[i] = twister[(i + 397) % TWISTER_SIZE] ^ bits >> 1 ^
			     (bits & 1 ? 0x9908b0df : 0);
	}
	twisted = 0;
}

static uint32_t twister_bits(void)
{
	uint32_t bits;

	if (twisted == TWISTER_SIZE)
		twister_twist();
	bits = twister[twisted++];
	bits ^= bits >> 11;
	bits ^= bits << 7 & 0x9d2c5680;
	bits ^= bits << 15 & 0xefc60000;
	return bits ^ bits >> 18;
}

static double twister_unit(void)
{
	uint32_t high = twister_bits() >> 5;
	uint32_t low = twister_bits() >> 6;

	return (high * 67108864.0 + low) / 9007199254740992.0;
}

/* Its lognormvariate(): the normal one by Kinderman and Monahan. */
static double twister_lognormal(double mean, double stdev)
{
	const double magic = 4 * exp(-0.5) / sqrt(2.0);
	double z, first, second;

	do {
		first = twister_unit();
		second = 1 - twister_unit();
		z = magic * (first - 0.5) / second;
	} while (z * z / 4 > -log(second));
	return exp(mean + z * stdev);
}

#define TABLE_EXAMPLES 1600

static double table_ns[TABLE_EXAMPLES];

static void work_constant(void)
{
	for (int i = 0; i < TABLE_EXAMPLES; i++)
		table_ns[i] = 10e6;
}

static void work_slow_one_in_sixteen(void)
{
	for (int i = 0; i < TABLE_EXAMPLES; i++)
		table_ns[i] = i % 16 ? 10e6 : 160e6;
}

static void work_lognormal(void)
{
	twister_seed(1);
	for (int i = 0; i < TABLE_EXAMPLES; i++)
		table_ns[i] = twister_lognormal(-4.605170185988091, 1) * 1e9;
}

/* Eight workers, two batches out for each. Where slow batches are not waited
 * for, many things fall on one instant, and in seconds as binary fractions
 * their rounding decides which comes first (last hand-over 4.0400); the row has
 * what another program makes of it in whole nanoseconds. */
static const struct {
	void (*work)(void);
	uint32_t batch_size;
	bool in_order;
	double first_s, last_s, au; /* first_s < 0: not given */
} table_0[] = {
	{ work_constant, 8, true, .0800, 2.4680, 1.0000 },
	{ work_constant, 8, false, .0800, 2.4680, 1.0000 },
	{ work_slow_one_in_sixteen, 8, true, .2300, 5.8340, .4261 },
	{ work_slow_one_in_sixteen, 8, false, .0800, 4.0320, .6043 },
	{ work_lognormal, 8, true, .1434, 4.1212, .6003 },
	{ work_lognormal, 8, false, .0518, 3.4136, .7103 },
	{ work_slow_one_in_sixteen, 32, true, -1, 4.3880, .6242 },
	{ work_slow_one_in_sixteen, 32, false, -1, 4.3880, .6242 },
	{ work_lognormal, 32, true, -1, 4.0204, .6774 },
	{ work_lognormal, 32, false, -1, 3.4930, .7402 },
};

static void eight_workers_fare_as_pytorch_s_do(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table_0) / sizeof(table_0[0]); i++) {
		struct pipeline pipeline = crew_pipeline(TABLE_EXAMPLES, 8, 2,
							 table_0[i].in_order);
		double step_s = 0.0015 * table_0[i].batch_size;

		table_0[i].work();
		pipeline.batch_size = table_0[i].batch_size;
		pipeline.stages[STAGE_DECODE].time_ns =
			crew_cycle(table_ns, TABLE_EXAMPLES);
		pipeline.accelerators.step_ns = seconds(step_s);
		crew_run(&pipeline, 0);
		if (table_0[i].first_s >= 0)
			assert_close(seconds_of(handovers.times_ns[0]),
				     table_0[i].first_s, 1e-4);
		assert_close(handovers_last_s(), table_0[i].last_s, 1e-4);
		assert_close(handovers_au(step_s), table_0[i].au, 1e-4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_workers_fare_as_pytorch_s_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
