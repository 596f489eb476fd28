/* SPDX-License-Identifier: MIT */
/* The field table: whole, and read by the loops over it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "traces/echo.h"
#include "traces/field.h"
#include "traces/synonym.h"

#define BUCKETS "storage.device.buckets"

enum list { LIST_NONE, LIST_ECHO, LIST_BUCKETS };

/* The list whose elements a row is of. */
static enum list list_of(const struct field *field)
{
	if (field_listed_in(field, "echo"))
		return LIST_ECHO;
	return field_listed_in(field, BUCKETS) ? LIST_BUCKETS : LIST_NONE;
}

/* What the offset of a row counts from. */
static size_t base_size(const struct field *field)
{
	static const size_t sizes[] = {
		[LIST_NONE] = sizeof(struct scenario),
		[LIST_ECHO] = sizeof(struct echo),
		[LIST_BUCKETS] = sizeof(struct device_bucket),
	};

	return sizes[list_of(field)];
}

/* The member's size is what its kind says. */
static bool has_size_of_kind(const struct field *field)
{
	switch (field->kind) {
	case FIELD_TEXT:
		return field->size == SCENARIO_TEXT_MAX;
	case FIELD_BOOL:
		return field->size == sizeof(bool);
	case FIELD_COUNT:
		return field->size == sizeof(uint32_t) ||
		       field->size == sizeof(uint64_t);
	case FIELD_NUMBER:
	case FIELD_WORK:
	case FIELD_WORK_RATE:
		return field->size == sizeof(double);
	case FIELD_BYTES:
	case FIELD_RATE:
		return field->size == sizeof(uint64_t);
	case FIELD_TIME:
		return field->size == sizeof(int64_t);
	case FIELD_ENUM:
		return field->size == sizeof(int);
	case FIELD_TIME_DIST:
	case FIELD_BYTES_DIST:
		return field->size == sizeof(struct distribution);
	}
	return false;
}

static void every_row_is_whole(void **state)
{
	const struct field *field = field_table;

	(void)state;
	for (; field < field_table + field_count; field++) {
		size_t room = base_size(field);
		size_t help = strlen(field->help);

		if (!has_size_of_kind(field))
			fail_msg("%s: the size is not its kind's", field->key);
		assert_true(field->offset + field->size <= room);
		assert_true(field->low <= field->high);
		assert_true(strlen(field->key) + 8 < FIELD_KEY_MAX);
		assert_true(help > 0 && field->help[help - 1] == '.');
		assert_true((field->kind == FIELD_ENUM) == !!field->names);
		/* A bound of a 32-bit member must fit it. */
		if (field->size == sizeof(uint32_t))
			assert_true(field->high <= (double)UINT32_MAX);
	}
}

static void no_two_rows_share_a_key_or_a_member(void **state)
{
	const struct field *one, *other;

	(void)state;
	for (one = field_table; one < field_table + field_count; one++)
		for (other = field_table; other < one; other++) {
			assert_string_not_equal(one->key, other->key);
			if (list_of(one) != list_of(other))
				continue;
			assert_true(one->offset >=
					    other->offset + other->size ||
				    other->offset >= one->offset + one->size);
		}
}

static void rows_of_lists_are_told_from_others(void **state)
{
	const struct field *factor = field_find("echo[].factor");
	const struct field *peak = field_find(BUCKETS "[].peak");

	(void)state;
	assert_true(field_is_listed(factor));
	assert_true(field_is_listed(peak));
	assert_false(field_is_listed(field_find("seed")));
	assert_string_equal(field_listed_in(factor, "echo"), "factor");
	assert_string_equal(field_listed_in(peak, BUCKETS), "peak");
	assert_null(field_listed_in(peak, "echo"));
	assert_null(field_listed_in(peak, "storage.device"));
	assert_null(field_listed_in(field_find("seed"), "seed"));
}

static void keys_and_sections_are_found(void **state)
{
	(void)state;
	assert_ptr_equal(field_find(field_table[3].key), &field_table[3]);
	assert_string_equal(field_find("pipeline.decode.time")->key,
			    "pipeline.decode.time");
	assert_null(field_find("pipeline.decode"));
	assert_null(field_find("pipeline.decode.tim"));
	assert_null(field_find(""));
	assert_true(field_is_section("pipeline"));
	assert_true(field_is_section("pipeline.decode"));
	assert_true(field_is_section("storage.device"));
	assert_false(field_is_section("pipeline.dec"));
	assert_false(field_is_section("pipeline.decode.time"));
	assert_false(field_is_section(""));
}

