/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/checksum.h"
#include "storage/dataset/manifest.h"

static const struct manifest sample = {
	.format = "shards",
	.examples = 1281167,
	.blocks = 600000,
	.shards = 1025,
	.content_bytes = 18446744073709551615u,
	.stored_bytes = 0,
	.level = 3,
	.block_bytes = 262144,
	.shard_examples = 1251,
	.catalogue_checksum = 0x0123456789abcdef,
};

static int parse(const char *text, size_t size, struct fault *fault)
{
	char *copy = malloc(size ? size : 1);
	struct manifest manifest;
	int error;

	assert_non_null(copy);
	memcpy(copy, text, size);
	memset(fault, 0, sizeof(*fault));
	error = manifest_parse(&manifest, copy, size, "some", fault);
	if (error)
		assert_true(fault->text[0] != 0);
	free(copy);
	return error;
}

/* A text with its checksum line put right. */
static size_t seal(char *text, const char *lines)
{
	size_t size = strlen(lines);

	memcpy(text, lines, size);
	return size +
	       (size_t)snprintf(text + size, MANIFEST_BYTES_MAX - size,
				"xxh64 %016llx\n",
				(unsigned long long)checksum_of(text, size));
}

#define LINES                                                                  \
	"echosim-dataset 1\nformat lmdb\nexamples 2\nblocks 2\nshards 1\n"     \
	"content_bytes 3\nstored_bytes 4\nlevel 0\nblock_bytes 5\n"            \
	"shard_examples 0\ncatalogue_xxh64 00000000000000ff\n"

static void what_was_printed_is_read_back(void **state)
{
	char text[MANIFEST_BYTES_MAX];
	struct fault fault = { 0 };
	struct manifest back;
	size_t size = manifest_print(text, &sample);

	(void)state;
	assert_int_equal(manifest_parse(&back, text, size, "some", &fault), 0);
	assert_string_equal(back.format, sample.format);
	assert_int_equal(back.examples, sample.examples);
	assert_int_equal(back.blocks, sample.blocks);
	assert_int_equal(back.shards, sample.shards);
	assert_true(back.content_bytes == sample.content_bytes);
	assert_int_equal(back.stored_bytes, sample.stored_bytes);
	assert_int_equal(back.level, sample.level);
	assert_int_equal(back.block_bytes, sample.block_bytes);
	assert_int_equal(back.shard_examples, sample.shard_examples);
	assert_true(back.catalogue_checksum == sample.catalogue_checksum);
}

static void a_manifest_written_by_hand_is_read(void **state)
{
	char text[MANIFEST_BYTES_MAX];
	struct fault fault = { 0 };
	struct manifest manifest;
	size_t size = seal(text, LINES);

	(void)state;
	assert_int_equal(manifest_parse(&manifest, text, size, "some", &fault),
			 0);
	assert_string_equal(manifest.format, "lmdb");
	assert_int_equal(manifest.content_bytes, 3);
	assert_int_equal(manifest.catalogue_checksum, 255);
}

static void it_is_refused_at_every_other_length(void **state)
{
	char text[MANIFEST_BYTES_MAX + 1] = { 0 };
	size_t whole = manifest_print(text, &sample);
	struct fault fault;

	(void)state;
	for (size_t size = 0; size < whole; size++)
		assert_int_equal(parse(text, size, &fault), -EBADMSG);
	assert_int_equal(parse(text, whole + 1, &fault), -EBADMSG);
	assert_int_equal(parse(text, whole, &fault), 0);
}

static void every_flipped_bit_is_noticed(void **state)
{
	char text[MANIFEST_BYTES_MAX];
	size_t size = manifest_print(text, &sample);
	struct fault fault;

	(void)state;
	for (size_t bit = 0; bit < size * 8; bit++) {
		text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
		assert_true(parse(text, size, &fault) < 0);
		text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
	}
}

static void another_version_is_named(void **state)
{
	static const char text[] = "echosim-dataset 2\nanything\n";
	struct fault fault;

	(void)state;
	assert_int_equal(parse(text, strlen(text), &fault), -ENOTSUP);
	assert_string_equal(fault.text,
			    "dataset version 2; this program reads version 1");
	assert_int_equal(fault.line, 1);
}

static void an_edited_line_is_named(void **state)
{
	char text[MANIFEST_BYTES_MAX];
	size_t size = manifest_print(text, &sample);
	struct fault fault;
	char *digit;

	(void)state;
	digit = strstr(text, "blocks ") + strlen("blocks ");
	*digit = 'x';
	assert_int_equal(parse(text, size, &fault), -EBADMSG);
	assert_int_equal(fault.line, 4);
	assert_string_equal(fault.file, "some");
	*digit = '1';
	assert_int_equal(parse(text, size, &fault), -EBADMSG);
	assert_int_equal(fault.line, 12);
}

/* Numbers that are none, all under a right checksum. */
static void impossible_values_are_refused(void **state)
{
	static const struct {
		const char *from;
		const char *to;
	} changes[] = {
		{ "examples 2", "examples -2" },
		{ "examples 2", "examples 0x2" },
		{ "examples 2", "examples  2" },
		{ "examples 2", "examples 2 " },
		{ "examples 2", "examples " },
		{ "examples 2", "examples" },
		{ "examples 2", "examples 18446744073709551616" },
		{ "examples 2", "examples 99999999999999999999999999" },
		{ "format lmdb", "format " },
		{ "format lmdb", "format abcdefghijklmnop" },
		{ "00000000000000ff", "ff" },
		{ "00000000000000ff", "00000000000000FF" },
		{ "level 0\n", "" },
		{ "level 0\n", "level 0\nlevel 0\n" },
		{ "level 0\n", "\nlevel 0\n" },
		{ "dataset 1", "dataset one" },
	};
	char lines[MANIFEST_BYTES_MAX];
	char text[MANIFEST_BYTES_MAX];
	struct fault fault;

	(void)state;
	for (size_t index = 0; index < sizeof(changes) / sizeof(changes[0]);
	     index++) {
		const char *at = strstr(LINES, changes[index].from);

		assert_non_null(at);
		snprintf(lines, sizeof(lines), "%.*s%s%s", (int)(at - LINES),
			 LINES, changes[index].to,
			 at + strlen(changes[index].from));
		assert_int_equal(parse(text, seal(text, lines), &fault),
				 -EBADMSG);
	}
}

static void a_manifest_of_any_version_is_recognised(void **state)
{
	(void)state;
	assert_true(manifest_recognise("echosim-dataset 7\n", 18));
	assert_false(manifest_recognise("echosim-dataset", 15));
	assert_false(manifest_recognise("name: echosim-dataset 1", 23));
	assert_false(manifest_recognise("", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_printed_is_read_back),
		cmocka_unit_test(a_manifest_written_by_hand_is_read),
		cmocka_unit_test(it_is_refused_at_every_other_length),
		cmocka_unit_test(every_flipped_bit_is_noticed),
		cmocka_unit_test(another_version_is_named),
		cmocka_unit_test(an_edited_line_is_named),
		cmocka_unit_test(impossible_values_are_refused),
		cmocka_unit_test(a_manifest_of_any_version_is_recognised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
