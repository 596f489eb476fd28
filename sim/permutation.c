/* SPDX-License-Identifier: MIT */
#include "sim/permutation.h"

#include "sim/check.h"

#define ROUNDS 6

struct permutation permutation_make(uint64_t count, struct random_stream stream)
{
	uint32_t bits = 1;

	CHECK(count > 0);
	while (bits < 63 && count > UINT64_C(1) << bits)
		bits++;
	return (struct permutation){
		.count = count,
		.stream = stream,
		.left_bits = bits / 2,
		.right_bits = bits - bits / 2,
	};
}

/* Xors one half with a function of the other; its own inverse. */
static uint64_t round_apply(const struct permutation *permutation,
			    uint64_t value, uint32_t round)
{
	uint32_t right_bits = permutation->right_bits;
	uint64_t right_mask = (UINT64_C(1) << right_bits) - 1;
	uint64_t left_mask = (UINT64_C(1) << permutation->left_bits) - 1;
	uint64_t left = value >> right_bits;
	uint64_t right = value & right_mask;

	if (round % 2 == 0)
		left ^= random_bits(permutation->stream,
				    right * ROUNDS + round) &
			left_mask;
	else
		right ^= random_bits(permutation->stream,
				     left * ROUNDS + round) &
			 right_mask;
	return left << right_bits | right;
}

uint64_t permutation_at(const struct permutation *permutation,
			uint64_t position)
{
	uint64_t value = position;

	CHECK(position < permutation->count);
	do {
		for (uint32_t round = 0; round < ROUNDS; round++)
			value = round_apply(permutation, value, round);
	} while (value >= permutation->count);
	return value;
}

uint64_t permutation_find(const struct permutation *permutation, uint64_t value)
{
	uint64_t position = value;

	CHECK(value < permutation->count);
	do {
		for (uint32_t round = ROUNDS; round-- > 0;)
			position = round_apply(permutation, position, round);
	} while (position >= permutation->count);
	return position;
}
