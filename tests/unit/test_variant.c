/* SPDX-License-Identifier: MIT */
/* Variants: what is set, and every mistake word for word. */
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
#include "traces/scenario.h"
#include "traces/variant.h"

#define EXPECTED                                                               \
	"NAME: {KEY: VALUE, ...} such as fast: {storage: {queue_depth: 64}}"

static struct variants variants;
static struct scenario scenario;

static int set_up(void **state)
{
	(void)state;
	memset(&variants, 0, sizeof(variants));
	scenario_init(&scenario);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	variants_release(&variants);
	return 0;
}

static void add(const char *argument)
{
	struct fault fault = { 0 };
	int error = variants_of_argument(&variants, argument, &fault);

	if (error)
		print_error("%s: %s\n", argument, fault.text);
	assert_int_equal(error, 0);
}

static void apply(uint32_t index)
{
	struct fault fault = { 0 };

	assert_int_equal(
		variant_apply(&variants.items[index], &scenario, &fault), 0);
}

static void a_variant_sets_its_keys(void **state)
{
	char text[256];

	(void)state;
	add("wide: {pipeline: {batch_size: 32, decode: {workers: 3}, "
	    "augment.workers: 2}, pipeline.shuffle_examples: 7, "
	    "storage.device: {bandwidth: 5 MB/s}}");
	assert_int_equal(variants.count, 1);
	assert_string_equal(variants.items[0].name, "wide");
	apply(0);
	assert_int_equal(scenario.batch_size, 32);
	assert_int_equal(scenario.stages[STAGE_DECODE].workers, 3);
	assert_int_equal(scenario.stages[STAGE_AUGMENT].workers, 2);
	assert_int_equal(scenario.shuffle_examples, 7);
	assert_int_equal(scenario.storage.profile.bandwidth_bytes_per_s,
			 5000000);
	assert_string_equal(
		variant_say(&variants.items[0], text, sizeof(text)),
		"pipeline.batch_size=32, pipeline.decode.workers=3, "
		"pipeline.augment.workers=2, pipeline.shuffle_examples=7, "
		"storage.device={bandwidth: 5 MB/s}");
}

static void distributions_and_their_parameters_are_values(void **state)
{
	(void)state;
	add("slow: {pipeline: {decode: {time: {dist: lognormal, mean: 3 ms, "
	    "stdev: 1 ms}}}}");
	add("slower: {pipeline.decode.time.mean: 4 ms}");
	apply(0);
	apply(1);
	assert_true(scenario.stages[STAGE_DECODE].time_ns.mean == 4e6);
	assert_true(scenario.stages[STAGE_DECODE].time_ns.stdev == 1e6);
}

static void a_variant_without_keys_changes_nothing(void **state)
{
	static struct scenario before;

	(void)state;
	before = scenario;
	add("as it is: {}");
	add("this too:");
	apply(0);
	apply(1);
	assert_memory_equal(&before, &scenario, sizeof(before));
}

static void a_file_has_a_map_or_a_list_of_them(void **state)
{
	static const char *const texts[] = {
		MISTAKE_LEAST "variants: {a: {}, b: {seed: 2}}\n",
		MISTAKE_LEAST "variants:\n  - a: {}\n  - b: {seed: 2}\n",
	};
	struct fault fault = { 0 };
	size_t i;

	for (i = 0; i < 2; i++) {
		set_up(state);
		assert_int_equal(variants_of_file(&variants, "job.yaml",
						  texts[i], strlen(texts[i]),
						  &fault),
				 0);
		assert_int_equal(variants.count, 2);
		assert_string_equal(variants.items[0].name, "a");
		assert_string_equal(variants.items[1].name, "b");
		assert_true(variant_gives(&variants.items[1], "seed"));
		assert_false(variant_gives(&variants.items[0], "seed"));
		variants_release(&variants);
	}
}

