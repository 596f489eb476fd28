/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "storage/pack/source.h"
#include "storage/zstd.h"

#define BLOCK_BYTES 512u

static uint8_t *read_all(const struct synthetic *options, size_t *size)
{
	struct fault fault = { 0 };
	struct source *source;
	uint8_t *content = NULL;
	uint64_t examples = 0;
	uint64_t bytes;

	*size = 0;
	assert_int_equal(source_open_synthetic(&source, options), 0);
	while (source_next(source, &bytes, &fault) == 1) {
		content = realloc(content, *size + bytes);
		assert_non_null(content);
		assert_int_equal(source_read(source, content + *size, &fault),
				 0);
		*size += bytes;
		examples++;
	}
	assert_int_equal(examples, options->examples);
	source_close(source);
	return content;
}

static struct synthetic options_of(uint64_t examples, double bytes,
				   double ratio)
{
	return (struct synthetic){
		.seed = 1,
		.examples = examples,
		.bytes = distribution_constant(bytes),
		.ratio = ratio,
	};
}

static void content_is_the_same_for_the_same_seed(void **state)
{
	struct synthetic options = options_of(20, 5000, 2);
	uint8_t *first;
	uint8_t *second;
	size_t size;

	(void)state;
	first = read_all(&options, &size);
	assert_int_equal(size, 20 * 5000);
	second = read_all(&options, &size);
	assert_memory_equal(first, second, size);
	free(second);
	options.seed++;
	second = read_all(&options, &size);
	assert_memory_not_equal(first, second, size);
	free(second);
	free(first);
}

static void content_compresses_to_about_the_ratio_asked_for(void **state)
{
	static const double ratios[] = { 1, 1.2, 1.5, 2, 2.5, 3, 5, 10, 20 };
	static const int levels[] = { 1, 3, 9 };

	(void)state;
	for (unsigned index = 0; index < 27; index++) {
		double ratio = ratios[index / 3];
		struct synthetic options = options_of(4, 200000, ratio);
		struct compressor *compressor;
		double found;
		uint8_t *content;
		uint8_t *stored;
		size_t size;
		size_t bound;
		size_t stored_size;

		content = read_all(&options, &size);
		bound = frame_bound(size);
		stored = malloc(bound);
		assert_int_equal(
			compressor_open(&compressor, levels[index % 3]), 0);
		assert_int_equal(compressor_run(compressor, content, size,
						stored, bound, &stored_size),
				 0);
		compressor_close(compressor);
		found = (double)size / (double)stored_size;
		assert_true(found > 0.9 * ratio);
		assert_true(found < 1.1 * ratio);
		free(stored);
		free(content);
	}
}

static int compare_blocks(const void *left, const void *right)
{
	return memcmp(left, right, BLOCK_BYTES);
}

/* Storage that stores equal blocks once would not give honest figures. */
static void no_two_blocks_are_equal(void **state)
{
	static const double ratios[] = { 1, 2, 10, 1000 };

	(void)state;
	for (unsigned index = 0; index < 4; index++) {
		struct synthetic options =
			options_of(200, 20 * BLOCK_BYTES, ratios[index]);
		uint8_t *content;
		size_t size;

		content = read_all(&options, &size);
		qsort(content, size / BLOCK_BYTES, BLOCK_BYTES, compare_blocks);
		for (size_t at = BLOCK_BYTES; at < size; at += BLOCK_BYTES)
			assert_memory_not_equal(content + at - BLOCK_BYTES,
						content + at, BLOCK_BYTES);
		free(content);
	}
}

static void sizes_follow_their_distribution(void **state)
{
	struct synthetic options = options_of(20000, 0, 1);
	struct fault fault = { 0 };
	struct source *source;
	uint64_t bytes;
	double sum = 0;

	(void)state;
	options.bytes = (struct distribution){
		.kind = DISTRIBUTION_LOGNORMAL,
		.mean = 1000,
		.stdev = 500,
	};
	assert_int_equal(source_open_synthetic(&source, &options), 0);
	while (source_next(source, &bytes, &fault) == 1) {
		assert_true(bytes >= 1);
		sum += (double)bytes;
	}
	source_close(source);
	/* Four standard errors: 4 x 500 / sqrt(20000). */
	assert_true(sum / 20000 > 1000 - 14.2);
	assert_true(sum / 20000 < 1000 + 14.2);
}

/* An example of nothing could not be told from another. */
static void an_example_has_at_least_one_byte(void **state)
{
	struct synthetic options = options_of(10, 0, 1);
	size_t size;

	(void)state;
	free(read_all(&options, &size));
	assert_int_equal(size, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(content_is_the_same_for_the_same_seed),
		cmocka_unit_test(
			content_compresses_to_about_the_ratio_asked_for),
		cmocka_unit_test(no_two_blocks_are_equal),
		cmocka_unit_test(sizes_follow_their_distribution),
		cmocka_unit_test(an_example_has_at_least_one_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