static void the_nearest_key_is_offered_in_full(void **state)
{
	static const struct {
		const char *key, *nearest;
	} cases[] = {
		{ "pipeline.decode.rtae", "pipeline.decode.rate" },
		{ "storage.queue_dept", "storage.queue_depth" },
		/* The first part that is wrong. */
		{ "pipline.decode.rate", "pipeline" },
		{ "pipeline.decod.rate", "pipeline.decode" },
		{ "ecko", "echo" },
		/* The right word in the wrong place. */
		{ "queue_depth", "storage.queue_depth" },
		{ "pipeline.max_inflight", "storage.device.max_inflight" },
		{ BUCKETS "[].peek", BUCKETS "[].peak" },
		{ "storage.device.seek.avarage",
		  "storage.device.seek.average" },
		/* Several places are right for these: none is offered. */
		{ "storage.workers", NULL },
		{ "storage.bandwidth", NULL },
		{ "nonsense", NULL },
		{ "", NULL },
	};
	char text[FIELD_KEY_MAX];
	const char *nearest;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		nearest = field_nearest(cases[i].key, text, sizeof(text));
		if (!cases[i].nearest)
			assert_null(nearest);
		else
			assert_string_equal(nearest, cases[i].nearest);
	}
}

static void an_endless_key_has_no_nearest(void **state)
{
	char key[1000], text[FIELD_KEY_MAX];

	(void)state;
	memset(key, 'x', sizeof(key) - 1);
	key[sizeof(key) - 1] = '\0';
	assert_null(field_nearest(key, text, sizeof(text)));
	key[FIELD_KEY_MAX - 1] = '\0';
	assert_null(field_nearest(key, text, sizeof(text)));
}

static void expectations_are_said_with_units_and_range(void **state)
{
	static const struct {
		const char *key, *expect, *form;
	} cases[] = {
		{ "name", "a text of at most 255 characters",
		  "a text of at most 255 characters" },
		{ "pipeline.ordered", "true or false", "true or false" },
		{ "storage.queue_depth", "a whole number from 1 to 16384",
		  "a whole number from 1 to 16384" },
		{ "seed", "a whole number from 0 to 18446744073709551615",
		  "a whole number from 0 to 18446744073709551615" },
		{ "dataset.compression_ratio", "a number from 0.001 to 100000",
		  "a number from 0.001 to 100000" },
		{ "storage.request_bytes",
		  "a size such as 64 KiB, from 512 B to 1 GiB",
		  "a size such as 64 KiB (B, kB, KiB, MB, MiB, GB, GiB, TB, "
		  "TiB, PB, PiB)" },
		{ "echo[].repeat_cost", "a time such as 8 ms, from 0 ns to 1 h",
		  "a time such as 8 ms (ns, us, ms, s, min, h, d)" },
		{ "pipeline.decode.time",
		  "a time such as 8 ms or a distribution, from 0 ns to 1 h",
		  "a time such as 8 ms (ns, us, ms, s, min, h, d) or a "
		  "distribution" },
		{ "accelerator.sync", "one of barrier, none",
		  "one of barrier, none" },
	};
	char text[300];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct field *field = field_find(cases[i].key);

		assert_string_equal(field_expect(field, text, sizeof(text)),
				    cases[i].expect);
		assert_string_equal(field_expect_form(field, text,
						      sizeof(text)),
				    cases[i].form);
	}
}

static const char *printed(const void *base, const char *key)
{
	static char text[300];

	return field_print(field_find(key), base, text, sizeof(text));
}

static void values_are_printed_in_base_units(void **state)
{
	static struct scenario scenario;

	(void)state;
	scenario_init(&scenario);
	scenario.dataset.example_bytes = (struct distribution){
		.kind = DISTRIBUTION_LOGNORMAL, .mean = 114688, .stdev = 71680
	};
	scenario.storage.profile.latency_ns =
		(struct distribution){ .kind = DISTRIBUTION_QUANTILES,
				       .p50 = 27e6,
				       .p90 = 45e6,
				       .p99 = 110e6,
				       .p999 = 320e6 };
	scenario.stages[STAGE_AUGMENT].time_ns =
		(struct distribution){ .kind = DISTRIBUTION_CYCLE,
				       .values = (const double[]){ 1e6, 3e6 },
				       .value_count = 2 };
	scenario.limit.duration_ns = 60000000000;
	scenario.seed = UINT64_MAX;
	scenario.echoes[0].factor = 1.28;
	snprintf(scenario.name, sizeof(scenario.name), "my name");

	assert_string_equal(printed(&scenario, "name"), "my name");
	assert_string_equal(printed(&scenario, "seed"), "18446744073709551615");
	assert_string_equal(printed(&scenario, "pipeline.ordered"), "true");
	assert_string_equal(printed(&scenario, "storage.order"),
			    "shuffled-shards");
	assert_string_equal(printed(&scenario, "dataset.block_bytes"),
			    "262144");
	assert_string_equal(printed(&scenario, "dataset.example_bytes"),
			    "lognormal mean=114688 stdev=71680");
	assert_string_equal(printed(&scenario, "storage.device.latency"),
			    "quantiles p50=27000000 p90=45000000 "
			    "p99=110000000 p999=320000000");
	assert_string_equal(printed(&scenario, "pipeline.decode.time"),
			    "constant mean=0");
	assert_non_null(strstr(printed(&scenario, "pipeline.augment.time"),
			       "cycle count=2 mean=2000000 digest="));
	assert_string_equal(printed(&scenario, "run.duration"), "60000000000");
	assert_string_equal(printed(&scenario.echoes[0], "echo[].factor"),
			    "1.28");
	assert_string_equal(printed(&scenario.echoes[0], "echo[].place"),
			    "none");
}

