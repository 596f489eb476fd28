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
