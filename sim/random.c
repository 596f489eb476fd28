/* SPDX-License-Identifier: MIT */
#include "sim/random.h"

/* A bijection of 64 bits in which every input bit reaches every output
 * bit. */
static uint64_t mix(uint64_t bits)
{
	bits = (bits ^ (bits >> 30)) * RANDOM_MULTIPLIER_A;
	bits = (bits ^ (bits >> 27)) * RANDOM_MULTIPLIER_B;
	return bits ^ (bits >> 31);
}

struct random_stream random_stream(uint64_t seed, enum random_purpose purpose)
{
	struct random_stream root = { mix(seed + RANDOM_GOLDEN) };

	return random_substream(root, (uint64_t)purpose);
}

struct random_stream random_substream(struct random_stream stream,
				      uint64_t index)
{
	return (struct random_stream){ mix(stream.key ^
					   mix(index + RANDOM_GOLDEN)) };
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
