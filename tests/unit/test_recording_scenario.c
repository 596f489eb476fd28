/* SPDX-License-Identifier: MIT */
/* The scenario of a recording: what is written reads back as it was. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/mistake.h"
#include "traces/devices.h"
#include "traces/field.h"
#include "traces/loaders.h"
#include "traces/recording/scenario.h"

static struct scenario original, again;

/* Rows that a text which stands alone does not have. */
static bool is_name(const struct field *field)
{
	return !strcmp(field->key, "storage.device") ||
	       !strcmp(field->key, "storage.device.extends") ||
	       !strcmp(field->key, "storage.device.size") ||
	       !strcmp(field->key, "pipeline.loader.like");
}

static void expect_same(const struct field *field, const void *one,
			const void *other)
{
	char was[256], is[256];

	field_print(field, one, was, sizeof(was));
	field_print(field, other, is, sizeof(is));
	if (strcmp(was, is))
		fail_msg("%s was %s and reads back as %s", field->key, was, is);
}

static void expect_same_list(const char *list, const void *one,
			     const void *other)
{
	for (size_t i = 0; i < field_count; i++)
		if (field_listed_in(&field_table[i], list))
			expect_same(&field_table[i], one, other);
}

static void expect_all_same(const struct echo *echo)
{
	const struct device_profile *was = &original.storage.profile;
	const struct device_profile *is = &again.storage.profile;

	for (size_t i = 0; i < field_count; i++)
		if (!field_is_listed(&field_table[i]) &&
		    !is_name(&field_table[i]))
			expect_same(&field_table[i], &original, &again);
	assert_int_equal(was->bucket_count, is->bucket_count);
	for (uint32_t i = 0; i < was->bucket_count; i++)
		expect_same_list("storage.device.buckets", &was->buckets[i],
				 &is->buckets[i]);
	assert_int_equal(again.echo_count, 1);
	expect_same_list("echo", echo, &again.echoes[0]);
	assert_int_equal(original.storage.native, again.storage.native);
	assert_int_equal(original.decompress_unset, again.decompress_unset);
	assert_int_equal(original.limit.steps, again.limit.steps);
}

/* Writes the original, reads it as a recording's and compares. */
static void go_round(const struct echo *echo)
{
	struct recording_head head = { .version = RECORDING_VERSION };
	struct fault fault = { 0 };
	char *text = recording_describe(&original, echo, &head.text_bytes);

	assert_non_null(text);
	head.text = text;
	if (recording_scenario(&head, "r", NULL, 0, &again, &fault) ||
	    scenario_check(&again, "r", &fault))
		fail_msg("line %d: %s of\n%s", fault.line, fault.text, text);
	expect_all_same(echo);
	assert_int_equal(recording_same(&again, &original, echo, "r", &fault),
			 0);
	free(text);
}

static void read_original(const char *text, const char *const *overrides,
			  uint32_t count)
{
	struct fault fault = { 0 };

	if (scenario_parse(&original, "original", text, strlen(text), overrides,
			   count, &fault))
		fail_msg("%s", fault.text);
}

static void every_device_reads_back(void **state)
{
	char override[128];
	const char *overrides[] = { override };

	(void)state;
	for (size_t i = 0; i < devices.count; i++) {
		snprintf(override, sizeof(override), "storage.device=%s",
			 devices.files[i].name);
		read_original(MISTAKE_LEAST, overrides, 1);
		go_round(&original.echoes[0]);
	}
}

static void every_loader_reads_back(void **state)
{
	char override[128];
	const char *overrides[] = { override };

	(void)state;
	for (size_t i = 0; i < loaders.count; i++) {
		snprintf(override, sizeof(override), "pipeline.loader.like=%s",
			 loaders.files[i].name);
		read_original(MISTAKE_LEAST, overrides, 1);
		go_round(&original.echoes[0]);
	}
}

static void every_kind_of_value_reads_back(void **state)
{
	static const char *const lines[] = {
		"name: 'a \"quoted\" n\u00e4me \\ and # more: {x}'\n",
		"seed: 18446744073709551615\n",
		"run: {epochs: 3}\n",
		"run: {steps: 100, epochs: 3}\n",
		"run: {duration: 90 s, warmup_steps: 0}\n",
		"storage: {device: native}\n",
		"storage: {device: {extends: aws-ebs-gp2, size: 333.3 GiB}}\n",
		"storage: {device: {bandwidth: 1 GB/s, buckets: [{of: bytes, "
		" capacity: 5 MB, initial: 1 MB, baseline: 20 MB/s, "
		"peak: 100 MB/s}]}}\n",
		"prices: {storage: {per_gib_month: 0.1}, currency: EUR}\n"
		"storage: {device: {bandwidth: 1 GB/s, size: 1 TiB}}\n",
		"storage: {device: {bandwidth: 1234567 B/s, tail: "
		"{probability: 0.001, latency: {dist: exponential, mean: 7 "
		"ms}}, error: {probability: 0.1, retries: 3, backoff: 1 "
		"ms}}, volumes: 3, scope: per-host}\n",
		"pipeline: {decode: {workers: 8, time: {dist: lognormal, mean: "
		"3 ms, stdev: 1234567 ns}}, decompress: {time: 0 ns}}\n",
		"pipeline: {augment: {time: {p50: 1 ms, p90: 2 ms, p99: 3 ms, "
		"p999: 4001 us}, rate: 5 MB/s}, ordered: false}\n",
		"pipeline: {loader: {kind: workers, workers: 3, in_order: "
		"false, pin: {time: {dist: uniform, low: 1 ms, high: 2 ms}}, "
		"handover: 300 us}}\n",
		"pipeline: {loader: {window: 9, window_token: ask}, decode: "
		"{time: {dist: cycle, values: [160 ms, 10 ms, 1234567 "
		"ns]}}}\n",
		"cache: {policy: lru, bytes: 100 GiB, latency: 10 us}\n",
		"training: {law: choi2019-resnet50-imagenet}\n",
		"training: {law: {file: mine.csv}}\n",
	};
	char text[2048];

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(text, sizeof(text),
			 "dataset: {examples: 1000000, example_bytes: 112 "
			 "KiB}\naccelerator: {step_time: 100 ms}\n%s%s",
			 strstr(lines[i], "device:") ? "" : MISTAKE_DEVICE,
			 lines[i]);
		read_original(text, NULL, 0);
		go_round(&original.echoes[0]);
	}
}

