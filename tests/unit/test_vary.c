/* SPDX-License-Identifier: MIT */
/* Axes: values by hand, and every mistake word for word. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/mistake.h"
#include "traces/vary.h"

static void parse(struct vary *vary, const char *text)
{
	struct fault fault = { 0 };
	int error = vary_parse(vary, text, &fault);

	if (error)
		print_error("%s: %s\n", text, fault.text);
	assert_int_equal(error, 0);
}

/* The texts of all values, with blanks between. */
static void check_texts(const char *text, const char *expected)
{
	struct vary vary;
	char found[512] = "";
	uint32_t i;

	parse(&vary, text);
	for (i = 0; i < vary.count; i++)
		snprintf(found + strlen(found), sizeof(found) - strlen(found),
			 "%s%s", i ? "|" : "", vary.values[i].text);
	assert_string_equal(found, expected);
	vary_release(&vary);
}

static void a_linear_range_is_evenly_spaced(void **state)
{
	(void)state;
	check_texts("storage.device.bandwidth=100 MB/s..500 MB/s:lin:5",
		    "100 MB/s|200 MB/s|300 MB/s|400 MB/s|500 MB/s");
	check_texts("accelerator.step_time=10ms..40 ms:4",
		    "10 ms|20 ms|30 ms|40 ms");
	check_texts("storage.device.latency=0 ms..2 ms:3", "0 ns|1 ms|2 ms");
	check_texts("dataset.compression_ratio=1..2:5", "1|1.25|1.5|1.75|2");
}

static void a_logarithmic_range_has_equal_ratios(void **state)
{
	struct vary vary;
	uint32_t i;

	(void)state;
	parse(&vary, "storage.device.bandwidth=50 MB/s..2 GB/s:log:9");
	assert_int_equal(vary.count, 9);
	assert_true(vary.is_number && !vary.whole);
	assert_string_equal(vary.unit, "B/s");
	for (i = 0; i < 9; i++)
		assert_true(fabs(vary.values[i].number -
				 50e6 * pow(40, i / 8.0)) <= 0.6);
	assert_true(vary.values[0].number == 50e6);
	assert_true(vary.values[8].number == 2e9);
	vary_release(&vary);
}

static void whole_numbers_are_rounded_and_each_is_there_once(void **state)
{
	(void)state;
	check_texts("accelerator.count=1..64:log:7", "1|2|4|8|16|32|64");
	check_texts("accelerator.count=1..8:log:16", "1|2|3|4|5|6|7|8");
	check_texts("pipeline.decode.workers=1..3:9", "1|2|3");
	check_texts("pipeline.decode.workers=1..10:4", "1|4|7|10");
}

static void without_a_count_the_range_says_it(void **state)
{
	(void)state;
	check_texts("pipeline.decode.workers=1..16",
		    "1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16");
	check_texts("storage.queue_depth=1..64:log", "1|2|4|8|16|32|64");
	check_texts("storage.request_bytes=64 KiB..512 KiB:log",
		    "64 KiB|128 KiB|256 KiB|512 KiB");
	check_texts("pipeline.decode.workers=10..80",
		    "10|20|30|40|50|60|70|80");
}

static void times_are_in_seconds(void **state)
{
	struct vary vary;

	(void)state;
	parse(&vary, "accelerator.step_time=8 ms..24 ms:3");
	assert_string_equal(vary.unit, "s");
	assert_true(vary.values[1].number == 0.016);
	vary_release(&vary);
}

static void a_list_takes_what_set_takes(void **state)
{
	(void)state;
	check_texts("storage.device=aws-ebs-gp3, aws-s3-standard",
		    "aws-ebs-gp3|aws-s3-standard");
	check_texts("echo=none,batch:2,example-before-augment:2",
		    "none|batch:2|example-before-augment:2");
	check_texts("accelerator.step_time="
		    "{dist: lognormal, mean: 3 ms, stdev: 1 ms},5 ms",
		    "{dist: lognormal, mean: 3 ms, stdev: 1 ms}|5 ms");
	check_texts("name=\"a, b\",'c,d'", "\"a, b\"|'c,d'");
}

