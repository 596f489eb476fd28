/* SPDX-License-Identifier: MIT */
/*
 * Counter-based random numbers. A draw is a pure function of (seed, stream,
 * index): it does not depend on what was drawn before, so a live run, whose
 * completions come in another order, draws the same values as a simulated one.
 */
#ifndef SIM_RANDOM_H
#define SIM_RANDOM_H

#include <stdint.h>

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
};

/* One named, independent sequence of 64-bit numbers. */
struct random_stream {
	uint64_t key;
};

struct random_stream random_stream(uint64_t seed, enum random_purpose purpose);

/* A stream within a stream, e.g. one per host or per epoch. */
struct random_stream random_substream(struct random_stream stream,
				      uint64_t index);

/* The index-th number of the stream, uniform over all 64-bit values. */
uint64_t random_bits(struct random_stream stream, uint64_t index);

/* 64 random bits as a number in the open interval (0, 1). */
double random_unit(uint64_t bits);

/* 64 random bits as an integer in [0, bound); bound > 0. */
uint64_t random_below(uint64_t bits, uint64_t bound);

#endif
