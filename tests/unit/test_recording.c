/* SPDX-License-Identifier: MIT */
/*
 * Recordings as bytes: what is written is read back, wherever the bytes end
 * nothing but whole events comes out, and bytes that no recording has are
 * refused with a line that says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/pipeline.h"
#include "sim/random.h"
#include "traces/recording/recording.h"

#define EVENTS 700 /* more than are read at once */
#define TEXT "{\n\"name\": \"a \\\"test\\\"\",\n\"seed\": \"7\"\n}\n"
#define RECORD RECORDING_RECORD_BYTES
#define START (RECORDING_HEAD_BYTES + sizeof(TEXT) - 1)
#define WHOLE (START + (EVENTS + 1) * RECORD)

static unsigned char file[WHOLE + 8];

/* Bytes in memory, given in pieces of odd sizes. */
struct memory {
	const unsigned char *bytes;
	size_t size, at;
};

static int read_memory(void *context, void *bytes, size_t size, size_t *count,
		       struct fault *fault)
{
	struct memory *memory = context;
	size_t left = memory->size - memory->at;
	size_t piece = 1 + memory->at % 977;

	(void)fault;
	if (piece > size)
		piece = size;
	*count = piece < left ? piece : left;
	memcpy(bytes, memory->bytes + memory->at, *count);
	memory->at += *count;
	return 0;
}

/* Any event that there can be. */
static struct trace_event any_event(uint64_t n)
{
	struct random_stream stream = random_stream(20250101, RANDOM_SHUFFLE);
	int64_t end_ns = (int64_t)(random_bits(stream, 8 * n) >> 3);
	struct trace_event event = {
		.issue_ns = end_ns - (int64_t)(n * n),
		.start_ns = end_ns - (int64_t)n,
		.end_ns = end_ns,
		.number = random_bits(stream, 8 * n + 1),
		.offset_bytes = random_bits(stream, 8 * n + 2),
		.bytes = random_bits(stream, 8 * n + 3),
		.cached_bytes = random_bits(stream, 8 * n + 4),
		.object = (uint32_t)random_bits(stream, 8 * n + 5),
		.host = (uint32_t)random_bits(stream, 8 * n + 6),
		.late_ns = (uint32_t)random_bits(stream, 8 * n + 7),
		.kind = (uint8_t)(n % TRACE_KINDS),
		.stage = (uint8_t)(n % STAGE_COUNT),
		.flags = (uint8_t)(n % 16),
		.retries = (uint8_t)n,
	};

	if (n % 7 == 1)
		event.issue_ns = TIME_UNKNOWN;
	if (n % 11 == 1)
		event.start_ns = TIME_UNKNOWN;
	if (n % 13 == 1)
		event.end_ns = TIME_UNKNOWN;
	return event;
}

static const struct recording_end true_end = {
	.complete = true,
	.run_ns = 123456789012345,
	.events = EVENTS,
	.decisions = UINT64_C(0xfedcba9876543210),
	.requests = 175,
	.steps = 175,
};

static void make_file(void)
{
	const struct recording_head head = { .version = RECORDING_VERSION,
					     .live = true,
					     .buffered = true,
					     .text = TEXT,
					     .text_bytes = sizeof(TEXT) - 1 };

	recording_encode_head(&head, file);
	memcpy(file + RECORDING_HEAD_BYTES, TEXT, sizeof(TEXT) - 1);
	for (uint64_t n = 0; n < EVENTS; n++) {
		struct trace_event event = any_event(n);

		recording_encode(&event, file + START + n * RECORD);
	}
	recording_encode_end(&true_end, file + START + EVENTS * RECORD);
}

/* Reads all; what recording_open() or recording_next() ended with. */
static int read_all(size_t size, uint64_t *events, bool *whole,
		    struct fault *fault)
{
	struct memory memory = { file, size, 0 };
	const struct byte_source source = { &memory, read_memory };
	struct recording *recording;
	struct trace_event event, expected;
	int got;

