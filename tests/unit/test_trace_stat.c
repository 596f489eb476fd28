/* SPDX-License-Identifier: MIT */
/*
 * What is made of rows of events, on rows made by hand: figures, order, and
 * the requests in the order of issuing with what was in flight.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/trace/requests.h"
#include "analysis/trace/check.h"
#include "analysis/trace/stat.h"

#define MS INT64_C(1000000)

static struct trace_event request(uint64_t number, int64_t issue_ns,
				  int64_t end_ns, uint32_t object,
				  uint64_t offset, uint64_t bytes)
{
	return (struct trace_event){ .issue_ns = issue_ns,
				     .start_ns = issue_ns,
				     .end_ns = end_ns,
				     .number = number,
				     .object = object,
				     .offset_bytes = offset,
				     .bytes = bytes,
				     .kind = TRACE_REQUEST };
}

static struct metric_value figure(const struct document *document,
				  const char *path)
{
	const struct node *node = node_at(document_data_of(document), path);

	return node ? node_value(node, node_kind(node)) : value_unknown();
}

static double number(const struct document *document, const char *path)
{
	return node_real(document_data_of(document), path);
}

static void assert_near(double value, double expected)
{
	assert_true(value > expected * 0.98 - 1e-12);
	assert_true(value < expected * 1.02 + 1e-12);
}

/* Two streams of 100 requests of 4 KiB each, one after the other in their
 * object, 10 ms each, two always in flight: 200 requests in a second. They
 * are told as they end, the second object's first. */
static void figures_are_those_of_two_streams(void **state)
{
	struct trace_stat *stat = trace_stat_open();
	struct document *document;
	const struct node *rows;

	(void)state;
	assert_non_null(stat);
	for (uint64_t i = 0; i < 100; i++) {
		int64_t at_ns = (int64_t)i * 10 * MS;

		for (uint32_t object = 2; object-- > 0;) {
			struct trace_event event =
				request(2 * i + object, at_ns, at_ns + 10 * MS,
					object, i * 4096, 4096);

			trace_stat_add(stat, &event);
		}
	}
	trace_stat_finish(stat);
	document = trace_stat_document(stat);
	assert_int_equal(figure(document, "requests").count, 200);
	assert_near(number(document, "span_s"), 1);
	assert_near(number(document, "requests_per_s"), 200);
	assert_near(number(document, "bytes_per_s"), 200 * 4096);
	assert_near(number(document, "queue_depth_mean"), 2);
	assert_near(number(document, "latency_s.p50"), 0.010);
	/* All but the first of each. */
	assert_near(number(document, "sequential_fraction"), 198.0 / 200);
	assert_int_equal(figure(document, "places").count, 200);
	rows = node_at(document_data_of(document), "over_time");
	for (size_t row = 0; row + 1 < node_count(rows); row++)
		assert_near(node_real(node_item(rows, row), "queue_depth_mean"),
			    2);
	document_free(document);
	trace_stat_close(stat);
}

/* Three epochs over ten places, each in another order. */
static void the_nth_reading_is_that_of_the_nth_epoch(void **state)
{
	static const uint64_t strides[] = { 1, 3, 7 };
	struct trace_stat *stat = trace_stat_open();
	struct document *document;
	const struct node *rows;

	(void)state;
	assert_non_null(stat);
	for (uint64_t i = 0; i < 30; i++) {
		uint64_t place = i * strides[i / 10] % 10;
		struct trace_event event = request(
			i, (int64_t)i, (int64_t)i + 1, 0, place * 512, 512);

		trace_stat_add(stat, &event);
	}
	trace_stat_finish(stat);
	document = trace_stat_document(stat);
	rows = node_at(document_data_of(document), "readings");
	assert_int_equal(node_count(rows), 3);
	for (size_t row = 0; row < 3; row++) {
		assert_near(node_real(node_item(rows, row), "requests"), 10);
		assert_near(node_real(node_item(rows, row), "places_fraction"),
			    1);
	}
	document_free(document);
	trace_stat_close(stat);
}