static void what_was_not_given_is_printed_as_nothing(void **state)
{
	static struct scenario scenario;

	(void)state;
	scenario_init(&scenario);
	assert_string_equal(printed(&scenario, "dataset.examples"), "");
	assert_string_equal(printed(&scenario, "dataset.example_bytes"), "");
	assert_string_equal(printed(&scenario, "accelerator.step_time"), "");
	assert_string_equal(printed(&scenario, "storage.device.bandwidth"), "");
	/* Nothing that zero says well. */
	assert_string_equal(printed(&scenario, "pipeline.shuffle_examples"),
			    "0");
}

/* Every default is a value that the field itself accepts. */
static void defaults_come_from_the_table(void **state)
{
	static struct scenario scenario;
	struct echo echo;

	(void)state;
	scenario_init(&scenario);
	echo_init(&echo);
	assert_int_equal(scenario.seed, 1);
	assert_int_equal(scenario.storage.queue_depth, 32);
	assert_int_equal(scenario.storage.request_bytes, 1 << 20);
	assert_int_equal(scenario.storage.order, ORDER_SHUFFLED_SHARDS);
	assert_true(scenario.dataset.compression_ratio == 1.0);
	assert_int_equal(scenario.stages[STAGE_DECOMPRESS].workers, 1);
	assert_int_equal(scenario.stages[STAGE_COLLATE].workers, 1);
	assert_true(scenario.ordered);
	assert_true(scenario.decompress_unset);
	assert_int_equal(scenario.batch_size, 256);
	assert_int_equal(scenario.prefetch_batches, 2);
	assert_int_equal(scenario.accelerators.count, 1);
	assert_int_equal(scenario.accelerators.hosts, 1);
	assert_int_equal(scenario.accelerators.sync, SYNC_BARRIER);
	assert_int_equal(scenario.limit.steps, 100);
	assert_int_equal(scenario.limit.warmup_steps, 1);
	assert_int_equal(scenario.echo_count, 1);
	assert_true(echo_equal(&scenario.echoes[0], &echo));
	assert_int_equal(echo.place, ECHO_NONE);
	assert_int_equal(echo.policy, ECHO_FIXED);
	assert_true(echo.factor == 1.0);
	assert_int_equal(echo.max_factor, 4);
	assert_int_equal(echo.repeat_cost_ns, 0);
	assert_int_equal(echo.shuffle_batches, 1);
}

static void names_in_output_are_those_of_the_files(void **state)
{
	(void)state;
	assert_string_equal(echo_place_name(ECHO_EXAMPLE_BEFORE_DECODE),
			    "example-before-decode");
	assert_string_equal(echo_place_name(ECHO_BATCH), "batch");
	assert_string_equal(echo_policy_name(ECHO_WHEN_STARVED),
			    "when-starved");
	assert_string_equal(read_order_name(ORDER_RANDOM), "random");
}

/* Other programs' words lead to keys that there are, wherever they stand. */
static void words_of_others_are_answered_with_ours(void **state)
{
	char key[FIELD_KEY_MAX], text[FIELD_KEY_MAX];

	(void)state;
	for (const struct synonym *at = synonyms; at->word; at++) {
		assert_non_null(field_find(at->key));
		snprintf(key, sizeof(key), "pipeline.%s", at->word);
		assert_string_equal(field_nearest(at->word, text, sizeof(text)),
				    at->key);
		assert_string_equal(field_nearest(key, text, sizeof(text)),
				    at->key);
	}
	assert_string_equal(field_nearest("batch-size", text, sizeof(text)),
			    "pipeline.batch_size");
	assert_string_equal(field_nearest("NUM-WORKERS", text, sizeof(text)),
			    "pipeline.loader.workers");
	assert_string_equal(field_nearest("shuffle buffer", text, sizeof(text)),
			    "pipeline.shuffle_examples");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_whole),
		cmocka_unit_test(no_two_rows_share_a_key_or_a_member),
		cmocka_unit_test(rows_of_lists_are_told_from_others),
		cmocka_unit_test(keys_and_sections_are_found),
		cmocka_unit_test(words_of_others_are_answered_with_ours),
		cmocka_unit_test(the_nearest_key_is_offered_in_full),
		cmocka_unit_test(an_endless_key_has_no_nearest),
		cmocka_unit_test(expectations_are_said_with_units_and_range),
		cmocka_unit_test(values_are_printed_in_base_units),
		cmocka_unit_test(what_was_not_given_is_printed_as_nothing),
		cmocka_unit_test(defaults_come_from_the_table),
		cmocka_unit_test(names_in_output_are_those_of_the_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
