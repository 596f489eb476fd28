/* SPDX-License-Identifier: MIT */
/* What a trace does not hold is assumed and said; whatever it holds, what is
 * printed is a scenario or is refused as one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace/fit.h"
#include "sim/random.h"
#include "tests/support/close.h"
#include "traces/scenario.h"

#define SEED 11

static struct scenario scenario;
static struct trace_model model;

/* Finishes the fit; the text is the caller's. */
static char *printed(struct trace_fit *fit, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	assert_int_equal(trace_fit_finish(fit, &model), 0);
	trace_fit_print(out, &model, "/some/\"where\\\n");
	fclose(out);
	trace_fit_close(fit);
	return text;
}

static void parse(const char *text, size_t size)
{
	struct fault fault = { 0 };

	if (scenario_parse(&scenario, "f.yaml", text, size, NULL, 0, &fault))
		fail_msg("line %d: %s\n%s", fault.line, fault.text, text);
}

/* As a block layer's trace: requests of 64 KiB, one every 2 ms, each 5 ms. */
static void requests_alone_make_a_scenario_of_assumptions(void **state)
{
	struct trace_fit *fit = trace_fit_open(NULL);
	size_t size = 0, i;
	char *text;

	(void)state;
	for (i = 0; i < 1000; i++)
		trace_fit_add(fit,
			      &(struct trace_event){
				      .issue_ns = (int64_t)i * 2000000,
				      .start_ns = TIME_UNKNOWN,
				      .end_ns = (int64_t)i * 2000000 + 5000000,
				      .number = i,
				      .offset_bytes = i * 65536,
				      .bytes = 65536,
				      .kind = TRACE_REQUEST,
			      });
	text = printed(fit, &size);
	parse(text, size);
	assert_non_null(strstr(text, "# assumed: the trace has no steps"));
	assert_non_null(strstr(text, "# assumed: the trace has no batches"));
	assert_non_null(strstr(text, "# assumed: each request reads one"));
	assert_non_null(strstr(text, "# bandwidth: none met"));
	assert_true(scenario.storage.profile.latency_ns.mean == 5e6);
	assert_true(scenario.dataset.example_bytes.mean == 65536);
	assert_int_equal(scenario.storage.queue_depth, 3);
	assert_int_equal(scenario.storage.order, ORDER_SEQUENTIAL);
	assert_int_equal(scenario.dataset.examples, 1000);
	/* As often as it was read. */
	assert_close(scenario.accelerators.step_ns.mean, 2e6, 1e4);
	free(text);
}

/* As reads of 100 KiB past the page cache: each begins with the sector that the
 * last one ended in. */
static void requests_widened_to_sectors_are_in_order(void **state)
{
	struct trace_fit *fit = trace_fit_open(NULL);
	size_t i;

	(void)state;
	for (i = 0; i < 1000; i++)
		trace_fit_add(fit, &(struct trace_event){
					   .issue_ns = (int64_t)i * 2000000,
					   .start_ns = TIME_UNKNOWN,
					   .end_ns = (int64_t)i * 2000000 + 1,
					   .number = i,
					   .offset_bytes = i * 102400,
					   .bytes = 102400 + 512,
					   .kind = TRACE_REQUEST,
				   });
	assert_int_equal(trace_fit_finish(fit, &model), 0);
	assert_true(model.sequence.sequential == 1);
	assert_int_equal(model.sequence.order, ORDER_SEQUENTIAL);
	trace_fit_close(fit);
}

static void steps_alone_make_one_too(void **state)
{
	struct trace_fit *fit = trace_fit_open(NULL);
	size_t size = 0, i;
	char *text;

	(void)state;
	for (i = 0; i < 100; i++)
		trace_fit_add(
			fit, &(struct trace_event){
				     .issue_ns = TIME_UNKNOWN,
				     .start_ns = (int64_t)i * 60000000,
				     .end_ns = (int64_t)i * 60000000 + 50000000,
				     .number = i,
				     .kind = TRACE_STEP,
			     });
	text = printed(fit, &size);
	parse(text, size);
	assert_true(scenario.accelerators.step_ns.mean == 5e7);
	assert_int_equal(scenario.limit.steps, 100);
	assert_non_null(strstr(text, "too few requests"));
	free(text);
}

