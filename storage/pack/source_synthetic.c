/* SPDX-License-Identifier: MIT */
/*
 * Content is made in units of 512 bytes: symbols drawn evenly from an alphabet
 * of 64 to 256 bytes, which an entropy coder shrinks, then for ratios above 4/3
 * a run of one byte, which a match finder shrinks. So a decompressor has both
 * kinds of work, as it has with real data. A unit has at least 96 random bits,
 * so that no two are equal. With fewer symbols short strings would repeat by
 * chance, and coders waste their time on them.
 */
#include "storage/pack/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/math.h"
#include "sim/random.h"

#define UNIT_BYTES 512u
#define SYMBOLS_MIN 16u
#define ALPHABET_MIN 64u
/* Of a symbol from the smallest alphabet: 6 of 8 bits. */
#define SYMBOL_BYTES_MIN 0.75
#define LOG_256 5.545177444479562
/* About what a run costs where it is encoded. */
#define RUN_BYTES 3

struct synthetic_source {
	struct source base;
	struct synthetic options;
	struct random_stream sizes;
	struct random_stream contents;
	uint64_t index; /* of the current example, plus 1 */
	uint64_t bytes;
	uint32_t alphabet;
	uint32_t symbols; /* in a unit */
};

static int synthetic_next(struct source *source, uint64_t *bytes,
			  struct fault *fault)
{
	struct synthetic_source *self = (struct synthetic_source *)source;
	int64_t drawn;

	(void)fault;
	if (self->index == self->options.examples)
		return 0;
	drawn = distribution_draw_at(&self->options.bytes, self->sizes,
				     self->index);
	self->index++;
	self->bytes = drawn > 1 ? (uint64_t)drawn : 1;
	*bytes = self->bytes;
	return 1;
}

/* Fills a unit's symbols: each from 16 bits of a random number. */
static void put_symbols(const struct synthetic_source *self, uint8_t *unit,
			struct random_stream stream, uint64_t *counter)
{
	uint64_t random = 0;

	for (uint32_t index = 0; index < self->symbols; index++) {
		if (index % 4 == 0)
			random = random_bits(stream, (*counter)++);
		unit[index] =
			(uint8_t)((random & 0xffff) * self->alphabet >> 16);
		random >>= 16;
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
	uint8_t unit[UNIT_BYTES] = { 0 };

	(void)fault;
	while (left > 0) {
		uint64_t some = left < UNIT_BYTES ? left : UNIT_BYTES;

		put_symbols(self, unit, stream, &counter);
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

/* An alphabet of 256 ^ (1/ratio) symbols does it alone down to the smallest. */
static void share_out(struct synthetic_source *self, double ratio)
{
	double room = UNIT_BYTES / ratio - RUN_BYTES;

	self->alphabet = (uint32_t)(math_exp(LOG_256 / ratio) + 0.5);
	self->symbols = UNIT_BYTES;
	if (self->alphabet >= ALPHABET_MIN)
		return;
	self->alphabet = ALPHABET_MIN;
	self->symbols = SYMBOLS_MIN;
	if (room > SYMBOLS_MIN * SYMBOL_BYTES_MIN)
		self->symbols = (uint32_t)(room / SYMBOL_BYTES_MIN);
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
