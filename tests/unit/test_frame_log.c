/* SPDX-License-Identifier: MIT */
/*
 * Frames that grow and streams that are read: what goes in comes out, zstd and
 * gzip are the judges, and a file that is cut short at any byte gives its
 * whole frames and says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/random.h"
#include "storage/byte_stream.h"
#include "storage/frame_log.h"
#include "tests/support/program.h"
#include "tests/support/temp.h"

#define PIECE 72

/* The n-th piece: compressible, and none like another. */
static void fill(unsigned char *piece, uint64_t n)
{
	struct random_stream stream = random_stream(3, RANDOM_SHUFFLE);
	uint64_t bits = random_bits(stream, n);

	memset(piece, (int)(n % 251), PIECE);
	memcpy(piece, &n, sizeof(n));
	memcpy(piece + 8, &bits, sizeof(bits));
}

/* Writes pieces, a new frame after every `each`; 0: as they come. */
static void write_pieces(const char *path, uint64_t count, uint64_t each)
{
	struct fault fault = { 0 };
	struct frame_log *log;

	assert_int_equal(frame_log_create(&log, path, 0, &fault), 0);
	for (uint64_t n = 0; n < count; n++) {
		fill(frame_log_room(log, PIECE, 0), n);
		if (each && n % each == each - 1)
			frame_log_flush(log);
	}
	assert_int_equal(frame_log_close(log, &fault), 0);
}

/* Reads a file and checks that it holds the pieces from the first on; tells
 * how many, and how the reading ended. */
static int read_pieces(const char *path, uint64_t *count, struct fault *fault)
{
	unsigned char bytes[PIECE * 100], expected[PIECE];
	struct byte_stream *stream;
	size_t have = 0, got = 1;
	int error = byte_stream_open(&stream, path, fault);

	*count = 0;
	if (error)
		return error;
	while (!error && got) {
		error = byte_stream_read(stream, bytes + have,
					 sizeof(bytes) - have, &got, fault);
		have += got;
		for (; have >= PIECE; have -= PIECE) {
			fill(expected, (*count)++);
			assert_memory_equal(bytes, expected, PIECE);
			memmove(bytes, bytes + PIECE, have - PIECE);
		}
	}
	assert_int_equal(have, 0);
	byte_stream_close(stream);
	return error;
}

static size_t file_size(const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return (size_t)status.st_size;
}

static void what_goes_in_comes_out(void **state)
{
	static const uint64_t counts[] = { 0, 1, 3640, 3641, 200000 };
	char path[TEMP_PATH_MAX];
	struct fault fault = { 0 };
	uint64_t count;

	temp_name(*state, "file", path);
	for (size_t i = 0; i < 5; i++) {
		write_pieces(path, counts[i], 0);
		assert_int_equal(read_pieces(path, &count, &fault), 0);
		assert_int_equal(count, counts[i]);
	}
}

static void zstd_takes_it_for_its_own(void **state)
{
	static unsigned char output[PIECE * 5000 + 1];
	unsigned char expected[PIECE];
	char path[TEMP_PATH_MAX];
	const char *const test[] = { "zstd", "-q", "-t", path, NULL };
	const char *const unpack[] = { "zstd", "-q", "-d", "-c", path, NULL };
	size_t size;
	int status;

	temp_name(*state, "file.zst", path);
	write_pieces(path, 5000, 700);
	status = program_run(test, NULL, 0, NULL);
	if (status == PROGRAM_MISSING)
		skip();
	assert_int_equal(status, 0);
	assert_int_equal(program_run(unpack, output, sizeof(output), &size), 0);
	assert_int_equal(size, PIECE * 5000);
	for (uint64_t n = 0; n < 5000; n++) {
		fill(expected, n);
		assert_memory_equal(output + n * PIECE, expected, PIECE);
	}
}

