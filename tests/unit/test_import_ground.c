/* SPDX-License-Identifier: MIT */
/* What importers stand on: lines, numbers, JSON, the window of order, files by
 * number, positions of open files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/imported.h"
#include "traces/import/json_text.h"
#include "traces/import/lines.h"
#include "traces/import/objects.h"
#include "traces/import/open_files.h"
#include "traces/import/order.h"
#include "traces/import/scan.h"

static struct lines lines;
static struct memory_source memory;
static struct byte_source source;
static struct fault fault;

static void open_lines(const char *text, size_t size, size_t piece)
{
	source = memory_source_open(&memory, text, size, piece);
	lines_init(&lines, &source, &fault);
}

static void lines_are_the_same_however_bytes_come(void **state)
{
	static const char text[] = "one\r\n\ntwo\nthree";
	static const char *const wanted[] = { "one", "", "two", "three" };
	struct line line;
	size_t piece, i;

	(void)state;
	for (piece = 1; piece <= sizeof(text); piece++) {
		open_lines(text, strlen(text), piece);
		for (i = 0; i < 4; i++) {
			assert_int_equal(lines_next(&lines, &line), 1);
			assert_string_equal(line.text, wanted[i]);
			assert_int_equal(lines.number, i + 1);
		}
		assert_int_equal(lines_next(&lines, &line), 0);
		assert_int_equal(lines_next(&lines, &line), 0);
	}
}

static void a_line_is_too_long_from_one_byte_on(void **state)
{
	size_t size = 3 * LINE_BYTES_MAX, length;
	char *text = malloc(size);
	struct line line;

	(void)state;
	assert_non_null(text);
	for (length = LINE_BYTES_MAX - 1; length <= LINE_BYTES_MAX + 1;
	     length++) {
		memset(text, 'x', size);
		text[length] = '\n';
		text[length + 1] = 'y';
		text[length + 2] = '\n';
		open_lines(text, length + 3, 999);
		assert_int_equal(lines_next(&lines, &line), 1);
		assert_int_equal(line.too_long, length > LINE_BYTES_MAX);
		if (!line.too_long)
			assert_int_equal(line.length, length);
		assert_int_equal(lines_next(&lines, &line), 1);
		assert_string_equal(line.text, "y");
		assert_int_equal(lines_next(&lines, &line), 0);
	}
	/* To the end of the input. */
	memset(text, 'x', size);
	open_lines(text, size, SIZE_MAX);
	assert_int_equal(lines_next(&lines, &line), 1);
	assert_true(line.too_long);
	assert_int_equal(lines_next(&lines, &line), 0);
	free(text);
}

static void decimals_are_exact_or_refused(void **state)
{
	static const struct {
		const char *text;
		int shift;
		int64_t value; /* INT64_MIN: refused */
	} rows[] = {
		{ "1796049360.238438", 9, 1796049360238438000 },
		{ "0.009507758", 9, 9507758 },
		{ "1000.125", 3, 1000125 },
		{ "52000.5", 3, 52000500 },
		{ "0.0000000019", 9, 1 },
		{ "1.25e3", 0, 1250 },
		{ "125E-2", 3, 1250 },
		{ "1.7272862311451210e15", 3, 1727286231145121000 },
		{ "-41286", 2, -4128600 },
		{ "9223372036854775807", 0, INT64_MAX },
		{ "9223372036854775808", 0, INT64_MIN },
		{ "9223372037", 9, INT64_MIN },
		{ "0.99999999999999999999999999999999", 9, 999999999 },
		{ "99999999999999999999", 0, INT64_MIN },
		{ "0e40", 9, 0 },
		{ "1e41", 0, INT64_MIN },
		{ "1e-40", 9, 0 },
		{ "1.", 0, INT64_MIN },
		{ ".5", 0, INT64_MIN },
		{ "-", 0, INT64_MIN },
		{ "1e", 0, INT64_MIN },
		{ "", 0, INT64_MIN },
	};
	struct scan scan;
	int64_t value;
	size_t i;
	bool taken;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		scan.at = rows[i].text;
		taken = scan_decimal(&scan, rows[i].shift, &value);
		if (taken != (rows[i].value != INT64_MIN) ||
		    (taken && value != rows[i].value))
			fail_msg("%s: %lld", rows[i].text, (long long)value);
		if (taken)
			assert_true(scan_end(&scan));
		else
			assert_ptr_equal(scan.at, rows[i].text);
	}
}

static void whole_numbers_have_64_bits(void **state)
{
	struct scan scan = { "18446744073709551615 0x7f00000000000000 7x" };
	uint64_t value;

	(void)state;
	assert_true(scan_whole(&scan, &value));
	assert_true(value == UINT64_MAX);
	scan_blanks(&scan);
	assert_true(scan_whole(&scan, &value));
	assert_true(value == UINT64_C(0x7f00000000000000));
	scan_blanks(&scan);
	assert_true(scan_whole(&scan, &value));
	assert_false(scan_end(&scan));
	scan.at = "18446744073709551616";
	assert_false(scan_whole(&scan, &value));
	scan.at = "-1";
	assert_false(scan_whole(&scan, &value));
}

static struct json_text json;
static struct json_member members[3];

static enum json_token read_members(const char *text, size_t piece)
{
	memset(members, 0, sizeof(members));
	members[0].path = "name";
	members[1].path = "args.x";
	members[2].path = "n";
	open_lines(text, strlen(text), piece);
	json_text_init(&json, &lines);
	if (json_text_next(&json) != JSON_SIGN || json.sign != '{')
		return JSON_WRONG;
	return json_text_members(&json, members, 3);
}

