/* SPDX-License-Identifier: MIT */
#include "tests/support/works.h"

#include <math.h>
#include <stdint.h>

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

double table_ns[TABLE_EXAMPLES];

void work_constant(void)
{
	for (int i = 0; i < TABLE_EXAMPLES; i++)
		table_ns[i] = 10e6;
}

void work_slow_one_in_sixteen(void)
{
	for (int i = 0; i < TABLE_EXAMPLES; i++)
		table_ns[i] = i % 16 ? 10e6 : 160e6;
}

void work_lognormal(void)
{
	twister_seed(1);
	for (int i = 0; i < TABLE_EXAMPLES; i++)
		table_ns[i] = twister_lognormal(-4.605170185988091, 1) * 1e9;
}