	*events = 0;
	*whole = false;
	*fault = (struct fault){ 0 };
	got = recording_open(&recording, "r.trace", &source, fault);
	if (got)
		return got;
	while ((got = recording_next(recording, &event, fault)) > 0) {
		expected = any_event(*events);
		assert_memory_equal(&event, &expected, sizeof(event));
		++*events;
	}
	assert_int_equal(recording_events(recording), *events);
	*whole = recording_end(recording) != NULL;
	if (*whole)
		assert_memory_equal(recording_end(recording), &true_end,
				    sizeof(true_end));
	recording_close(recording);
	return got;
}

static void what_is_written_is_read_back(void **state)
{
	struct fault fault;
	uint64_t events;
	bool whole;

	(void)state;
	make_file();
	assert_int_equal(read_all(WHOLE, &events, &whole, &fault), 0);
	assert_int_equal(events, EVENTS);
	assert_true(whole);
}

static void the_head_says_what_was_recorded(void **state)
{
	struct memory memory = { file, WHOLE, 0 };
	const struct byte_source source = { &memory, read_memory };
	const struct recording_head *head;
	struct recording *recording;
	struct fault fault;

	(void)state;
	make_file();
	assert_int_equal(recording_open(&recording, "r", &source, &fault), 0);
	head = recording_head(recording);
	assert_true(head->live && head->buffered);
	assert_false(head->native || head->excerpt);
	assert_string_equal(head->text, TEXT);
	recording_close(recording);
}

/* The published test value of FNV-1a, 64 bits. */
static void the_digest_is_fnv_1a(void **state)
{
	(void)state;
	assert_int_equal(recording_digest("foobar", 6),
			 UINT64_C(0x85944171f73967e8));
}

/* An independent hand: the layout that the documentation says. */
static void a_record_lies_as_documented(void **state)
{
	const struct trace_event event = { .issue_ns = 1000,
					   .start_ns = 1200,
					   .end_ns = 1500,
					   .number = 7,
					   .offset_bytes = 0x0102030405060708,
					   .bytes = 4096,
					   .cached_bytes = 512,
					   .object = 3,
					   .host = 2,
					   .late_ns = 9,
					   .kind = TRACE_REQUEST,
					   .flags = TRACE_LATE,
					   .retries = 1 };
	unsigned char bytes[RECORD];

	(void)state;
	recording_encode(&event, bytes);
	assert_memory_equal(bytes,
			    "\xdc\x05\0\0\0\0\0\0" /* end 1500 */
			    "\xf4\x01\0\0\0\0\0\0" /* issued 500 before */
			    "\x2c\x01\0\0\0\0\0\0" /* started 300 before */
			    "\x07\0\0\0\0\0\0\0"
			    "\x08\x07\x06\x05\x04\x03\x02\x01"
			    "\0\x10\0\0\0\0\0\0"
			    "\0\x02\0\0\0\0\0\0"
			    "\x03\0\0\0\x02\0\0\0\x09\0\0\0"
			    "\0\0\x08\x01",
			    RECORD);
}

static void wherever_it_is_cut_whole_events_come_out(void **state)
{
	struct fault fault;
	uint64_t events;
	bool whole;

	(void)state;
	make_file();
	for (size_t size = 0; size < WHOLE; size++) {
		int error = read_all(size, &events, &whole, &fault);

		assert_false(whole);
		if (size < START) {
			assert_int_equal(error, -EINVAL);
			assert_true(fault.text[0]);
			continue;
		}
		assert_int_equal(error, 0);
		assert_int_equal(events, (size - START) / RECORD);
	}
}

static void refused(size_t at, unsigned char value, int expected,
		    const char *words)
{
	struct fault fault;
	uint64_t events;
	bool whole;

	make_file();
	file[at] = value;
	assert_int_equal(read_all(WHOLE, &events, &whole, &fault), expected);
	assert_string_equal(fault.file, "r.trace");
	if (!strstr(fault.text, words))
		fail_msg("\"%s\" lacks \"%s\"", fault.text, words);
}