/* What says nothing about the device is told, not fitted. */
static void cached_failed_and_written_requests_are_left_out(void **state)
{
	struct trace_fit *fit = trace_fit_open(NULL);
	struct trace_event event = { .end_ns = 1000000,
				     .bytes = 4096,
				     .kind = TRACE_REQUEST };
	size_t i;

	(void)state;
	for (i = 0; i < 40; i++) {
		event.number = i;
		event.flags = i % 4 == 1 ? TRACE_WRITE :
			      i % 4 == 2 ? TRACE_FAILED :
					   0;
		event.cached_bytes = i % 4 == 3 ? 100 : 0;
		trace_fit_add(fit, &event);
	}
	assert_int_equal(trace_fit_finish(fit, &model), 0);
	assert_int_equal(model.requests, 40);
	assert_int_equal(model.cached_requests, 10);
	assert_int_equal(model.written_requests, 10);
	assert_int_equal(model.unusable_requests, 10);
	assert_false(model.device.known); /* of ten requests */
	trace_fit_close(fit);
}

/* Request `i` of many, one after the other, of 4 KiB. */
static void add_read(struct trace_fit *fit, uint64_t i, uint32_t object,
		     uint64_t block)
{
	trace_fit_add(fit, &(struct trace_event){
				   .issue_ns = (int64_t)i * 1000,
				   .start_ns = TIME_UNKNOWN,
				   .end_ns = (int64_t)i * 1000 + 500,
				   .number = i,
				   .object = object,
				   .offset_bytes = block * 4096,
				   .bytes = 4096,
				   .kind = TRACE_REQUEST,
			   });
}

/* Four objects at once, each from front to end: in order within each, and no
 * more than that is known; blocks drawn at random are in none. */
static void objects_are_looked_at_by_themselves(void **state)
{
	struct random_stream stream = random_stream(SEED, RANDOM_PROBE);
	struct trace_fit *fit = trace_fit_open(NULL);
	uint64_t i;

	(void)state;
	for (i = 0; i < 4000; i++)
		add_read(fit, i, (uint32_t)(i % 4), i / 4);
	assert_int_equal(trace_fit_finish(fit, &model), 0);
	assert_true(model.sequence.sequential == 1);
	assert_int_not_equal(model.sequence.order, ORDER_RANDOM);
	trace_fit_close(fit);
	fit = trace_fit_open(NULL);
	for (i = 0; i < 4000; i++)
		add_read(fit, i, (uint32_t)(random_bits(stream, 2 * i) >> 58),
			 random_bits(stream, 2 * i + 1) >> 54);
	assert_int_equal(trace_fit_finish(fit, &model), 0);
	assert_int_equal(model.sequence.order, ORDER_RANDOM);
	assert_false(model.sequence.assumed);
	trace_fit_close(fit);
}

/* Two accelerators, each 30 ms of work behind 10 ms of waiting; one that does
 * two things at once has no pace. */
static void the_pace_is_that_of_each_accelerator(void **state)
{
	static struct pace pace, confused;
	struct pace_figures figures;
	int64_t i;

	(void)state;
	for (i = 0; i < 100; i++) {
		pace_add(&pace, 0, i * 40000000, i * 40000000 + 30000000);
		pace_add(&pace, 1, i * 40000000, i * 40000000 + 30000000);
		pace_add(&confused, 0, i * 40000000, i * 40000000 + 50000000);
	}
	pace_make(&pace, &figures);
	assert_close(figures.au, 0.75, 1e-12);
	assert_close(figures.steps_per_s, 25, 1e-9);
	assert_close(figures.wait_s, 0.01, 1e-12);
	pace_make(&confused, &figures);
	assert_true(isnan(figures.au));
}

