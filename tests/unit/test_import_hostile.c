/* SPDX-License-Identifier: MIT */
/* What no importer may fall over, all of them in one table: what is empty,
 * rubbish, cut, too long, too large, below zero. Each either yields events
 * that make sense or says in a line why not (tests/support/imported.h checks
 * that). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "tests/support/import_samples.h"
#include "tests/support/imported.h"

#define RUBBISH_BYTES 200000
#define LONG_LINE_BYTES (1 << 20)

static struct imported imported;

/* As the sample's format, and as what it looks like; strict or not. */
static void take(const struct import_sample *sample, const void *bytes,
		 size_t size)
{
	int error, strict;

	for (strict = 0; strict < 2; strict++) {
		imported.options.strict = strict;
		error = imported_from(&imported, sample->importer, bytes, size);
		assert_true(!error || error == -EINVAL);
		error = imported_from(&imported, NULL, bytes, size);
		assert_true(!error || error == -EINVAL);
	}
}

static void every_importer_has_a_sample_that_looks_like_it(void **state)
{
	size_t i, j;

	(void)state;
	for (i = 0; i < importer_count; i++) {
		for (j = 0; j < import_sample_count; j++)
			if (!strcmp(import_samples[j].importer,
				    importer_table[i]->name))
				break;
		if (j == import_sample_count)
			fail_msg("no sample of %s", importer_table[i]->name);
	}
	/* The first that fits is taken. */
	for (j = 0; j < import_sample_count; j++) {
		for (i = 0; i < importer_count; i++)
			if (importer_table[i]->fits(import_samples[j].bytes,
						    import_samples[j].size,
						    true))
				break;
		assert_true(i < importer_count);
		assert_string_equal(importer_table[i]->name,
				    import_samples[j].importer);
	}
}

static void nothing_is_told_to_be_empty(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < import_sample_count; i++) {
		assert_int_equal(imported_from(&imported,
					       import_samples[i].importer, "",
					       0),
				 -EINVAL);
		assert_string_equal(imported.fault.text,
				    "is empty; expected a trace");
	}
}

static void rubbish_is_survived(void **state)
{
	struct random_stream stream =
		random_stream(20, RANDOM_SYNTHETIC_CONTENT);
	char *bytes = malloc(RUBBISH_BYTES);
	size_t i, at;

	(void)state;
	assert_non_null(bytes);
	for (i = 0; i < import_sample_count; i++) {
		for (at = 0; at < RUBBISH_BYTES; at++)
			bytes[at] = (char)random_bits(stream, at);
		take(&import_samples[i], bytes, RUBBISH_BYTES);
		memset(bytes, 0, RUBBISH_BYTES);
		take(&import_samples[i], bytes, RUBBISH_BYTES);
		memset(bytes, 0xff, RUBBISH_BYTES);
		take(&import_samples[i], bytes, RUBBISH_BYTES);
		memset(bytes, '\n', RUBBISH_BYTES);
		take(&import_samples[i], bytes, RUBBISH_BYTES);
		/* The format is right, what comes next is not. */
		for (at = 0; at < RUBBISH_BYTES; at++)
			bytes[at] = (char)random_bits(stream, at);
		memcpy(bytes, import_samples[i].bytes, import_samples[i].size);
		take(&import_samples[i], bytes, RUBBISH_BYTES);
	}
	free(bytes);
}

static void a_cut_anywhere_is_survived(void **state)
{
	size_t i, size;
	char *copy;

	(void)state;
	for (i = 0; i < import_sample_count; i++) {
		for (size = 0; size < import_samples[i].size; size++) {
			/* Exactly as long, for the sanitizers. */
			copy = malloc(size ? size : 1);
			assert_non_null(copy);
			memcpy(copy, import_samples[i].bytes, size);
			take(&import_samples[i], copy, size);
			assert_true(imported.count <= import_samples[i].events);
			free(copy);
		}
	}
}

static void what_came_before_a_broken_source_is_kept(void **state)
{
	size_t i;

	(void)state;
	imported.options.strict = false;
	imported.end_error = -EIO;
	for (i = 0; i < import_sample_count; i++) {
		assert_int_equal(imported_from(&imported, NULL,
					       import_samples[i].bytes,
					       import_samples[i].size),
				 -EIO);
		assert_string_equal(imported.fault.text, "breaks off");
		assert_int_equal(imported.count, import_samples[i].events);
		assert_int_equal(imported_from(&imported,
					       import_samples[i].importer, "",
					       0),
				 -EIO);
	}
	imported.end_error = 0;
}

static void one_wrong_byte_is_survived(void **state)
{
	static const char wrong[] = { 0,   '\n', '-', '"',
				      '9', '<',	 '{', (char)0xff };
	size_t i, at, which;
	char *copy, right;

	(void)state;
	for (i = 0; i < import_sample_count; i++) {
		copy = malloc(import_samples[i].size);
		assert_non_null(copy);
		memcpy(copy, import_samples[i].bytes, import_samples[i].size);
		for (at = 0; at < import_samples[i].size; at++) {
			right = copy[at];
			for (which = 0; which < sizeof(wrong); which++) {
				copy[at] = wrong[which];
				take(&import_samples[i], copy,
				     import_samples[i].size);
			}
			copy[at] = right;
		}
		free(copy);
	}
}

