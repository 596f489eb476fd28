/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "storage/checksum.h"
#include "storage/zstd.h"
#include "tests/support/examples.h"
#include "tests/support/program.h"
#include "tests/support/temp.h"

#define CONTENT_BYTES 20000u

struct frame {
	uint8_t content[CONTENT_BYTES];
	uint8_t stored[2 * CONTENT_BYTES];
	uint8_t back[CONTENT_BYTES];
	size_t size;
	uint64_t checksum;
	struct decompressor *decompressor;
};

static struct frame *frame_make(int level)
{
	struct frame *frame = calloc(1, sizeof(*frame));
	struct compressor *compressor;

	assert_non_null(frame);
	examples_fill(frame->content, CONTENT_BYTES, 7);
	frame->checksum = checksum_of(frame->content, CONTENT_BYTES);
	assert_true(frame_bound(CONTENT_BYTES) <= sizeof(frame->stored));
	assert_int_equal(compressor_open(&compressor, level), 0);
	assert_int_equal(compressor_run(compressor, frame->content,
					CONTENT_BYTES, frame->stored,
					sizeof(frame->stored), &frame->size),
			 0);
	compressor_close(compressor);
	assert_int_equal(decompressor_open(&frame->decompressor), 0);
	return frame;
}

static void frame_free(struct frame *frame)
{
	decompressor_close(frame->decompressor);
	free(frame);
}

static const char *unpack(struct frame *frame, size_t size)
{
	return decompressor_run(frame->decompressor, frame->stored, size,
				frame->back, CONTENT_BYTES, frame->checksum);
}

static void a_frame_gives_its_content_back_at_every_level(void **state)
{
	(void)state;
	for (int level = 1; level <= FRAME_LEVEL_MAX; level++) {
		struct frame *frame = frame_make(level);

		assert_null(unpack(frame, frame->size));
		assert_memory_equal(frame->back, frame->content, CONTENT_BYTES);
		frame_free(frame);
	}
}

static void the_zstd_program_reads_a_frame(void **state)
{
	struct frame *frame = frame_make(3);
	char path[TEMP_PATH_MAX];
	const char *const command[] = { "zstd", "-dc", path, NULL };
	size_t size;

	assert_int_equal(
		temp_write(*state, "frame.zst", frame->stored, frame->size), 0);
	temp_name(*state, "frame.zst", path);
	assert_int_equal(
		program_run(command, frame->back, CONTENT_BYTES, &size), 0);
	assert_int_equal(size, CONTENT_BYTES);
	assert_memory_equal(frame->back, frame->content, CONTENT_BYTES);
	frame_free(frame);
}

/* The zstd program's own frames from a pipe say no content size. */
static void a_frame_that_does_not_say_its_size_is_refused(void **state)
{
	/* `printf 'hello\n' | zstd -c`, but for the checksum's value. */
	static const uint8_t unsized[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x04,
					   0x58, 0x31, 0x00, 0x00, 'h',
					   'e',	 'l',  'l',  'o',  '\n',
					   0x00, 0x00, 0x00, 0x00 };
	struct decompressor *decompressor;
	uint8_t back[6];

	(void)state;
	assert_int_equal(decompressor_open(&decompressor), 0);
	assert_string_equal(decompressor_run(decompressor, unsized,
					     sizeof(unsized), back,
					     sizeof(back), 0),
			    "has another content size than the catalogue says");
	decompressor_close(decompressor);
}

static void a_truncated_frame_is_refused_at_every_length(void **state)
{
	struct frame *frame = frame_make(3);

	(void)state;
	for (size_t size = 0; size < frame->size; size++)
		assert_non_null(unpack(frame, size));
	frame_free(frame);
}

static void bytes_behind_a_frame_are_refused(void **state)
{
	struct frame *frame = frame_make(3);

	(void)state;
	assert_string_equal(unpack(frame, frame->size + 1),
			    "is not one whole zstd frame");
	/* A second whole frame too. */
	memcpy(frame->stored + frame->size, frame->stored, frame->size);
	assert_string_equal(unpack(frame, 2 * frame->size),
			    "is not one whole zstd frame");
	frame_free(frame);
}

/* What passes must be right: a bit that the format has no use for. */
static void no_flipped_bit_gives_wrong_content(void **state)
{
	struct frame *frame = frame_make(3);
	unsigned passed = 0;

	(void)state;
	for (size_t bit = 0; bit < frame->size * 8; bit++) {
		frame->stored[bit / 8] ^= (uint8_t)(1u << bit % 8);
		if (!unpack(frame, frame->size)) {
			passed++;
			assert_memory_equal(frame->back, frame->content,
					    CONTENT_BYTES);
		}
		frame->stored[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	/* The unused bit of the frame's header, and little else. */
	assert_true(passed >= 1);
	assert_true(passed <= 8);
	frame_free(frame);
}

static void another_checksum_than_expected_is_refused(void **state)
{
	struct frame *frame = frame_make(3);

	(void)state;
	frame->checksum ^= 1;
	assert_string_equal(unpack(frame, frame->size),
			    "has another checksum than the catalogue says");
	frame_free(frame);
}

static void a_frame_without_checksum_is_refused(void **state)
{
	struct frame *frame = frame_make(3);

	(void)state;
	frame->stored[4] &= (uint8_t)~0x04u;
	assert_string_equal(unpack(frame, frame->size - 4), "has no checksum");
	frame_free(frame);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_gives_its_content_back_at_every_level),
		cmocka_unit_test_setup_teardown(the_zstd_program_reads_a_frame,
						temp_setup, temp_teardown),
		cmocka_unit_test(a_frame_that_does_not_say_its_size_is_refused),
		cmocka_unit_test(a_truncated_frame_is_refused_at_every_length),
		cmocka_unit_test(bytes_behind_a_frame_are_refused),
		cmocka_unit_test(no_flipped_bit_gives_wrong_content),
		cmocka_unit_test(another_checksum_than_expected_is_refused),
		cmocka_unit_test(a_frame_without_checksum_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
