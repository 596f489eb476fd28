/* SPDX-License-Identifier: MIT */
/* What importers hold in common: format, order, bad lines, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/imported.h"

#define V3 "fio version 3 iolog\n"

static struct imported imported;

static void start(void)
{
	imported = (struct imported){ 0 };
}

static void out_of_order_within_the_window_is_put_in_order(void **state)
{
	(void)state;
	start();
	imported.options.window = 2;
	assert_int_equal(imported_text(&imported, NULL,
				       V3 "20 a read 0 1\n"
					  "10 a read 1 1\n"
					  "30 a read 2 1\n"
					  "25 a read 3 1\n"),
			 0);
	assert_int_equal(imported.count, 4);
	assert_int_equal(imported.events[0].issue_ns, 10000);
	assert_int_equal(imported.events[1].issue_ns, 20000);
	assert_int_equal(imported.events[2].issue_ns, 25000);
	assert_int_equal(imported.events[3].issue_ns, 30000);
}

static void out_of_order_beyond_the_window_is_refused(void **state)
{
	(void)state;
	start();
	imported.options.window = 2;
	assert_int_equal(imported_text(&imported, NULL,
				       V3 "20 a read 0 1\n"
					  "30 a read 1 1\n"
					  "40 a read 2 1\n"
					  "10 a read 3 1\n"),
			 -EINVAL);
	assert_string_equal(imported.fault.text,
			    "line 5: 0.000010000 s earlier than what was "
			    "passed on already: out of order by more than the "
			    "window of 2 events; sort the trace, or widen "
			    "--window");
	/* What came before it is there. */
	assert_int_equal(imported.count, 3);
}

static void equal_times_keep_their_order(void **state)
{
	char text[8192] = V3;
	size_t at = strlen(text), i;

	(void)state;
	start();
	for (i = 0; i < 60; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "5 a read %zu 1\n", i);
	assert_int_equal(imported_text(&imported, NULL, text), 0);
	for (i = 0; i < 60; i++)
		assert_int_equal(imported.events[i].offset_bytes, i);
}

static void lines_that_cannot_be_read_are_counted(void **state)
{
	static const char text[] = V3 "10 a read 0 1\n"
				      "20 a read nowhere 1\n"
				      "\n"
				      "30 a eat 0 1\n"
				      "40 a read 4 1\n";

	(void)state;
	start();
	assert_int_equal(imported_text(&imported, NULL, text), 0);
	assert_int_equal(imported.count, 2);
	assert_int_equal(imported.report.lines, 6);
	assert_int_equal(imported.report.bad, 2);
	assert_int_equal(imported.report.bad_line, 3);
	assert_string_equal(imported.report.bad_text,
			    "expected an offset in bytes");
}

static void strict_stops_at_the_first_bad_line(void **state)
{
	(void)state;
	start();
	imported.options.strict = true;
	assert_int_equal(imported_text(&imported, NULL,
				       V3 "10 a read 0 1\n"
					  "20 a read nowhere 1\n"
					  "30 a read 0 1\n"),
			 -EINVAL);
	assert_string_equal(imported.fault.text,
			    "line 3: expected an offset in bytes");
	assert_int_equal(imported.count, 1);
}

static void files_have_numbers_in_order_of_their_first_use(void **state)
{
	(void)state;
	start();
	assert_int_equal(imported_text(&imported, NULL,
				       V3 "1 b read 0 1\n"
					  "2 a read 0 1\n"
					  "3 b read 0 1\n"),
			 0);
	assert_int_equal(imported.events[0].object, 0);
	assert_int_equal(imported.events[1].object, 1);
	assert_int_equal(imported.events[2].object, 0);
}

static int full(void *context, const struct trace_event *event)
{
	(void)context;
	(void)event;
	return -ENOSPC;
}

static int broken(void *context, void *buffer, size_t size, size_t *count,
		  struct fault *fault)
{
	(void)context;
	(void)buffer;
	(void)size;
	(void)count;
	fault_set(fault, "a", 0, "cannot be read");
	return -EIO;
}

static void trouble_of_source_and_sink_is_passed_on(void **state)
{
	static const char text[] = V3 "1 b read 0 1\n";
	struct import_options options = { 0 };
	struct byte_source bad_source = { NULL, broken }, source;
	struct import_sink sink = { NULL, full };
	struct import_report report;
	struct fault fault = { 0 };
	struct memory_source memory;

	(void)state;
	assert_int_equal(import_run(NULL, &options, &bad_source, &sink, &report,
				    &fault),
			 -EIO);
	source = memory_source_open(&memory, text, strlen(text), 3);
	assert_int_equal(import_run(NULL, &options, &source, &sink, &report,
				    &fault),
			 -ENOSPC);
}

static void what_looks_like_nothing_is_refused(void **state)
{
	(void)state;
	start();
	assert_int_equal(imported_text(&imported, NULL, "once upon a time\n"),
			 -EINVAL);
	assert_non_null(strstr(imported.fault.text,
			       "looks like no trace that is known"));
	assert_int_equal(imported_text(&imported, NULL, ""), -EINVAL);
	assert_string_equal(imported.fault.text, "is empty; expected a trace");
}

static void a_trace_without_events_says_what_it_lacks(void **state)
{
	(void)state;
	start();
	assert_int_equal(imported_text(&imported, NULL, V3 "1 b add\n"),
			 -EINVAL);
	assert_non_null(strstr(imported.fault.text, "holds no event"));
	assert_int_equal(imported_text(&imported, NULL, V3 "1 b fly\n"),
			 -EINVAL);
	assert_non_null(strstr(imported.fault.text,
			       "holds nothing that can be read as fio-iolog; "
			       "line 2: unknown action \"fly\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			out_of_order_within_the_window_is_put_in_order),
		cmocka_unit_test(out_of_order_beyond_the_window_is_refused),
		cmocka_unit_test(equal_times_keep_their_order),
		cmocka_unit_test(lines_that_cannot_be_read_are_counted),
		cmocka_unit_test(strict_stops_at_the_first_bad_line),
		cmocka_unit_test(
			files_have_numbers_in_order_of_their_first_use),
		cmocka_unit_test(trouble_of_source_and_sink_is_passed_on),
		cmocka_unit_test(what_looks_like_nothing_is_refused),
		cmocka_unit_test(a_trace_without_events_says_what_it_lacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