static void a_list_of_rising_numbers_is_one_of_numbers(void **state)
{
	struct vary vary;

	(void)state;
	parse(&vary, "storage.queue_depth=1,8,64");
	assert_true(vary.is_number && vary.whole);
	assert_true(vary.values[2].number == 64);
	vary_release(&vary);
	parse(&vary, "storage.queue_depth=8,1");
	assert_false(vary.is_number);
	vary_release(&vary);
	parse(&vary, "storage.order=sequential,random");
	assert_false(vary.is_number);
	vary_release(&vary);
}

static struct scenario scenario;

static void least(void)
{
	struct fault fault = { 0 };

	assert_int_equal(scenario_parse(&scenario, "least", MISTAKE_LEAST,
					strlen(MISTAKE_LEAST), NULL, 0, &fault),
			 0);
}

static int apply(const struct vary *vary, uint32_t index, struct fault *fault)
{
	const struct vary_change change = { vary->key,
					    vary->values[index].text };

	return vary_apply(&change, &scenario, fault);
}

static void a_value_is_set_in_the_scenario(void **state)
{
	struct fault fault = { 0 };
	struct vary vary;

	(void)state;
	least();
	parse(&vary, "pipeline.decode.time.mean=1 ms,3 ms");
	assert_int_equal(apply(&vary, 1, &fault), 0);
	assert_true(scenario.stages[STAGE_DECODE].time_ns.mean == 3e6);
	vary_release(&vary);
	parse(&vary, "echo=none,batch:2.5");
	assert_int_equal(apply(&vary, 1, &fault), 0);
	assert_int_equal(scenario.echo_count, 1);
	assert_int_equal(scenario.echoes[0].place, ECHO_BATCH);
	assert_true(scenario.echoes[0].factor == 2.5);
	vary_release(&vary);
}

static void a_value_is_checked_as_set_checks_it(void **state)
{
	struct fault fault = { 0 };
	struct vary vary;

	(void)state;
	least();
	parse(&vary, "storage.queue_depth=1,many");
	assert_int_equal(apply(&vary, 1, &fault), -EINVAL);
	assert_string_equal(fault.file, "--vary");
	assert_string_equal(fault.text,
			    "storage.queue_depth: found \"many\"; expected a "
			    "whole number from 1 to 16384");
	vary_release(&vary);
}

static const struct {
	const char *text;
	const char *says;
} mistakes[] = {
	{ "", "found \"\"; expected KEY=LOW..HIGH[:log|lin][:N] or "
	      "KEY=VALUE,VALUE,..." },
	{ "=1..2", "found \"=1..2\"; expected KEY=LOW..HIGH[:log|lin][:N] or "
		   "KEY=VALUE,VALUE,..." },
	{ "accelerator.cuont=1..2",
	  "unknown key \"accelerator.cuont\"; did you mean "
	  "\"accelerator.count\"?" },
	{ "prices=a.yaml,b.yaml",
	  "prices is not one value; expected one of its keys, "
	  "`echosim list fields` has all of them" },
	{ "storage=1..2", "storage is not one value; expected one of its keys, "
			  "`echosim list fields` has all of them" },
	{ "accelerator.count=8..1",
	  "accelerator.count: found the range 8..1; expected its low "
	  "end first, then a higher one" },
	{ "accelerator.count=8..8",
	  "accelerator.count: found the range 8..8; expected its low "
	  "end first, then a higher one" },
	{ "accelerator.count=-1..8",
	  "accelerator.count: found \"-1\"; expected a whole number "
	  "from 1 to 1024" },
	{ "accelerator.count=1..2000",
	  "accelerator.count: found \"2000\"; expected a whole number "
	  "from 1 to 1024" },
	{ "accelerator.count=..8",
	  "accelerator.count: found \"\"; expected a whole number "
	  "from 1 to 1024" },
	{ "accelerator.count=1..8:1",
	  "accelerator.count: found \":1\"; expected :log or :lin, and "
	  ":N from 2 to 4096 points" },
	{ "accelerator.count=1..8:log:",
	  "accelerator.count: found \":log:\"; expected :log or :lin, "
	  "and :N from 2 to 4096 points" },
	{ "accelerator.count=1..8:logarithmic",
	  "accelerator.count: found \":logarithmic\"; expected :log or "
	  ":lin, and :N from 2 to 4096 points" },
	{ "accelerator.count=1..8:4097",
	  "accelerator.count: found \":4097\"; expected :log or :lin, "
	  "and :N from 2 to 4096 points" },
	{ "storage.device.latency=0 ms..1 ms:log",
	  "storage.device.latency: found 0 ms on a logarithmic scale; "
	  "expected a low end above zero, or :lin" },
	{ "accelerator.count=8",
	  "accelerator.count: found \"8\"; expected at least two "
	  "values, LOW..HIGH[:log|lin][:N] or VALUE,VALUE,..." },
	{ "accelerator.count=1,,2",
	  "accelerator.count: value 2 is empty; expected "
	  "VALUE,VALUE,..." },
	{ "accelerator.count=1,2,1",
	  "accelerator.count: 1 stands there twice" },
};