/* Puts `text` instead of, or before, each number of the sample. */
static void change_numbers(const struct import_sample *sample, const char *text,
			   bool instead)
{
	const char *bytes = sample->bytes;
	size_t length = strlen(text), at, end;
	char *copy = malloc(sample->size + length);

	assert_non_null(copy);
	for (at = 0; at < sample->size; at = end) {
		end = at + 1;
		if (!isdigit((unsigned char)bytes[at]))
			continue;
		while (end < sample->size && isdigit((unsigned char)bytes[end]))
			end++;
		memcpy(copy, bytes, at);
		memcpy(copy + at, text, length);
		memcpy(copy + at + length, bytes + (instead ? end : at),
		       sample->size - (instead ? end : at));
		take(sample, copy,
		     sample->size + length - (instead ? end - at : 0));
	}
	free(copy);
}

static void numbers_beyond_all_bounds_are_survived(void **state)
{
	static const char *const numbers[] = {
		"9999999999999999999999999999999999999999",
		"18446744073709551615",
		"9223372036854775807",
		"9223372036854775808",
		"4611686018427387904",
		"9223372036854775",
		"1e30",
		"0",
		"",
	};
	size_t i, which;

	(void)state;
	for (i = 0; i < import_sample_count; i++) {
		for (which = 0; which < sizeof(numbers) / sizeof(numbers[0]);
		     which++)
			change_numbers(&import_samples[i], numbers[which],
				       true);
		change_numbers(&import_samples[i], "-", false);
	}
}

static void a_line_of_a_megabyte_costs_one_line(void **state)
{
	size_t i, size;
	char *bytes;

	(void)state;
	for (i = 0; i < import_sample_count; i++) {
		const struct import_sample *sample = &import_samples[i];

		/* Records have no lines. */
		if (memchr(sample->bytes, 0, sample->size))
			continue;
		size = sample->size + LONG_LINE_BYTES + 1;
		bytes = malloc(size);
		assert_non_null(bytes);
		memcpy(bytes, sample->bytes, sample->size);
		memset(bytes + sample->size, 'a', LONG_LINE_BYTES);
		bytes[size - 1] = '\n';
		imported.options.strict = false;
		assert_int_equal(imported_from(&imported, sample->importer,
					       bytes, size),
				 0);
		assert_int_equal(imported.count, sample->events);
		/* The profile ends with its last bracket. */
		assert_int_equal(imported.report.bad,
				 strcmp(sample->importer, "pytorch") != 0);
		memset(bytes, 'a', LONG_LINE_BYTES);
		take(sample, bytes, size);
		free(bytes);
	}
}

static void a_negative_latency_is_a_bad_line(void **state)
{
	static const struct {
		const char *from;
		const char *text;
		const char *wrong;
	} rows[] = {
		{ "msr", "128166372003061629,src1,2,Read,0,4096,-5\n",
		  "a response time below 0" },
		{ "fio-latency", "5, -35027, 0, 65536, 0\n",
		  "in whole numbers" },
		{ "strace", "1.000000 read(3</a>, \"\", 1) = 1 <-0.000001>\n",
		  "less than no time" },
		{ "darshan",
		  "# DXT, file_id: 1, file_name: /a\n"
		  " X_POSIX 0 read 0 0 1 0.2 0.1\n",
		  "ends before it begins" },
		{ "dftracer",
		  "{\"name\":\"pread\",\"cat\":\"POSIX\",\"ts\":1,\"dur\":-1,"
		  "\"ph\":\"X\",\"args\":{\"fhash\":1,\"offset\":0,\"ret\":1}}",
		  "0 or more" },
		{ "pytorch",
		  "{\"traceEvents\":[{\"name\":\"ProfilerStep#1\",\"ts\":1,"
		  "\"dur\":-1,\"ph\":\"X\"}]}",
		  "0 or more" },
		{ "blkparse",
		  "8,0 0 1 0.000002000 1 D R 1 + 8 [a]\n"
		  "8,0 0 2 0.000001000 0 C R 1 + 8 [0]\n",
		  "ends before it begins" },
		{ "fio-iolog", "fio version 3 iolog\n-5 a read 0 1\n",
		  "expected a time" },
	};
	size_t i;

	(void)state;
	imported.options.strict = true;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(imported_text(&imported, rows[i].from,
					       rows[i].text),
				 -EINVAL);
		if (!strstr(imported.fault.text, rows[i].wrong))
			fail_msg("%s: %s", rows[i].from, imported.fault.text);
	}
}