static void every_strategy_reads_back(void **state)
{
	static const char *const asked[] = {
		"none",
		"batch:2",
		"example-before-augment:1.5",
		"example-after-augment:3",
		"batch:when-starved:4",
	};
	struct fault fault = { 0 };
	struct echo echo;

	(void)state;
	read_original(MISTAKE_LEAST, NULL, 0);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		assert_int_equal(scenario_parse_echo(asked[i], &echo, &fault),
				 0);
		go_round(&echo);
	}
	echo.policy = ECHO_FIXED;
	echo.factor = 2.5;
	echo.shuffle_batches = 7;
	echo.repeat_cost_ns = 1001;
	go_round(&echo);
}

static void what_differs_is_said(void **state)
{
	static const struct {
		const char *override, *says;
	} different[] = {
		{ "storage.queue_depth=33",
		  "storage.queue_depth was 32 and is 33" },
		{ "pipeline.decode.time=3 ms",
		  "pipeline.decode.time was 0 ns and is 3 ms" },
		{ "run.epochs=2", "run.steps was 100 and is not given" },
		{ "echo=[{place: batch, factor: 2}]",
		  "echo.place was none and is batch" },
		{ "storage.device=aws-ebs-gp2", "storage.device.scope was" },
	};
	struct fault fault = { 0 };

	(void)state;
	read_original(MISTAKE_LEAST, NULL, 0);
	again = original;
	for (size_t i = 0; i < sizeof(different) / sizeof(different[0]); i++) {
		read_original(MISTAKE_LEAST, &different[i].override, 1);
		fault = (struct fault){ 0 };
		assert_int_equal(recording_same(&again, &original,
						&original.echoes[0], "r",
						&fault),
				 -EINVAL);
		if (!strstr(fault.text, different[i].says))
			fail_msg("%s", fault.text);
	}
	read_original(MISTAKE_LEAST, (const char *const[]){ "name=other" }, 1);
	assert_int_equal(recording_same(&again, &original, &original.echoes[0],
					"r", &fault),
			 0);
}

/* What no scenario file may hold, no recording may. */
static void a_hostile_text_is_refused_with_its_line(void **state)
{
	static const struct mistake mistakes[] = {
		{ "seed: 1\nseed: 2\n", 2, "seed" },
		{ "name: &a x\nseed: *a\n", 1, "" },
		{ "seed: 1\nrun: {stepps: 3}\n", 2, "stepps" },
		{ "seed: 1\n\npipeline: {decode: {workers: 99999999}}\n", 3,
		  "pipeline.decode.workers" },
		{ "storage: {device: /dev/zero}\n", 1, "/dev/zero" },
		{ "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{\n", 1, "" },
	};
	struct recording_head head = { .version = RECORDING_VERSION };
	struct fault fault;

	(void)state;
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		fault = (struct fault){ 0 };
		head.text = mistakes[i].text;
		head.text_bytes = strlen(head.text);
		assert_int_not_equal(recording_scenario(&head, "r.trace", NULL,
							0, &again, &fault),
				     0);
		assert_string_equal(fault.file, "r.trace");
		if (fault.line != mistakes[i].line ||
		    !strstr(fault.text, mistakes[i].says))
			fail_msg("line %d: %s", fault.line, fault.text);
	}
}

static void version_1_has_no_scenario_to_read(void **state)
{
	const struct recording_head head = { .version = 1, .text = "" };
	struct fault fault = { 0 };

	(void)state;
	assert_int_equal(recording_scenario(&head, "r", NULL, 0, &again,
					    &fault),
			 -EINVAL);
	assert_non_null(strstr(fault.text, "expected the SCENARIO"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_device_reads_back),
		cmocka_unit_test(every_loader_reads_back),
		cmocka_unit_test(every_kind_of_value_reads_back),
		cmocka_unit_test(every_strategy_reads_back),
		cmocka_unit_test(what_differs_is_said),
		cmocka_unit_test(a_hostile_text_is_refused_with_its_line),
		cmocka_unit_test(version_1_has_no_scenario_to_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