static void members_are_found_two_deep_and_no_deeper(void **state)
{
	static const char text[] =
		"{\"n\": -1.5e3, \"args\": {\"y\": {\"x\": 1}, \"x\": \"a\", "
		"\"n\": 7}, \"z\": [{\"name\": 3}], "
		"\"name\": \"\\u00e9\\ud83d\\ude00\\n\\\"\\ud800.\"} tail";
	size_t piece;

	(void)state;
	for (piece = 1; piece < 9; piece++) {
		assert_int_equal(read_members(text, piece), JSON_SIGN);
		assert_string_equal(
			members[0].text,
			"\xc3\xa9\xf0\x9f\x98\x80\n\"\xef\xbf\xbd.");
		assert_string_equal(members[1].text, "a");
		assert_true(members[1].is_text);
		assert_string_equal(members[2].text, "-1.5e3");
		assert_false(members[2].is_text);
		/* Just behind the bracket. */
		assert_int_equal(json_text_next(&json), JSON_NUMBER);
		assert_string_equal(json.text, "tail");
	}
}

static void what_is_no_object_is_wrong(void **state)
{
	static const char *const wrong[] = {
		"{1: 2}",
		"{\"a\" 1}",
		"{\"a\": }",
		"{\"a\": 1,}",
		"{,}",
		"{\"a\": 1 2}",
		"{\"a\": ]}",
		"{\"a\": \"\n\"}",
		"{\"a\": \"\\x\"}",
		"{\"a\": \"\\u12g4\"}",
		"{\"a\": @}",
	};
	static const char *const cut[] = {
		"{",	     "{\"a",	     "{\"a\":",	       "{\"a\": {",
		"{\"a\": 1", "{\"a\": [1, ", "{\"a\": \"\\u12"
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (read_members(wrong[i], 1) != JSON_WRONG)
			fail_msg("%s is taken", wrong[i]);
	for (i = 0; i < sizeof(cut) / sizeof(cut[0]); i++)
		if (read_members(cut[i], 1) == JSON_SIGN)
			fail_msg("%s is whole", cut[i]);
}

static void a_window_lets_the_earliest_out(void **state)
{
	static const int64_t times[] = { 5, 3, 9, 3, 1 };
	struct trace_event event = { .kind = TRACE_REQUEST };
	struct order order;
	uint64_t i;

	(void)state;
	order_init(&order, 5);
	for (i = 0; i < 5; i++) {
		assert_false(order_is_full(&order));
		event.number = i;
		event.issue_ns = 100 - times[i];
		assert_int_equal(order_put(&order, times[i], &event), 0);
	}
	assert_true(order_is_full(&order));
	assert_int_equal(order_first_begin_ns(&order), 91);
	for (i = 0; i < 5; i++) {
		static const uint64_t wanted[] = { 4, 1, 3, 0, 2 };

		assert_true(order_take(&order, &event));
		assert_int_equal(event.number, wanted[i]);
	}
	assert_false(order_take(&order, &event));
	assert_true(order_is_past(&order, 8));
	assert_false(order_is_past(&order, 9));
	order_release(&order);
}

static void objects_are_numbered_and_have_a_ceiling(void **state)
{
	struct objects objects;
	uint64_t hash = 0;
	uint32_t number;
	bool is_new;

	(void)state;
	objects_init(&objects);
	for (hash = 0; hash < OBJECTS_MAX; hash++) {
		assert_int_equal(objects_number(&objects, hash * 64, &number,
						&is_new),
				 0);
		assert_int_equal(number, hash);
		assert_true(is_new);
	}
	assert_int_equal(objects_number(&objects, 1, &number, &is_new),
			 -ENOSPC);
	assert_int_equal(objects_number(&objects, 64, &number, &is_new), 0);
	assert_int_equal(number, 1);
	assert_false(is_new);
	assert_true(objects_hash("a", 1) != objects_hash("a\0", 2));
	objects_release(&objects);
}

static void positions_are_shared_as_the_kernel_does(void **state)
{
	struct open_files *files = calloc(1, sizeof(*files));
	struct open_file *open;

	(void)state;
	assert_non_null(files);
	open = open_files_open(files, 1, 3);
	open->position = 10;
	assert_true(open_files_share(files, 1, 3, 4));
	assert_ptr_equal(open_files_get(files, 1, 4), open);
	/* A thread has them, a process gets a copy. */
	assert_true(open_files_clone(files, 1, 2, true));
	assert_ptr_equal(open_files_get(files, 2, 3), open);
	assert_true(open_files_clone(files, 2, 5, false));
	assert_ptr_equal(open_files_get(files, 5, 3), open);
	open_files_close(files, 5, 3);
	assert_true(open_files_get(files, 5, 3)->assumed);
	assert_ptr_equal(open_files_get(files, 1, 3), open);
	/* The end of a thread leaves them, that of the process does not. */
	open_files_exit(files, 2);
	assert_ptr_equal(open_files_get(files, 1, 3), open);
	open_files_exit(files, 1);
	assert_true(open_files_get(files, 1, 3)->assumed);
	assert_int_equal(open_files_get(files, 5, 4)->position, 10);
	free(files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_the_same_however_bytes_come),
		cmocka_unit_test(a_line_is_too_long_from_one_byte_on),
		cmocka_unit_test(decimals_are_exact_or_refused),
		cmocka_unit_test(whole_numbers_have_64_bits),
		cmocka_unit_test(members_are_found_two_deep_and_no_deeper),
		cmocka_unit_test(what_is_no_object_is_wrong),
		cmocka_unit_test(a_window_lets_the_earliest_out),
		cmocka_unit_test(objects_are_numbered_and_have_a_ceiling),
		cmocka_unit_test(positions_are_shared_as_the_kernel_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
