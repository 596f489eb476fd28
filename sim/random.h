/* SPDX-License-Identifier: MIT */
/*
 * Counter-based random numbers. A draw is a pure function of (seed, stream,
 * index): it does not depend on what was drawn before, so a live run, whose
 * completions come in another order, draws the same values as a simulated one.
 */
#ifndef SIM_RANDOM_H
#define SIM_RANDOM_H

#include <stdint.h>

/* The golden ratio's fraction, whose multiples spread evenly, and Stafford's
 * constants (variant 13) for mixing by xor, shift and multiplication. */
#define RANDOM_GOLDEN UINT64_C(0x9e3779b97f4a7c15)
#define RANDOM_MULTIPLIER_A UINT64_C(0xbf58476d1ce4e5b9)
#define RANDOM_MULTIPLIER_B UINT64_C(0x94d049bb133111eb)

/* What a number is drawn for. A new purpose goes at the end: the place in
 * this list is part of every result. */
enum random_purpose {
	RANDOM_EXAMPLE_BYTES,
	RANDOM_EPOCH_ORDER,
	RANDOM_DEVICE_LATENCY,
	RANDOM_DECOMPRESS_TIME,
	RANDOM_DECODE_TIME,
	RANDOM_AUGMENT_TIME,
	RANDOM_COLLATE_TIME,
	RANDOM_STEP_TIME,
	RANDOM_ALLREDUCE_TIME,
	RANDOM_SHUFFLE,
	RANDOM_SHUFFLE_BATCHES,
	RANDOM_ECHO_COPIES,
	RANDOM_SYNTHETIC_CONTENT,
	RANDOM_DEVICE_TAIL,
	RANDOM_DEVICE_ERROR,
	RANDOM_CACHE_LATENCY,
	RANDOM_PROBE,
	RANDOM_LEARN_WEIGHTS,
	RANDOM_LEARN_VIEW,
	RANDOM_LEARN_TEACHER,
	RANDOM_DEVICE_METADATA,
	RANDOM_PIN_TIME,
	RANDOM_HANDOVER_TIME,
};

/* One named, independent sequence of 64-bit numbers. */
struct random_stream {
	uint64_t key;
};

struct random_stream random_stream(uint64_t seed, enum random_purpose purpose);

/* A stream within a stream, e.g. one per host or per epoch. */
struct random_stream random_substream(struct random_stream stream,
				      uint64_t index);

/* The index-th number of the stream, uniform over all 64-bit values. The key
 * enters twice, so that two streams are not one sequence at two places. */
static inline uint64_t random_bits(struct random_stream stream, uint64_t index)
{
	uint64_t bits = stream.key + (index + 1) * RANDOM_GOLDEN;

	bits = (bits ^ (bits >> 30)) * RANDOM_MULTIPLIER_A;
	bits = (bits ^ (bits >> 27) ^ stream.key) * RANDOM_MULTIPLIER_B;
	return bits ^ (bits >> 31);
}

/* 64 random bits as a number in the open interval (0, 1): 52 of them and a
 * half, so that neither end can come. */
static inline double random_unit(uint64_t bits)
{
	return ((double)(int64_t)(bits >> 12) + 0.5) * 0x1p-52;
}

/* 64 random bits as an integer in [0, bound), bound > 0: the high word of
 * bits * bound, from 32-bit halves. */
static inline uint64_t random_below(uint64_t bits, uint64_t bound)
{
	uint64_t low = (bits & UINT32_MAX) * (bound & UINT32_MAX);
	uint64_t middle = (bits >> 32) * (bound & UINT32_MAX) + (low >> 32);
	uint64_t high;

	if (bound <= UINT32_MAX) /* nearly always; the rest is zero */
		return middle >> 32;
	high = (bits & UINT32_MAX) * (bound >> 32) + (middle & UINT32_MAX);
	return (bits >> 32) * (bound >> 32) + (middle >> 32) + (high >> 32);
}

#endif