static void an_event_without_times_is_counted(void **state)
{
	struct trace_stat *stat = trace_stat_open();
	struct document *document;
	struct trace_event event =
		request(7, TIME_UNKNOWN, TIME_UNKNOWN, 0, 0, 512);

	(void)state;
	assert_non_null(stat);
	trace_stat_add(stat, &event);
	trace_stat_finish(stat);
	document = trace_stat_document(stat);
	assert_int_equal(figure(document, "requests").count, 1);
	assert_false(figure(document, "requests_per_s").known);
	assert_false(figure(document, "latency_s.p50").known);
	document_free(document);
	trace_stat_close(stat);
}

/*   issued   0 1 2 3 9
 *   ended    5 2 8 4 10   so in flight: 1 2 2 3 1 */
static void requests_know_what_was_in_flight(void **state)
{
	static const int64_t times[][2] = {
		{ 1, 2 }, { 3, 4 }, { 0, 5 }, { 2, 8 }, { 9, 10 }
	};
	static const uint32_t depths[] = { 1, 2, 2, 3, 1 };
	struct requests requests = { 0 };
	struct trace_event event;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		event = request(i, 100 + times[i][0], 100 + times[i][1], 0, i,
				1);
		assert_int_equal(requests_add(&requests, &event), 0);
	}
	event = request(5, 0, 1, 0, 0, 1);
	event.flags = TRACE_WRITE;
	assert_int_equal(requests_add(&requests, &event), 0);
	event = request(6, TIME_UNKNOWN, TIME_UNKNOWN, 0, 0, 1);
	assert_int_equal(requests_add(&requests, &event), 0);
	requests_finish(&requests);
	assert_int_equal(requests.count, 5);
	assert_int_equal(requests.writes, 1);
	assert_int_equal(requests.untimed, 1);
	assert_int_equal(requests.rows[0].issue_ns, 0);
	assert_int_equal(requests.rows[4].issue_ns, 9);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(requests.rows[i].depth, depths[i]);
	requests_release(&requests);
}

static void what_is_out_of_order_is_said(void **state)
{
	struct trace_check check = { 0 };
	struct trace_event event = request(0, 5, 10, 0, 0, 1);

	(void)state;
	assert_true(trace_check_add(&check, &event));
	event = request(1, 5, 9, 0, 0, 1);
	assert_false(trace_check_add(&check, &event));
	assert_non_null(strstr(check.wrong, "after one that happened later"));
	event = request(1, 12, 11, 0, 0, 1);
	assert_false(trace_check_add(&check, &event));
	event = request(1, 5, 11, 0, 0, 1);
	event.cached_bytes = 2;
	assert_false(trace_check_add(&check, &event));
	/* Work is told at its start or at its end. */
	event = (struct trace_event){ .issue_ns = 0,
				      .start_ns = 8,
				      .end_ns = 20,
				      .kind = TRACE_WORK,
				      .stage = 1 };
	assert_true(trace_check_add(&check, &event));
	event.kind = TRACE_STEP;
	assert_false(trace_check_add(&check, &event));
}

static void an_end_that_counts_otherwise_is_said(void **state)
{
	struct trace_event event = request(0, 5, 10, 0, 0, 1);
	struct recording_end end = { .requests = 1, .steps = 0, .events = 1 };
	struct trace_check check = { 0 };
	struct fault fault = { 0 };

	(void)state;
	assert_true(trace_check_add(&check, &event));
	assert_int_equal(trace_check_end(&check, &end, "f", &fault), 0);
	assert_int_equal(trace_check_end(&check, NULL, "f", &fault), -EBADMSG);
	assert_non_null(strstr(fault.text, "cut short"));
	end.steps = 3;
	fault = (struct fault){ 0 };
	assert_int_equal(trace_check_end(&check, &end, "f", &fault), -EBADMSG);
	assert_non_null(strstr(fault.text, "1 requests and 3 steps"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_those_of_two_streams),
		cmocka_unit_test(the_nth_reading_is_that_of_the_nth_epoch),
		cmocka_unit_test(an_event_without_times_is_counted),
		cmocka_unit_test(requests_know_what_was_in_flight),
		cmocka_unit_test(what_is_out_of_order_is_said),
		cmocka_unit_test(an_end_that_counts_otherwise_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