static void it_is_known_what_a_variant_gives(void **state)
{
	(void)state;
	add("a: {storage: {device: nvme-pcie4}, run.epochs: 2}");
	assert_true(variant_gives(&variants.items[0], "storage.device"));
	assert_true(variant_gives(&variants.items[0], "storage"));
	assert_true(variant_gives(&variants.items[0], "run.epochs"));
	assert_false(variant_gives(&variants.items[0], "run.epoch"));
	assert_false(variant_gives(&variants.items[0], "storage.device.size"));
	assert_false(variant_gives(NULL, "run.epochs"));
}

static void mistakes_in_arguments_are_said(void **state)
{
	static const struct mistake mistakes[] = {
		{ "fast", 0, "found \"fast\"; expected " EXPECTED },
		{ "", 0, "found \"\"; expected " EXPECTED },
		{ "a: {}\nb: {}", 0,
		  "found \"a: {}?b: {}\"; expected " EXPECTED },
		{ "a: 3", 0,
		  "a: found \"3\"; expected keys and values of a "
		  "scenario: " EXPECTED },
		{ "a: {seed: 1, seed: 2}", 0, NULL },
		{ "a: {run.steps: 1, run: {steps: 2}}", 0,
		  "run.steps: stands there twice; expected each key once" },
		{ "a: {variants: {b: {}}}", 0,
		  "variants: a variant has none; expected keys of a scenario" },
	};
	struct fault fault;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		fault = (struct fault){ 0 };
		assert_int_equal(variants_of_argument(&variants,
						      mistakes[i].text, &fault),
				 -EINVAL);
		if (mistakes[i].says)
			mistake_check(&mistakes[i], "--variant", &fault);
		variants_release(&variants);
	}
}

static void a_name_is_of_one_variant(void **state)
{
	static const struct mistake again = {
		"a: {seed: 2}", 0,
		"variants: \"a\": two variants have this name; expected one of "
		"its own for each"
	};
	struct fault fault = { 0 };

	(void)state;
	add("a: {}");
	assert_int_equal(variants_of_argument(&variants, again.text, &fault),
			 -EINVAL);
	mistake_check(&again, "--variant", &fault);
}

static void mistakes_in_files_have_their_line(void **state)
{
	static const struct mistake mistakes[] = {
		{ MISTAKE_LEAST "variants: 3\n", 4,
		  "variants: found \"3\"; expected a map or a list "
		  "of " EXPECTED },
		{ MISTAKE_LEAST "variants:\n", 4,
		  "variants: found nothing; expected a map or a list "
		  "of " EXPECTED },
		{ MISTAKE_LEAST "variants:\n- a: {}\n- b\n", 6,
		  "variants: found \"b\"; expected " EXPECTED },
		{ MISTAKE_LEAST "variants:\n- a: {}\n- a: {seed: 2}\n", 6,
		  "variants: \"a\": two variants have this name; expected one "
		  "of its own for each" },
		{ MISTAKE_LEAST "variants:\n  a:\n    pipeline:\n"
				"      bach_size: 3\n",
		  7,
		  "unknown key \"pipeline.bach_size\"; did you mean "
		  "\"pipeline.batch_size\"?" },
		{ MISTAKE_LEAST "variants:\n  a: {}\n  b: {seed: x}\n", 6,
		  "seed: found \"x\"; expected a whole number from 0 to "
		  "18446744073709551615" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void a_file_with_variants_is_itself_without_them(void **state)
{
	static const char text[] =
		"variants: {a: {pipeline.batch_size: 64}}\n" MISTAKE_LEAST;
	struct fault fault = { 0 };

	(void)state;
	assert_int_equal(scenario_parse(&scenario, "job.yaml", text,
					strlen(text), NULL, 0, &fault),
			 0);
	assert_int_not_equal(scenario.batch_size, 64);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_variant_sets_its_keys),
		TEST(distributions_and_their_parameters_are_values),
		TEST(a_variant_without_keys_changes_nothing),
		TEST(a_file_has_a_map_or_a_list_of_them),
		TEST(it_is_known_what_a_variant_gives),
		TEST(mistakes_in_arguments_are_said),
		TEST(a_name_is_of_one_variant),
		TEST(mistakes_in_files_have_their_line),
		TEST(a_file_with_variants_is_itself_without_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