static void bytes_that_no_recording_has_are_refused(void **state)
{
	(void)state;
	refused(0, 'E', -EINVAL, "is no recording");
	refused(8, 3, -EINVAL, "version 3; this echosim reads versions 1 to 2");
	refused(12, 64, -EBADMSG, "its head has values");
	refused(16, 0x80, -EBADMSG, "its head has values");
	refused(23, 0xff, -EBADMSG, "its head has values");
	refused(RECORDING_HEAD_BYTES, '[', -EBADMSG, "digest");
	refused(START + 5 * RECORD + 68, TRACE_KINDS, -EBADMSG,
		"record 5 has a kind that there is not");
	refused(START + 5 * RECORD + 69, STAGE_COUNT, -EBADMSG,
		"record 5 has a stage");
	refused(START + 5 * RECORD + 70, 0x10, -EBADMSG, "record 5 has a flag");
	refused(START + 5 * RECORD + 7, 0x7f, -EBADMSG,
		"record 5 has an end out of range");
	refused(START + 5 * RECORD + 15, 0x7f, -EBADMSG,
		"record 5 has a time out of range");
	refused(START + EVENTS * RECORD + 8, 1, -EBADMSG, "another end");
	refused(START + EVENTS * RECORD + 70, 2, -EBADMSG, "another end");
}

/* Its records are the same; where blocks lie it did not say. */
static void version_1_is_read(void **state)
{
	struct fault fault;
	uint64_t events;
	bool whole;

	(void)state;
	make_file();
	file[8] = 1;
	assert_int_equal(read_all(WHOLE, &events, &whole, &fault), 0);
	assert_int_equal(events, EVENTS);
	assert_true(whole);
	file[32] = 1;
	assert_int_equal(read_all(WHOLE, &events, &whole, &fault), -EBADMSG);
}

static void nothing_may_follow_the_end(void **state)
{
	struct fault fault;
	uint64_t events;
	bool whole;

	(void)state;
	make_file();
	assert_int_equal(read_all(WHOLE + 1, &events, &whole, &fault),
			 -EBADMSG);
	assert_non_null(strstr(fault.text, "after the end"));
}

/* Compression tells a cut (-ENODATA) from damage (-EBADMSG). */
static int read_broken(void *context, void *bytes, size_t size, size_t *count,
		       struct fault *fault)
{
	struct memory *memory = context;
	int error = (int)(intptr_t)memory->bytes;

	if (memory->at >= START + 3 * RECORD) {
		*count = 0;
		fault_set(fault, "r.trace", 0, "broken");
		return error;
	}
	*count = size < START + 3 * RECORD - memory->at ?
			 size :
			 START + 3 * RECORD - memory->at;
	memcpy(bytes, file + memory->at, *count);
	memory->at += *count;
	return 0;
}

static void a_cut_is_an_end_and_damage_is_not(void **state)
{
	static const int errors[] = { -ENODATA, -EBADMSG, -EIO };
	struct trace_event event;
	struct recording *recording;
	struct fault fault;
	int got;

	(void)state;
	make_file();
	for (size_t i = 0; i < 3; i++) {
		struct memory memory = { (void *)(intptr_t)errors[i], 0, 0 };
		const struct byte_source source = { &memory, read_broken };

		assert_int_equal(
			recording_open(&recording, "r", &source, &fault), 0);
		while ((got = recording_next(recording, &event, &fault)) > 0)
			;
		assert_int_equal(got, i == 0 ? 0 : errors[i]);
		assert_null(recording_end(recording));
		recording_close(recording);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(the_head_says_what_was_recorded),
		cmocka_unit_test(the_digest_is_fnv_1a),
		cmocka_unit_test(a_record_lies_as_documented),
		cmocka_unit_test(wherever_it_is_cut_whole_events_come_out),
		cmocka_unit_test(bytes_that_no_recording_has_are_refused),
		cmocka_unit_test(version_1_is_read),
		cmocka_unit_test(nothing_may_follow_the_end),
		cmocka_unit_test(a_cut_is_an_end_and_damage_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
