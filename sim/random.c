/* SPDX-License-Identifier: MIT */
#include "sim/random.h"

/* The golden ratio's fraction: successive multiples spread evenly. */
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

/* A bijection of 64 bits in which every input bit reaches every output bit
 * (xor-shift-multiply with Stafford's constants, variant 13). */
static uint64_t mix(uint64_t bits)
{
	bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
	return bits ^ (bits >> 31);
}

struct random_stream random_stream(uint64_t seed, enum random_purpose purpose)
{
	struct random_stream root = { mix(seed + GOLDEN) };

	return random_substream(root, (uint64_t)purpose);
}

struct random_stream random_substream(struct random_stream stream,
				      uint64_t index)
{
	return (struct random_stream){ mix(stream.key ^ mix(index + GOLDEN)) };
}

uint64_t random_bits(struct random_stream stream, uint64_t index)
{
	/* The key enters twice, so that two streams are not the same sequence
	 * at another place. */
	uint64_t bits = stream.key + (index + 1) * GOLDEN;

	bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ (bits >> 27) ^ stream.key) *
	       UINT64_C(0x94d049bb133111eb);
	return bits ^ (bits >> 31);
}

double random_unit(uint64_t bits)
{
	/* 52 bits and a half, so that neither 0 nor 1 can come. */
	return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

uint64_t random_below(uint64_t bits, uint64_t bound)
{
	/* The high word of bits * bound, from 32-bit halves. */
	uint64_t low = (bits & UINT32_MAX) * (bound & UINT32_MAX);
	uint64_t middle_a = (bits >> 32) * (bound & UINT32_MAX) + (low >> 32);
	uint64_t middle_b =
		(bits & UINT32_MAX) * (bound >> 32) + (middle_a & UINT32_MAX);

	return (bits >> 32) * (bound >> 32) + (middle_a >> 32) +
	       (middle_b >> 32);
}