/* Every frame holds five pieces, the last two. */
static void cut_anywhere_it_gives_its_whole_frames(void **state)
{
	char path[TEMP_PATH_MAX];
	struct fault fault = { 0 };
	uint64_t count, last = 0;
	size_t ends = 0;

	temp_name(*state, "file", path);
	write_pieces(path, 22, 5);
	for (size_t size = file_size(path); size-- > 4;) {
		int error;

		assert_int_equal(truncate(path, (off_t)size), 0);
		error = read_pieces(path, &count, &fault);
		assert_int_equal(count % 5, 0);
		if (error)
			assert_int_equal(error, -ENODATA);
		else
			ends++; /* between two frames, where nothing lacks */
		assert_true(size + 1 == file_size(path) + 1);
		assert_true(last == 0 || count <= last);
		last = count;
	}
	assert_int_equal(ends, 4);
}

static void flip(const char *path, long at)
{
	FILE *file = fopen(path, "r+b");
	int byte;

	assert_non_null(file);
	fseek(file, at, SEEK_SET);
	byte = fgetc(file);
	fseek(file, at, SEEK_SET);
	fputc(byte ^ 1, file);
	fclose(file);
}

static void a_flipped_bit_is_seen_or_means_nothing(void **state)
{
	char path[TEMP_PATH_MAX];
	struct fault fault;
	uint64_t count;
	long size, seen = 0;

	temp_name(*state, "file", path);
	write_pieces(path, 10, 5);
	size = (long)file_size(path);
	for (long at = 4; at < size; at++) {
		int error;

		flip(path, at);
		fault = (struct fault){ 0 };
		error = read_pieces(path, &count, &fault);
		/* Some bits of a frame have no effect on its content. */
		if (!error)
			assert_int_equal(count, 10);
		else
			assert_true((error == -EBADMSG || error == -ENODATA) &&
				    fault.text[0] && count <= 5);
		seen += error != 0;
		flip(path, at);
	}
	assert_true(seen > size * 9 / 10);
	assert_int_equal(read_pieces(path, &count, &fault), 0);
}

static void write_plain(const char *path, uint64_t count)
{
	unsigned char piece[PIECE];
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	for (uint64_t n = 0; n < count; n++) {
		fill(piece, n);
		fwrite(piece, 1, PIECE, file);
	}
	assert_int_equal(fclose(file), 0);
}

static void plain_and_gzip_files_are_read_as_well(void **state)
{
	char path[TEMP_PATH_MAX], packed[TEMP_PATH_MAX + 3];
	const char *const gzip[] = { "gzip", "-k", path, NULL };
	struct fault fault = { 0 };
	struct byte_stream *stream;
	uint64_t count;

	temp_name(*state, "plain", path);
	snprintf(packed, sizeof(packed), "%s.gz", path);
	write_plain(path, 50000);
	assert_int_equal(read_pieces(path, &count, &fault), 0);
	assert_int_equal(count, 50000);
	if (program_run(gzip, NULL, 0, NULL) == PROGRAM_MISSING)
		skip();
	assert_int_equal(read_pieces(packed, &count, &fault), 0);
	assert_int_equal(count, 50000);
	assert_int_equal(byte_stream_open(&stream, packed, &fault), 0);
	assert_string_equal(byte_stream_packing(stream), "gzip");
	byte_stream_close(stream);
	assert_int_equal(truncate(packed, (off_t)(file_size(packed) - 9)), 0);
	unlink(path);
}

static void a_gzip_file_cut_short_says_so(void **state)
{
	char path[TEMP_PATH_MAX], packed[TEMP_PATH_MAX + 3];
	const char *const gzip[] = { "gzip", path, NULL };
	struct byte_stream *stream;
	struct fault fault = { 0 };
	unsigned char bytes[4096];
	size_t got = 1, size = 0;
	int error = 0;

	temp_name(*state, "cut", path);
	snprintf(packed, sizeof(packed), "%s.gz", path);
	write_plain(path, 1000);
	if (program_run(gzip, NULL, 0, NULL) == PROGRAM_MISSING)
		skip();
	assert_int_equal(truncate(packed, (off_t)(file_size(packed) / 2)), 0);
	assert_int_equal(byte_stream_open(&stream, packed, &fault), 0);
	while (!error && got) {
		error = byte_stream_read(stream, bytes, sizeof(bytes), &got,
					 &fault);
		size += got;
	}
	assert_int_equal(error, -ENODATA);
	assert_non_null(strstr(fault.text, "cut short"));
	assert_true(size > 0 && size < 1000 * PIECE);
	byte_stream_close(stream);
}

