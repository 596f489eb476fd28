/* SPDX-License-Identifier: MIT */
/*
 * A seeded order of 0 .. count-1, made lazily: position i asks for its value
 * alone, so a new order of any number of things needs no memory. An unbalanced
 * Feistel network permutes the next power of two; values beyond the count walk
 * on along their cycle until they fall inside.
 */
#ifndef SIM_PERMUTATION_H
#define SIM_PERMUTATION_H

#include <stdint.h>

#include "sim/random.h"

struct permutation {
	uint64_t count;
	struct random_stream stream;
	uint32_t left_bits;
	uint32_t right_bits;
};

/* count > 0. */
struct permutation permutation_make(uint64_t count,
				    struct random_stream stream);

/* The value at a position; position < count. */
uint64_t permutation_at(const struct permutation *permutation,
			uint64_t position);

/* The position that has a value: the inverse of permutation_at(). */
uint64_t permutation_find(const struct permutation *permutation,
			  uint64_t value);

#endif
