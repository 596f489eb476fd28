/* SPDX-License-Identifier: MIT */
/* Recordings for other programs. What fio is told is read back by the
 * importer of fio's own logs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace/export.h"
#include "tests/support/imported.h"

static char *text;
static size_t size;
static struct exporting export;
static struct fault fault;

/* Exports the events; the text is in `text`. */
static int export_events(const char *to, const struct trace_event *events,
			 size_t count)
{
	static const char *const names[] = { "/dev/loop0" };
	const struct export_options options = { names, 1 };
	FILE *out = open_memstream(&text, &size);
	int error = 0, ending;
	size_t i;

	assert_non_null(out);
	fault = (struct fault){ 0 };
	assert_int_equal(
		export_begin(&export, exporter_find(to), &options, out), 0);
	for (i = 0; i < count && !error; i++)
		error = export_put(&export, &events[i], &fault);
	ending = export_end(&export, &fault);
	fclose(out);
	return error ? error : ending;
}

static int done(void **state)
{
	(void)state;
	free(text);
	text = NULL;
	return 0;
}

static struct trace_event request(int64_t issue_ns, int64_t end_ns,
				  uint32_t object, uint64_t offset,
				  uint64_t bytes)
{
	return (struct trace_event){ .kind = TRACE_REQUEST,
				     .issue_ns = issue_ns,
				     .start_ns = TIME_UNKNOWN,
				     .end_ns = end_ns,
				     .object = object,
				     .offset_bytes = offset,
				     .bytes = bytes };
}

static void an_iolog_is_in_the_order_of_asking(void **state)
{
	struct trace_event events[] = {
		request(20000, 30000, 0, 4096, 512),
		request(10999, 40000, 1, 0, 65536),
		{ .kind = TRACE_STEP, .start_ns = 40000, .end_ns = 50000 },
		request(45000, TIME_UNKNOWN, 0, 8192, 512),
	};

	(void)state;
	events[3].flags = TRACE_WRITE;
	assert_int_equal(export_events("iolog", events, 4), 0);
	assert_string_equal(text, "fio version 3 iolog\n"
				  "10 object-1 add\n"
				  "10 object-1 open\n"
				  "10 object-1 read 0 65536\n"
				  "20 /dev/loop0 add\n"
				  "20 /dev/loop0 open\n"
				  "20 /dev/loop0 read 4096 512\n"
				  "45 /dev/loop0 write 8192 512\n"
				  "45 object-1 close\n"
				  "45 /dev/loop0 close\n");
	assert_int_equal(export.written, 3);
	assert_int_equal(export.left, 1);
}

static void an_iolog_imports_as_what_it_was(void **state)
{
	static struct imported imported;
	struct trace_event events[30];
	size_t i;

	(void)state;
	for (i = 0; i < 30; i++)
		events[i] = request((int64_t)i * 7000, TIME_UNKNOWN,
				    (uint32_t)i % 3, i * 4096, 4096 + i);
	assert_int_equal(export_events("iolog", events, 30), 0);
	assert_int_equal(imported_text(&imported, NULL, text), 0);
	assert_int_equal(imported.count, 30);
	for (i = 0; i < 30; i++) {
		events[i].number = i;
		assert_memory_equal(&imported.events[i], &events[i],
				    sizeof(events[i]));
	}
}

static void a_large_request_is_several_to_fio(void **state)
{
	const uint64_t gib = UINT64_C(1) << 30;
	const struct trace_event events[] = {
		request(-5000, 0, 0, 512, 2 * gib + 4096),
		request(0, 0, 0, 0, UINT64_MAX),
		request(0, 0, 0, UINT64_MAX, 512),
		request(0, 0, 0, 0, 0),
	};

	(void)state;
	assert_int_equal(export_events("iolog", events, 4), 0);
	assert_string_equal(text, "fio version 3 iolog\n"
				  "0 /dev/loop0 add\n"
				  "0 /dev/loop0 open\n"
				  "0 /dev/loop0 read 512 1073741824\n"
				  "0 /dev/loop0 read 1073742336 1073741824\n"
				  "0 /dev/loop0 read 2147484160 4096\n"
				  "0 /dev/loop0 close\n");
	assert_int_equal(export.left, 3);
}

static void what_is_too_far_out_of_order_is_refused(void **state)
{
	size_t count = 65538, i;
	struct trace_event *events = calloc(count, sizeof(*events));

	(void)state;
	assert_non_null(events);
	for (i = 0; i < count; i++)
		events[i] = request(5000 + (int64_t)i, TIME_UNKNOWN, 0, 0, 1);
	events[count - 1].issue_ns = 1;
	assert_int_equal(export_events("iolog", events, count), -EINVAL);
	assert_non_null(strstr(fault.text, "out of order"));
	free(events);
}

static void perfetto_has_bars_for_what_has_times(void **state)
{
	struct trace_event events[] = {
		request(1500, 4500, 7, 4096, 512),
		request(2000, TIME_UNKNOWN, 7, 0, 512),
		{ .kind = TRACE_STEP,
		  .issue_ns = TIME_UNKNOWN,
		  .start_ns = 5000,
		  .end_ns = 9001,
		  .number = 3 },
		{ .kind = TRACE_BATCH,
		  .issue_ns = TIME_UNKNOWN,
		  .start_ns = 1000,
		  .end_ns = 6000 },
		{ .kind = TRACE_STEP, .host = UINT32_MAX, .end_ns = 1 },
		request(-10, 4500, 7, 4096, 512),
	};

	(void)state;
	assert_int_equal(export_events("perfetto", events, 6), 0);
	assert_int_equal(export.written, 3);
	assert_int_equal(export.left, 3);
	/* Microseconds. */
	assert_non_null(strstr(text, "\"ph\": \"b\", \"pid\": 2, \"tid\": 0, "
				     "\"name\": \"request\", \"ts\": 1.500"));
	assert_non_null(strstr(text, "\"ph\": \"e\", \"pid\": 2, \"tid\": 0, "
				     "\"name\": \"request\", \"ts\": 4.500"));
	assert_non_null(strstr(text, "\"name\": \"step\", \"ts\": 5.000, "
				     "\"dur\": 4.001"));
	assert_non_null(strstr(text, "\"name\": \"batch\", \"ts\": 1.000"));
	assert_null(strstr(text, "waits for others"));
	assert_string_equal(text + size - 4, "\n]}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(an_iolog_is_in_the_order_of_asking,
					  done),
		cmocka_unit_test_teardown(an_iolog_imports_as_what_it_was,
					  done),
		cmocka_unit_test_teardown(a_large_request_is_several_to_fio,
					  done),
		cmocka_unit_test_teardown(
			what_is_too_far_out_of_order_is_refused, done),
		cmocka_unit_test_teardown(perfetto_has_bars_for_what_has_times,
					  done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
