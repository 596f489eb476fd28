/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "storage/dataset/seekable.h"

/* Two frames of 10 and 20 bytes, by hand from the format's specification. */
static const uint8_t two_frames[] = {
	0x5e, 0x2a, 0x4d, 0x18, 33,   0,    0,	  0, /* skippable frame */
	10,   0,    0,	  0,	100,  0,    0,	  0,	1,
	2,    3,    4, /* frame 0 */
	20,   0,    0,	  0,	200,  0,    0,	  0,	5,
	6,    7,    8, /* frame 1 */
	2,    0,    0,	  0,	0x80, 0xb1, 0xea, 0x92, 0x8f,
};
#define TWO_FRAMES_FILE (30 + sizeof(two_frames))

/* The same without checksums. */
static const uint8_t two_plain[] = {
	0x5e, 0x2a, 0x4d, 0x18, 25, 0,	0,    0,    10,	  0,	0,
	0,    100,  0,	  0,	0,  20, 0,    0,    0,	  200,	0,
	0,    0,    2,	  0,	0,  0,	0x00, 0xb1, 0xea, 0x92, 0x8f,
};

static int parse(const uint8_t *table, size_t size, uint64_t file_bytes)
{
	struct fault fault = { 0 };
	struct seekable seekable;
	uint8_t *copy = malloc(size ? size : 1);
	int error;

	/* Exactly as long, so that a sanitizer sees a read beyond it. */
	assert_non_null(copy);
	memcpy(copy, table, size);
	error = seekable_parse(&seekable, copy, size, file_bytes, &fault);
	if (error)
		assert_true(fault.text[0] != 0);
	free(copy);
	return error;
}

static void a_table_is_written_as_the_specification_says(void **state)
{
	const struct seekable_entry entries[] = {
		{ 10, 100, 0x04030201 },
		{ 20, 200, 0x08070605 },
	};
	uint8_t table[sizeof(two_frames)];

	(void)state;
	assert_int_equal(seekable_table_bytes(2), sizeof(table));
	seekable_write(table, entries, 2);
	assert_memory_equal(table, two_frames, sizeof(table));
}

static void a_table_is_read_with_and_without_checksums(void **state)
{
	struct fault fault = { 0 };
	struct seekable seekable;
	struct seekable_entry entry;

	(void)state;
	assert_int_equal(seekable_parse(&seekable, two_frames,
					sizeof(two_frames), TWO_FRAMES_FILE,
					&fault),
			 0);
	assert_int_equal(seekable.frames, 2);
	entry = seekable_entry(&seekable, 1);
	assert_int_equal(entry.stored_bytes, 20);
	assert_int_equal(entry.content_bytes, 200);
	assert_int_equal(entry.checksum, 0x08070605);

	assert_int_equal(seekable_parse(&seekable, two_plain, sizeof(two_plain),
					30 + sizeof(two_plain), &fault),
			 0);
	entry = seekable_entry(&seekable, 1);
	assert_int_equal(entry.stored_bytes, 20);
	assert_int_equal(entry.content_bytes, 200);
}

static void the_footer_tells_the_size_of_the_table(void **state)
{
	const uint8_t *footer =
		two_frames + sizeof(two_frames) - SEEKABLE_FOOTER_BYTES;
	uint8_t wrong[SEEKABLE_FOOTER_BYTES];

	(void)state;
	assert_int_equal(seekable_find(footer, TWO_FRAMES_FILE),
			 sizeof(two_frames));
	/* The file is too small for that table. */
	assert_int_equal(seekable_find(footer, sizeof(two_frames) - 1), 0);
	/* Each of the bits that must be zero. */
	for (unsigned bit = 2; bit < 7; bit++) {
		memcpy(wrong, footer, sizeof(wrong));
		wrong[4] |= (uint8_t)(1u << bit);
		assert_int_equal(seekable_find(wrong, TWO_FRAMES_FILE), 0);
	}
	/* More frames than the format allows. */
	memcpy(wrong, footer, sizeof(wrong));
	wrong[3] = 0x10;
	assert_int_equal(seekable_find(wrong, UINT64_MAX), 0);
}

static void a_table_is_refused_at_every_other_length(void **state)
{
	(void)state;
	for (size_t size = 0; size < sizeof(two_frames); size++) {
		assert_int_equal(parse(two_frames, size, TWO_FRAMES_FILE),
				 -EBADMSG);
		assert_int_equal(parse(two_frames + sizeof(two_frames) - size,
				       size, TWO_FRAMES_FILE),
				 -EBADMSG);
	}
}

static void frames_and_table_must_fill_the_file(void **state)
{
	(void)state;
	assert_int_equal(parse(two_frames, sizeof(two_frames), TWO_FRAMES_FILE),
			 0);
	assert_int_equal(parse(two_frames, sizeof(two_frames),
			       TWO_FRAMES_FILE - 1),
			 -EBADMSG);
	assert_int_equal(parse(two_frames, sizeof(two_frames),
			       TWO_FRAMES_FILE + 1),
			 -EBADMSG);
}

/* Content sizes and checksums can be anything as far as the table goes; every
 * other bit is checked. */
static void
flipped_bits_outside_of_contents_and_checksums_are_refused(void **state)
{
	(void)state;
	for (size_t bit = 0; bit < sizeof(two_frames) * 8; bit++) {
		uint8_t table[sizeof(two_frames)];
		size_t at = bit / 8;
		int free_to_be_anything;

		memcpy(table, two_frames, sizeof(table));
		table[at] ^= (uint8_t)(1u << bit % 8);
		free_to_be_anything = (at >= 12 && at < 20) ||
				      (at >= 24 && at < 32) ||
				      (at == 36 && bit % 8 < 2);
		if (!free_to_be_anything)
			assert_int_equal(parse(table, sizeof(table),
					       TWO_FRAMES_FILE),
					 -EBADMSG);
	}
}

static void a_frame_of_more_than_a_gibibyte_is_refused(void **state)
{
	uint8_t table[sizeof(two_frames)];

	(void)state;
	memcpy(table, two_frames, sizeof(table));
	memcpy(table + 12, "\x00\x00\x00\x40", 4);
	assert_int_equal(parse(table, sizeof(table), TWO_FRAMES_FILE), 0);
	memcpy(table + 12, "\x01\x00\x00\x40", 4);
	assert_int_equal(parse(table, sizeof(table), TWO_FRAMES_FILE),
			 -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_is_written_as_the_specification_says),
		cmocka_unit_test(a_table_is_read_with_and_without_checksums),
		cmocka_unit_test(the_footer_tells_the_size_of_the_table),
		cmocka_unit_test(a_table_is_refused_at_every_other_length),
		cmocka_unit_test(frames_and_table_must_fill_the_file),
		cmocka_unit_test(
			flipped_bits_outside_of_contents_and_checksums_are_refused),
		cmocka_unit_test(a_frame_of_more_than_a_gibibyte_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