/* Events of random bytes, and random events that are nearly sane. */
static void hostile_events_end_in_a_text(void **state)
{
	struct random_stream stream = random_stream(SEED, RANDOM_PROBE);
	uint64_t draw = 0;
	int round, i;

	(void)state;
	for (round = 0; round < 60; round++) {
		struct trace_fit *fit = trace_fit_open(NULL);
		int shift = round % 3 * 20;
		struct fault fault = { 0 };
		size_t size = 0;
		char *text;
		int error;

		for (i = 0; i < 300; i++) {
			struct trace_event event;
			uint64_t *words = (uint64_t *)&event;
			size_t word;

			for (word = 0; word < sizeof(event) / 8; word++)
				words[word] = random_bits(stream, draw++) >>
					      (word < 6 ? shift : 0);
			event.kind %= TRACE_KINDS;
			event.stage %= STAGE_COUNT + 1;
			/* As a recording's reader lets them through. */
			if (event.end_ns < event.issue_ns)
				event.end_ns = event.issue_ns;
			event.issue_ns /= 4;
			event.start_ns /= 4;
			event.end_ns /= 4;
			trace_fit_add(fit, &event);
		}
		text = printed(fit, &size);
		error = scenario_parse(&scenario, "f.yaml", text, size, NULL, 0,
				       &fault);
		assert_int_equal(!error, !fault.text[0]);
		assert_null(strstr(fault.text, "not YAML"));
		assert_null(strstr(fault.text, "unknown key"));
		free(text);
	}
}

/* Requests of 4 KiB, each 1 ms, and as many steps of 1 ms. */
static void cautioned(size_t requests, size_t steps,
		      char caution[TRACE_FIT_CAUTION_MAX])
{
	struct trace_fit *fit = trace_fit_open(NULL);
	struct trace_event event = { .bytes = 4096 };
	size_t size = 0, i;
	char *text;

	for (i = 0; i < requests + steps; i++) {
		event.kind = i < requests ? TRACE_REQUEST : TRACE_STEP;
		event.issue_ns = event.start_ns = (int64_t)i * 1000000;
		event.end_ns = event.issue_ns + 1000000;
		event.number = i;
		event.offset_bytes = i * 4096;
		trace_fit_add(fit, &event);
	}
	text = printed(fit, &size);
	parse(text, size);
	trace_fit_caution(&model, caution);
	assert_int_equal(!!strstr(text, "\n# Caution: "), !!caution[0]);
	free(text);
}

static void what_rests_on_little_is_cautioned_about(void **state)
{
	char text[TRACE_FIT_CAUTION_MAX];

	(void)state;
	cautioned(TRACE_FIT_REQUESTS_FEW, 10, text);
	assert_string_equal(text, "");
	cautioned(TRACE_FIT_REQUESTS_FEW - 1, 10, text);
	assert_non_null(strstr(text, "rests on 999 requests; below 1000"));
	assert_null(strstr(text, "au"));
	cautioned(DEVICE_REQUESTS_MIN - 1, 10, text);
	assert_non_null(strstr(text, "fewer than 16 requests have times"));
	assert_non_null(strstr(text, "au says nothing"));
	cautioned(TRACE_FIT_REQUESTS_FEW, 0, text);
	assert_int_equal(strncmp(text, "no steps in the trace", 21), 0);
	assert_non_null(strstr(text, "au is near 1 by construction"));
	cautioned(20, 0, text);
	assert_non_null(strstr(text, "fitted to; no steps in the trace"));
	assert_int_equal(text[strlen(text) - 1], 's'); /* not cut */
	cautioned(1, 0, text);
	assert_int_equal(text[strlen(text) - 1], 's');
}

static void no_events_at_all(void **state)
{
	size_t size = 0;
	char *text = printed(trace_fit_open(NULL), &size);

	(void)state;
	assert_int_equal(model.events, 0);
	parse(text, size);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_alone_make_a_scenario_of_assumptions),
		cmocka_unit_test(requests_widened_to_sectors_are_in_order),
		cmocka_unit_test(steps_alone_make_one_too),
		cmocka_unit_test(
			cached_failed_and_written_requests_are_left_out),
		cmocka_unit_test(objects_are_looked_at_by_themselves),
		cmocka_unit_test(the_pace_is_that_of_each_accelerator),
		cmocka_unit_test(hostile_events_end_in_a_text),
		cmocka_unit_test(what_rests_on_little_is_cautioned_about),
		cmocka_unit_test(no_events_at_all),
	};

	print_message("# seed %d\n", SEED);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
