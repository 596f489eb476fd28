/* SPDX-License-Identifier: MIT */
/* A process that is killed while it records, at any moment: what it left is
 * read up to the last whole frame, and nothing in it is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/random.h"
#include "storage/byte_stream.h"
#include "storage/frame_log.h"
#include "tests/support/temp.h"
#include "traces/recording/recording.h"

#define TEXT "{\n\"name\": \"killed\"\n}\n"
#define SEED 20250102
#define DEATHS 20
#define EVENTS_A_WORD 500 /* between two signs of life */

static struct trace_event event_of(uint64_t n)
{
	int64_t end_ns = (int64_t)n * 1000 + 777;

	return (struct trace_event){ .issue_ns = end_ns - 500,
				     .start_ns = end_ns - 300,
				     .end_ns = end_ns,
				     .number = n,
				     .offset_bytes = n * 4096,
				     .bytes = 4096,
				     .kind = TRACE_REQUEST };
}

/* Records until it is killed; a byte into the pipe now and then. */
_Noreturn static void record_for_ever(const char *path, int out)
{
	const struct recording_head head = { .version = RECORDING_VERSION,
					     .text = TEXT,
					     .text_bytes = sizeof(TEXT) - 1 };
	struct fault fault = { 0 };
	struct frame_log *log;
	unsigned char *room;

	if (frame_log_create(&log, path, 300000, &fault))
		_exit(1);
	room = frame_log_room(log, RECORDING_HEAD_BYTES + head.text_bytes, 0);
	recording_encode_head(&head, room);
	memcpy(room + RECORDING_HEAD_BYTES, TEXT, head.text_bytes);
	frame_log_flush(log);
	for (uint64_t n = 0;; n++) {
		struct trace_event event = event_of(n);

		recording_encode(&event,
				 frame_log_room(log, RECORDING_RECORD_BYTES,
						event.start_ns));
		if (n % EVENTS_A_WORD == 0 && write(out, "", 1) != 1)
			_exit(1);
	}
}

/* Has a process record, and kills it after so many signs of life. */
static void record_and_die(const char *path, uint64_t signs)
{
	int ends[2], status;
	char byte;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		close(ends[0]);
		record_for_ever(path, ends[1]);
	}
	close(ends[1]);
	while (signs-- > 0)
		assert_int_equal(read(ends[0], &byte, 1), 1);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	close(ends[0]);
}

/* Events that can be read; -1: not even the head was written. */
static int64_t read_left(const char *path)
{
	struct byte_source source = { .read = byte_stream_read };
	struct fault fault = { 0 };
	struct trace_event event, expected;
	struct recording *recording;
	struct byte_stream *stream;
	int64_t count = 0;
	int got;

	assert_int_equal(byte_stream_open(&stream, path, &fault), 0);
	source.context = stream;
	got = recording_open(&recording, path, &source, &fault);
	if (got) {
		assert_int_equal(got, -EINVAL);
		assert_non_null(strstr(fault.text, "cut short"));
		byte_stream_close(stream);
		return -1;
	}
	while ((got = recording_next(recording, &event, &fault)) > 0) {
		expected = event_of((uint64_t)count++);
		assert_memory_equal(&event, &expected, sizeof(event));
	}
	assert_int_equal(got, 0);
	assert_null(recording_end(recording));
	recording_close(recording);
	byte_stream_close(stream);
	return count;
}

static void killed_at_any_moment_it_is_read_as_far(void **state)
{
	struct random_stream stream = random_stream(SEED, RANDOM_SHUFFLE);
	char path[TEMP_PATH_MAX];
	int64_t most = -1;
	uint64_t i;

	print_message("seed %d\n", SEED);
	temp_name(*state, "killed", path);
	for (i = 0; i < DEATHS; i++) {
		int64_t count;

		record_and_die(path,
			       1 + random_below(random_bits(stream, i), 150));
		count = read_left(path);
		most = count > most ? count : most;
	}
	/* Not all of them died before anything was written. */
	assert_true(most > 0);
}

/* The file that is left, cut at each of its last bytes. */
static void what_is_left_may_be_cut_further(void **state)
{
	char path[TEMP_PATH_MAX];
	int64_t before = INT64_MAX;
	struct stat status;

	temp_name(*state, "killed", path);
	record_and_die(path, 100);
	assert_int_equal(stat(path, &status), 0);
	for (int i = 0; i < 400 && status.st_size-- > 0; i++) {
		int64_t count;

		assert_int_equal(truncate(path, status.st_size), 0);
		count = read_left(path);
		assert_true(count <= before);
		before = count;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			killed_at_any_moment_it_is_read_as_far, temp_setup,
			temp_teardown),
		cmocka_unit_test_setup_teardown(what_is_left_may_be_cut_further,
						temp_setup, temp_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