/* A frame larger than what is held back for its checksum is given as it
 * comes. */
static void a_large_frame_made_by_zstd_is_read(void **state)
{
	char path[TEMP_PATH_MAX], packed[TEMP_PATH_MAX + 4];
	const char *const zstd[] = { "zstd", "-q", path, NULL };
	struct fault fault = { 0 };
	uint64_t count;

	temp_name(*state, "large", path);
	snprintf(packed, sizeof(packed), "%s.zst", path);
	write_plain(path, 100000);
	if (program_run(zstd, NULL, 0, NULL) == PROGRAM_MISSING)
		skip();
	assert_int_equal(read_pieces(packed, &count, &fault), 0);
	assert_int_equal(count, 100000);
}

static void a_full_disk_is_an_error_at_the_end(void **state)
{
	struct fault fault = { 0 };
	struct frame_log *log;

	(void)state;
	if (access("/dev/full", W_OK))
		skip();
	assert_int_equal(frame_log_create(&log, "/dev/full", 0, &fault), 0);
	for (uint64_t n = 0; n < 200000; n++)
		fill(frame_log_room(log, PIECE, 0), n);
	assert_int_equal(frame_log_close(log, &fault), -ENOSPC);
	assert_string_equal(fault.file, "/dev/full");
}

static void a_flush_time_makes_frames(void **state)
{
	char path[TEMP_PATH_MAX];
	struct fault fault = { 0 };
	struct frame_log *log;
	uint64_t count;

	temp_name(*state, "timed", path);
	assert_int_equal(frame_log_create(&log, path, 1000, &fault), 0);
	for (uint64_t n = 0; n < 100; n++)
		fill(frame_log_room(log, PIECE, (int64_t)n * 100), n);
	assert_int_equal(frame_log_close(log, &fault), 0);
	/* Ten frames of ten; the last one away, ninety are left. */
	assert_int_equal(truncate(path, (off_t)(file_size(path) - 1)), 0);
	assert_int_equal(read_pieces(path, &count, &fault), -ENODATA);
	assert_int_equal(count, 90);
}

/* As those of a foreign trace are. */
static void times_may_be_unknown_and_go_back(void **state)
{
	static const int64_t times_ns[] = { INT64_MIN, INT64_MAX, INT64_MIN,
					    0,	       -1,	  INT64_MAX };
	const uint64_t pieces = sizeof(times_ns) / sizeof(times_ns[0]);
	struct fault fault = { 0 };
	char path[TEMP_PATH_MAX];
	struct frame_log *log;
	uint64_t n, count;

	temp_name(*state, "file", path);
	assert_int_equal(frame_log_create(&log, path, 500000000, &fault), 0);
	for (n = 0; n < pieces; n++)
		fill(frame_log_room(log, PIECE, times_ns[n]), n);
	assert_int_equal(frame_log_close(log, &fault), 0);
	assert_int_equal(read_pieces(path, &count, &fault), 0);
	assert_int_equal(count, pieces);
}

#define IN_FOLDER(test)                                                        \
	cmocka_unit_test_setup_teardown(test, temp_setup, temp_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(what_goes_in_comes_out),
		IN_FOLDER(zstd_takes_it_for_its_own),
		IN_FOLDER(cut_anywhere_it_gives_its_whole_frames),
		IN_FOLDER(a_flipped_bit_is_seen_or_means_nothing),
		IN_FOLDER(plain_and_gzip_files_are_read_as_well),
		IN_FOLDER(a_gzip_file_cut_short_says_so),
		IN_FOLDER(a_large_frame_made_by_zstd_is_read),
		IN_FOLDER(a_full_disk_is_an_error_at_the_end),
		IN_FOLDER(a_flush_time_makes_frames),
		IN_FOLDER(times_may_be_unknown_and_go_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
