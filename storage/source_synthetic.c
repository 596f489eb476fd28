/* SPDX-License-Identifier: MIT */
/*
 * Content is made in units of 512 bytes: 8 random bytes that make the unit
 * unique, then symbols of 4 to 8 random bits each, which an entropy coder can
 * shrink, then for ratios above 2 a run of one byte, which a match finder
 * can. So a decompressor has both kinds of work, as it has with real data.
 */
#include "storage/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/random.h"

#define UNIT_BYTES 512u
#define UNIQUE_BYTES 8u
#define SYMBOL_BITS_MIN 4.0

struct synthetic_source {
	struct source base;
	struct synthetic options;
	struct random_stream sizes;
	struct random_stream contents;
	uint64_t index; /* of the current example, plus 1 */
	uint64_t bytes;
	uint32_t narrow_bytes; /* of a unit: symbols of narrow_bits */
	uint32_t wide_bytes;   /* symbols of one bit more */
	uint32_t narrow_bits;
};

static int synthetic_next(struct source *source, uint64_t *bytes,
			  struct fault *fault)
{
	struct synthetic_source *self = (struct synthetic_source *)source;
	int64_t drawn;

	(void)fault;
	if (self->index == self->options.examples)
		return 0;
	drawn = distribution_draw(&self->options.bytes,
				  random_bits(self->sizes, self->index));
	self->index++;
	self->bytes = drawn > 1 ? (uint64_t)drawn : 1;
	*bytes = self->bytes;
	return 1;
}

/* Writes `size` symbols of `bits` random bits each, 8 per random number. */
static void put_symbols(uint8_t *to, uint32_t size, uint32_t bits,
			struct random_stream stream, uint64_t *counter)
{
	const uint64_t mask = UINT64_C(0x0101010101010101) * ((1u << bits) - 1);

	while (size > 0) {
		uint64_t random = random_bits(stream, (*counter)++) & mask;
		uint32_t some = size < 8 ? size : 8;

		memcpy(to, &random, some);
		to += some;
		size -= some;
	}
}

static int synthetic_read(struct source *source, void *to, struct fault *fault)
{
	struct synthetic_source *self = (struct synthetic_source *)source;
	struct random_stream stream =
		random_substream(self->contents, self->index - 1);
	uint8_t *at = to;
	uint64_t left = self->bytes;
	uint64_t counter = 0;

	(void)fault;
	while (left > 0) {
		uint8_t unit[UNIT_BYTES] = { 0 };
		uint64_t some = left < UNIT_BYTES ? left : UNIT_BYTES;

		put_symbols(unit, UNIQUE_BYTES, 8, stream, &counter);
		put_symbols(unit + UNIQUE_BYTES, self->narrow_bytes,
			    self->narrow_bits, stream, &counter);
		put_symbols(unit + UNIQUE_BYTES + self->narrow_bytes,
			    self->wide_bytes, self->narrow_bits + 1, stream,
			    &counter);
		memcpy(at, unit, some);
		at += some;
		left -= some;
	}
	return 0;
}

static void synthetic_close(struct source *source)
{
	free(source);
}

static const struct source_kind kind_synthetic = {
	.next = synthetic_next,
	.read = synthetic_read,
	.close = synthetic_close,
};

/* Shares a unit out so that its random bits are 1/ratio of all its bits. */
static void share_out(struct synthetic_source *self, double ratio)
{
	double bits = (UNIT_BYTES / ratio - UNIQUE_BYTES) * 8;
	double each = bits / (UNIT_BYTES - UNIQUE_BYTES);
	double symbols = UNIT_BYTES - UNIQUE_BYTES;

	if (each < SYMBOL_BITS_MIN) {
		each = SYMBOL_BITS_MIN;
		symbols = bits > 0 ? bits / each : 0;
	}
	self->narrow_bits = each >= 8 ? 7 : (uint32_t)each;
	self->wide_bytes =
		(uint32_t)((each - self->narrow_bits) * symbols + 0.5);
	self->narrow_bytes = (uint32_t)symbols - self->wide_bytes;
}

int source_open_synthetic(struct source **out, const struct synthetic *options)
{
	struct synthetic_source *self;

	CHECK(options->ratio >= 1);
	self = calloc(1, sizeof(*self));
	if (!self)
		return -ENOMEM;
	self->base.kind = &kind_synthetic;
	self->options = *options;
	distribution_prepare(&self->options.bytes);
	self->sizes = random_stream(options->seed, RANDOM_EXAMPLE_BYTES);
	self->contents = random_stream(options->seed, RANDOM_SYNTHETIC_CONTENT);
	share_out(self, options->ratio);
	*out = &self->base;
	return 0;
}