static void what_nobody_could_mean_is_a_bad_line(void **state)
{
	static const struct {
		const char *text;
		const char *wrong;
	} rows[] = {
		{ ",R,0,4096,1\n", "expected a device" },
		{ "0,X,0,4096,1\n", "expected R or W" },
		{ "0,,0,4096,1\n", "expected R or W" },
		{ "0,R,-1,4096,1\n", "an offset in bytes" },
		{ "0,R,0,4096.5,1\n", "a length in bytes" },
		{ "0,R,0,4096,-1\n", "a time in microseconds" },
		{ "0,R,0,4096,1,1\n", "and nothing behind it" },
		{ "0,R,0,4096,9223372036854775807\n", "microseconds" },
		{ "0,R,0,4096,9000000000000000\n", "more than 146 years" },
	};
	const char fifteen[27] = { [12] = 1, [16] = 15, [19] = 1 };
	size_t i;

	(void)state;
	imported.options.strict = true;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(imported_text(&imported, "alibaba",
					       rows[i].text),
				 -EINVAL);
		if (!strstr(imported.fault.text, rows[i].wrong))
			fail_msg("%s: %s", rows[i].text, imported.fault.text);
	}
	assert_int_equal(imported_from(&imported, "oracle-op", fifteen, 27),
			 -EINVAL);
	assert_string_equal(imported.fault.text,
			    "record 1: operation 15; expected one of 0 to 14");
	assert_int_equal(imported_from(&imported, "oracle-op", fifteen, 26),
			 -EINVAL);
	assert_string_equal(imported.fault.text,
			    "record 1: cut short: 26 bytes of 27");
}

static void unknown_versions_are_refused(void **state)
{
	static const char six[] = { 6, 't', 'a', 'e' };
	char record[48] = { 0 };

	(void)state;
	assert_int_equal(imported_text(&imported, NULL,
				       "fio version 4 iolog\n"),
			 -EINVAL);
	assert_string_equal(imported.fault.text,
			    "an iolog of version 4; versions 2 and 3 are "
			    "known");
	memcpy(record, six, sizeof(six));
	assert_int_equal(imported_from(&imported, NULL, record, sizeof(record)),
			 -EINVAL);
	assert_string_equal(imported.fault.text,
			    "record 1: blktrace of version 6; version 7 is "
			    "known");
}

/* `count` lines that the format makes of a number. */
static char *many(const char *format, unsigned count)
{
	char *text = malloc(100 * (size_t)count + 1);
	size_t at = 0;
	unsigned i;

	assert_non_null(text);
	for (i = 0; i < count; i++)
		at += (size_t)snprintf(text + at, 100, format, i, i);
	return text;
}

static void limits_end_in_a_clear_line(void **state)
{
	char *text;

	(void)state;
	imported.options.strict = false;
	text = many("1 1.000000 open(\"a\", 0) = %u</a%u> <0.1>\n", 8193);
	assert_int_equal(imported_text(&imported, "strace", text), -EINVAL);
	assert_string_equal(imported.fault.text,
			    "line 8193: more than 8192 open files or 8192 "
			    "threads at a time, which is the limit");
	free(text);
	text = many("%u 1.000000 read(%u</a>,  <unfinished ...>\n", 257);
	assert_int_equal(imported_text(&imported, "strace", text), -EINVAL);
	assert_non_null(strstr(imported.fault.text,
			       "line 257: more than 256 calls under way"));
	free(text);
}

static void brackets_nest_so_deep_and_no_deeper(void **state)
{
	char text[512] = "{\"traceEvents\":[{\"a\":";
	size_t at = strlen(text);

	(void)state;
	imported.options.strict = false;
	memset(text + at, '[', 65);
	memset(text + at + 65, ']', 65);
	snprintf(text + at + 130, sizeof(text) - at - 130,
		 ",\"name\":\"ProfilerStep#1\",\"ts\":1,\"dur\":1,"
		 "\"ph\":\"X\"}]}");
	assert_int_equal(imported_text(&imported, NULL, text), -EINVAL);
	memmove(text + at, text + at + 1, strlen(text + at));
	memmove(text + at + 64, text + at + 65, strlen(text + at + 64));
	assert_int_equal(imported_text(&imported, NULL, text), 0);
	assert_int_equal(imported.count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			every_importer_has_a_sample_that_looks_like_it),
		cmocka_unit_test(nothing_is_told_to_be_empty),
		cmocka_unit_test(rubbish_is_survived),
		cmocka_unit_test(a_cut_anywhere_is_survived),
		cmocka_unit_test(what_came_before_a_broken_source_is_kept),
		cmocka_unit_test(one_wrong_byte_is_survived),
		cmocka_unit_test(numbers_beyond_all_bounds_are_survived),
		cmocka_unit_test(a_line_of_a_megabyte_costs_one_line),
		cmocka_unit_test(a_negative_latency_is_a_bad_line),
		cmocka_unit_test(what_nobody_could_mean_is_a_bad_line),
		cmocka_unit_test(unknown_versions_are_refused),
		cmocka_unit_test(limits_end_in_a_clear_line),
		cmocka_unit_test(brackets_nest_so_deep_and_no_deeper),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