static void a_mistake_is_told_in_one_line(void **state)
{
	struct fault fault;
	struct vary vary;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		fault = (struct fault){ 0 };
		assert_int_equal(vary_parse(&vary, mistakes[i].text, &fault),
				 -EINVAL);
		assert_string_equal(fault.text, mistakes[i].says);
		assert_string_equal(fault.file, "--vary");
	}
}

/* Nothing that can be typed does harm: all prefixes, and all with a byte
 * changed, are read or refused. */
static void a_hostile_text_is_read_or_refused(void **state)
{
	static const char whole[] =
		"pipeline.decode.time={dist: uniform, low: 1 ms},'a\",b'..2 "
		"ms:log:9";
	char text[sizeof(whole)];
	struct fault fault;
	struct vary vary;
	size_t at;
	int byte;

	(void)state;
	for (at = 0; at < sizeof(whole) - 1; at++) {
		for (byte = 0; byte < 256; byte++) {
			memcpy(text, whole, sizeof(text));
			text[at] = (char)byte;
			fault = (struct fault){ 0 };
			if (vary_parse(&vary, text, &fault))
				assert_true(fault.text[0]);
			else
				vary_release(&vary);
		}
	}
}

static void too_long_a_list_is_refused(void **state)
{
	static char text[8 * VARY_VALUES_MAX];
	struct fault fault = { 0 };
	struct vary vary;
	size_t used;
	int i;

	(void)state;
	used = (size_t)snprintf(text, sizeof(text), "seed=0");
	for (i = 1; i <= VARY_VALUES_MAX; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 ",%d", i);
	assert_int_equal(vary_parse(&vary, text, &fault), -EINVAL);
	assert_string_equal(fault.text,
			    "seed: more than 4096 values; that is the limit");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_linear_range_is_evenly_spaced),
		cmocka_unit_test(a_logarithmic_range_has_equal_ratios),
		cmocka_unit_test(
			whole_numbers_are_rounded_and_each_is_there_once),
		cmocka_unit_test(without_a_count_the_range_says_it),
		cmocka_unit_test(times_are_in_seconds),
		cmocka_unit_test(a_list_takes_what_set_takes),
		cmocka_unit_test(a_list_of_rising_numbers_is_one_of_numbers),
		cmocka_unit_test(a_value_is_set_in_the_scenario),
		cmocka_unit_test(a_value_is_checked_as_set_checks_it),
		cmocka_unit_test(a_mistake_is_told_in_one_line),
		cmocka_unit_test(a_hostile_text_is_read_or_refused),
		cmocka_unit_test(too_long_a_list_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
