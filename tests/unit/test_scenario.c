/* SPDX-License-Identifier: MIT */
/* Scenarios that are right: what each key does, and the pipeline they make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/mistake.h"
#include "tests/support/temp.h"
#include "traces/echo.h"
#include "traces/scenario.h"

#define EXAMPLES "traces/examples"
#define PRICES "prices.yaml" /* a list for them, none itself */

static struct scenario scenario;

static void parse(const char *text)
{
	struct fault fault = { 0 };

	if (scenario_parse(&scenario, "a.yaml", text, strlen(text), NULL, 0,
			   &fault))
		fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
}

static void set(const char *assignment)
{
	struct fault fault = { 0 };

	if (scenario_set(&scenario, assignment, &fault))
		fail_msg("%s: %s", assignment, fault.text);
}

static void the_least_scenario_gets_defaults(void **state)
{
	static struct scenario fresh;

	(void)state;
	scenario_init(&fresh);
	parse(MISTAKE_LEAST);
	assert_int_equal(scenario.dataset.examples, 1000000);
	assert_true(scenario.dataset.example_bytes.mean == 114688.0);
	assert_int_equal(scenario.storage.profile.bandwidth_bytes_per_s,
			 150000000);
	assert_true(scenario.accelerators.step_ns.mean == 100e6);
	assert_false(scenario.storage.native);
	assert_int_equal(scenario.batch_size, fresh.batch_size);
	assert_int_equal(scenario.limit.steps, fresh.limit.steps);
}

/* Every key that there is. */
static const char whole[] =
	"name: a name\n"
	"seed: 7\n"
	"dataset: {path: some/where, examples: 5000, example_bytes: 1 "
	"kB, compression_ratio: 2.5, block_bytes: 10 kB, "
	"shard_examples: 500}\n"
	"storage:\n"
	"  device: {bandwidth: 1 GB/s, iops: 3000, io_unit: 256 KiB,\n"
	"    latency: 2 ms, max_inflight: 64}\n"
	"  order: random\n"
	"  request_bytes: 2 MiB\n"
	"  queue_depth: 16\n"
	"cache: {policy: pinned, bytes: 3 GiB, bandwidth: 5 GB/s,\n"
	"  latency: 90 us}\n"
	"link: {bandwidth: 10 Gbit/s, latency: 50 us}\n"
	"pipeline:\n"
	"  decompress: {workers: 2, time: 1 us, rate: 800 MB/s, queue: "
	"5}\n"
	"  decode: {workers: 3, time: 3 ms, rate: 1 MB/s, queue: 6}\n"
	"  augment: {workers: 4, time: 4 ms, rate: 2 MB/s, queue: 7}\n"
	"  collate: {workers: 5, time: 5 ms, rate: 3 MB/s}\n"
	"  ordered: false\n"
	"  read_ahead_examples: 4000\n"
	"  shuffle_examples: 900\n"
	"  batch_size: 10\n"
	"  prefetch_batches: 3\n"
	"accelerator: {count: 8, hosts: 2, step_time: 120 ms,\n"
	"  allreduce: 6 ms, sync: barrier}\n"
	"training: {law: a-law}\n"
	"echo: [{place: batch, factor: 1.5, repeat_cost: 9 us,\n"
	"  shuffle_batches: 11}]\n"
	"run: {steps: 50, epochs: 4, duration: 2 min, warmup_steps: "
	"3}\n";

static void every_key_of_data_reaches_its_member(void **state)
{
	(void)state;
	parse(whole);
	assert_string_equal(scenario.name, "a name");
	assert_int_equal(scenario.seed, 7);
	assert_string_equal(scenario.dataset.path, "some/where");
	assert_int_equal(scenario.dataset.examples, 5000);
	assert_true(scenario.dataset.compression_ratio == 2.5);
	assert_int_equal(scenario.dataset.block_bytes, 10000);
	assert_int_equal(scenario.dataset.shard_examples, 500);
	assert_int_equal(scenario.storage.profile.iops, 3000);
	assert_int_equal(scenario.storage.profile.io_unit_bytes, 262144);
	assert_true(scenario.storage.profile.latency_ns.mean == 2e6);
	assert_int_equal(scenario.storage.profile.max_inflight, 64);
	assert_int_equal(scenario.storage.order, ORDER_RANDOM);
	assert_int_equal(scenario.storage.request_bytes, 2 << 20);
	assert_int_equal(scenario.storage.queue_depth, 16);
}

static void every_key_of_tiers_reaches_its_member(void **state)
{
	struct tiers_profile tiers;

	(void)state;
	parse(whole);
	scenario_tiers(&scenario, &tiers);
	assert_int_equal(tiers.cache.policy, CACHE_PINNED);
	assert_int_equal(tiers.cache.bytes, UINT64_C(3) << 30);
	assert_int_equal(tiers.cache.bandwidth_bytes_per_s, 5000000000);
	assert_true(tiers.cache.latency_ns.mean == 90e3);
	assert_int_equal(tiers.link.bandwidth_bytes_per_s, 1250000000);
	assert_int_equal(tiers.link.latency_ns, 50000);
	assert_int_equal(tiers.device.iops, 3000);
	parse(MISTAKE_LEAST "cache: {policy: none, bytes: 0}\n");
	assert_int_equal(scenario.cache.policy, CACHE_NONE);
}

static void every_key_of_work_reaches_its_member(void **state)
{
	(void)state;
	parse(whole);
	assert_int_equal(scenario.stages[STAGE_DECOMPRESS].output_items, 5);
	assert_int_equal(scenario.stages[STAGE_DECOMPRESS].rate_bytes_per_s,
			 800000000);
	assert_int_equal(scenario.stages[STAGE_DECODE].workers, 3);
	assert_true(scenario.stages[STAGE_AUGMENT].time_ns.mean == 4e6);
	assert_int_equal(scenario.stages[STAGE_COLLATE].rate_bytes_per_s,
			 3000000);
	assert_false(scenario.ordered);
	assert_int_equal(scenario.read_ahead_examples, 4000);
	assert_int_equal(scenario.shuffle_examples, 900);
	assert_int_equal(scenario.prefetch_batches, 3);
	assert_int_equal(scenario.accelerators.hosts, 2);
	assert_true(scenario.accelerators.allreduce_ns.mean == 6e6);
	assert_string_equal(scenario.law, "a-law");
	assert_int_equal(scenario.echo_count, 1);
	assert_true(scenario.echoes[0].factor == 1.5);
	assert_int_equal(scenario.echoes[0].repeat_cost_ns, 9000);
	assert_int_equal(scenario.echoes[0].shuffle_batches, 11);
	assert_int_equal(scenario.limit.steps, 50);
	assert_int_equal(scenario.limit.epochs, 4);
	assert_int_equal(scenario.limit.duration_ns, 120000000000);
	assert_int_equal(scenario.limit.warmup_steps, 3);
}

static void distributions_are_read_in_every_form(void **state)
{
	const struct distribution *time =
		&scenario.stages[STAGE_DECODE].time_ns;
	struct distribution lognormal = { .kind = DISTRIBUTION_LOGNORMAL,
					  .mean = 3e6,
					  .stdev = 1e6 };

	(void)state;
	parse(MISTAKE_LEAST);
	set("pipeline.decode.time=3 ms");
	assert_int_equal(time->kind, DISTRIBUTION_CONSTANT);
	assert_true(time->mean == 3e6);
	set("pipeline.decode.time={dist: constant, mean: 4 ms}");
	assert_int_equal(time->kind, DISTRIBUTION_CONSTANT);
	assert_true(time->mean == 4e6);
	set("pipeline.decode.time={dist: uniform, low: 1 ms, high: 2 ms}");
	assert_int_equal(time->kind, DISTRIBUTION_UNIFORM);
	assert_true(time->low == 1e6 && time->high == 2e6);
	set("pipeline.decode.time={dist: exponential, mean: 5 us}");
	assert_int_equal(time->kind, DISTRIBUTION_EXPONENTIAL);
	assert_true(time->mean == 5e3);
	set("pipeline.decode.time={dist: normal, mean: 5 us, stdev: 0 ns}");
	assert_int_equal(time->kind, DISTRIBUTION_NORMAL);
	assert_true(time->stdev == 0);
	set("pipeline.decode.time={p50: 1 ms, p90: 2 ms, p99: 2 ms, p999: 9 "
	    "ms}");
	assert_int_equal(time->kind, DISTRIBUTION_QUANTILES);
	assert_true(time->p50 == 1e6 && time->p999 == 9e6);
	set("dataset.example_bytes={dist: normal, mean: 5 kB, stdev: 0 B}");
	/* Prepared: ready to be drawn from. */
	set("pipeline.decode.time={dist: lognormal, mean: 3 ms, stdev: 1 ms}");
	distribution_prepare(&lognormal);
	assert_memory_equal(time, &lognormal, sizeof(lognormal));
	set("pipeline.decode.time.mean=6 ms");
	lognormal.mean = 6e6;
	distribution_prepare(&lognormal);
	assert_memory_equal(time, &lognormal, sizeof(lognormal));
}

static void a_device_is_native_or_described(void **state)
{
	const struct device_profile *profile = &scenario.storage.profile;

	(void)state;
	parse(MISTAKE_LEAST "# a comment\n");
	set("storage.device=native");
	assert_true(scenario.storage.native);
	assert_string_equal(scenario.storage.device, "native");
	assert_int_equal(profile->bandwidth_bytes_per_s, 0);
	set("storage.device.latency=1 ms");
	assert_false(scenario.storage.native);
	assert_string_equal(scenario.storage.device, "");
	/* A map names some fields and leaves the others. */
	set("storage.device={bandwidth: 2 MB/s}");
	assert_int_equal(profile->bandwidth_bytes_per_s, 2000000);
	assert_true(profile->latency_ns.mean == 1e6);
}

static void decompression_is_measured_unless_it_is_given(void **state)
{
	(void)state;
	parse(MISTAKE_LEAST);
	assert_true(scenario.decompress_unset);
	set("pipeline.decompress.workers=2");
	assert_true(scenario.decompress_unset);
	set("pipeline.decompress.time=0 ns");
	assert_false(scenario.decompress_unset);
	parse(MISTAKE_LEAST "pipeline: {decompress: {rate: 1 GB/s}}\n");
	assert_false(scenario.decompress_unset);
}

static void the_default_of_steps_yields_to_another_limit(void **state)
{
	(void)state;
	parse(MISTAKE_LEAST);
	assert_int_equal(scenario.limit.steps, 100);
	parse(MISTAKE_LEAST "run: {epochs: 2}\n");
	assert_int_equal(scenario.limit.steps, 0);
	parse(MISTAKE_LEAST "run: {duration: 60 s}\n");
	assert_int_equal(scenario.limit.steps, 0);
	parse(MISTAKE_LEAST "run: {steps: 9, duration: 60 s}\n");
	assert_int_equal(scenario.limit.steps, 9);
	parse(MISTAKE_LEAST "run: {duration: 60 s, steps: 9}\n");
	assert_int_equal(scenario.limit.steps, 9);
}

static void an_empty_section_leaves_its_defaults(void **state)
{
	(void)state;
	parse(MISTAKE_LEAST "pipeline:\n  # decode: {workers: 2}\n");
	assert_int_equal(scenario.stages[STAGE_DECODE].workers, 1);
}

static void overrides_come_after_the_file_in_order(void **state)
{
	static const char *const overrides[] = { "seed=3",
						 "pipeline.batch_size=64",
						 "seed=4" };
	static const char text[] = MISTAKE_LEAST "seed: 2\n";
	struct fault fault = { 0 };

	(void)state;
	assert_int_equal(scenario_parse(&scenario, "a.yaml", text, strlen(text),
					overrides, 3, &fault),
			 0);
	assert_int_equal(scenario.seed, 4);
	assert_int_equal(scenario.batch_size, 64);
}

static void strategies_can_be_set(void **state)
{
	(void)state;
	parse(MISTAKE_LEAST
	      "echo: [{place: none}, {place: batch, factor: 2}]\n");
	set("echo.1.factor=2.5");
	assert_true(scenario.echoes[1].factor == 2.5);
	set("echo=[{place: example-before-augment, policy: when-starved}]");
	assert_int_equal(scenario.echo_count, 1);
	assert_int_equal(scenario.echoes[0].place, ECHO_EXAMPLE_BEFORE_AUGMENT);
	assert_int_equal(scenario.echoes[0].policy, ECHO_WHEN_STARVED);
	assert_int_equal(scenario.echoes[0].max_factor, 4);
}

static void a_strategy_is_read_from_an_option(void **state)
{
	static const struct {
		const char *text;
		enum echo_place place;
		enum echo_policy policy;
		double factor;
		uint32_t max_factor;
	} cases[] = {
		{ "none", ECHO_NONE, ECHO_FIXED, 1, 4 },
		{ "batch:2", ECHO_BATCH, ECHO_FIXED, 2, 4 },
		{ "example-after-augment:1.5", ECHO_EXAMPLE_AFTER_AUGMENT,
		  ECHO_FIXED, 1.5, 4 },
		{ "example-before-decode:3", ECHO_EXAMPLE_BEFORE_DECODE,
		  ECHO_FIXED, 3, 4 },
		{ "batch:when-starved", ECHO_BATCH, ECHO_WHEN_STARVED, 1, 4 },
		{ "batch:when-starved:6", ECHO_BATCH, ECHO_WHEN_STARVED, 1, 6 },
	};
	struct fault fault = { 0 };
	struct echo echo;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (scenario_parse_echo(cases[i].text, &echo, &fault))
			fail_msg("%s: %s", cases[i].text, fault.text);
		assert_int_equal(echo.place, cases[i].place);
		assert_int_equal(echo.policy, cases[i].policy);
		assert_true(echo.factor == cases[i].factor);
		assert_int_equal(echo.max_factor, cases[i].max_factor);
		assert_int_equal(echo_check(&echo, 0, "", &fault), 0);
	}
}

static void the_pipeline_is_that_of_the_scenario(void **state)
{
	struct pipeline pipeline;

	(void)state;
	parse(MISTAKE_LEAST
	      "pipeline: {decode: {workers: 3}, shuffle_examples: 50}\n"
	      "echo: [{place: none}, {place: batch, factor: 2}]\n"
	      "seed: 5\n"
	      "run: {epochs: 1}\n");
	scenario_pipeline(&scenario, &scenario.echoes[1], NULL, &pipeline);
	assert_int_equal(pipeline.seed, 5);
	assert_true(pipeline.ordered);
	assert_int_equal(pipeline.order, ORDER_SHUFFLED_SHARDS);
	assert_int_equal(pipeline.layout.examples, 1000000);
	/* 256 KiB hold two of 112 KiB; a shard has 1000. */
	assert_int_equal(pipeline.layout.blocks, 500000);
	assert_int_equal(pipeline.layout.shards, 1000);
	assert_int_equal(pipeline.stages[STAGE_READ].workers, 32);
	assert_int_equal(pipeline.stages[STAGE_DECODE].workers, 3);
	assert_int_equal(pipeline.shuffle_examples, 50);
	assert_int_equal(pipeline.echo.place, ECHO_BATCH);
	assert_int_equal(pipeline.limit.epochs, 1);
	assert_int_equal(pipeline.limit.steps, 0);
	/* A run ends before 64-bit nanoseconds do: 100 years of 365 days. */
	assert_true(pipeline.limit.duration_ns ==
		    INT64_C(36500) * 24 * 3600 * 1000000000);
	assert_int_equal(pipeline.read_ahead_examples,
			 pipeline_read_ahead_default(&pipeline));
	assert_false(pipeline.external_decompress);
}

static void no_member_of_the_pipeline_is_forgotten(void **state)
{
	struct pipeline pipeline;

	(void)state;
	parse(MISTAKE_LEAST
	      "pipeline: {ordered: false, batch_size: 8, prefetch_batches: 5,\n"
	      "  read_ahead_examples: 5000}\n");
	set("dataset.compression_ratio=2.5");
	set("storage={order: sequential, request_bytes: 5 MB, queue_depth: 7}");
	set("accelerator={count: 2, hosts: 3}");
	scenario_pipeline(&scenario, &scenario.echoes[0], NULL, &pipeline);
	assert_true(pipeline.layout.content_ratio == 2.5);
	assert_int_equal(pipeline.order, ORDER_SEQUENTIAL);
	assert_int_equal(pipeline.request_bytes, 5000000);
	assert_int_equal(pipeline.stages[STAGE_READ].workers, 7);
	assert_false(pipeline.ordered);
	assert_int_equal(pipeline.read_ahead_examples, 5000);
	assert_int_equal(pipeline.batch_size, 8);
	assert_int_equal(pipeline.prefetch_batches, 5);
	assert_int_equal(pipeline.accelerators.count, 2);
	assert_int_equal(pipeline.accelerators.hosts, 3);
	assert_int_equal(pipeline.limit.steps, 100);
	assert_int_equal(pipeline.limit.warmup_steps, 1);
}

static void a_packed_dataset_takes_the_place_of_the_described(void **state)
{
	struct pipeline described, packed;
	struct fault fault = { 0 };

	(void)state;
	parse(MISTAKE_LEAST);
	scenario_pipeline(&scenario, &scenario.echoes[0], NULL, &described);
	assert_true(scenario_has_layout(&scenario));
	parse("dataset: {path: here}\n"
	      "storage: {device: native}\n"
	      "accelerator: {step_time: 1 ms}\n");
	assert_false(scenario_has_layout(&scenario));
	scenario_pipeline(&scenario, &scenario.echoes[0], &described.layout,
			  &packed);
	assert_int_equal(packed.layout.examples, 1000000);
	assert_int_equal(packed.read_ahead_examples,
			 pipeline_read_ahead_default(&packed));
	assert_int_equal(scenario_check_layout(&scenario, &described.layout,
					       "a.yaml", &fault),
			 0);
	described.layout.examples = 255;
	assert_int_equal(scenario_check_layout(&scenario, &described.layout,
					       "a.yaml", &fault),
			 -EINVAL);
}

static void a_file_is_read(void **state)
{
	struct temp *temp = *state;
	struct fault fault = { 0 };
	char path[TEMP_PATH_MAX];

	assert_int_equal(temp_write(temp, "s.yaml", MISTAKE_LEAST,
				    strlen(MISTAKE_LEAST)),
			 0);
	assert_int_equal(scenario_read(&scenario,
				       temp_name(temp, "s.yaml", path), NULL, 0,
				       &fault),
			 0);
	assert_int_equal(scenario.dataset.examples, 1000000);
}

static void every_example_scenario_is_right(void **state)
{
	DIR *folder = opendir(EXAMPLES);
	struct fault fault = { 0 };
	struct dirent *entry;
	char path[600];
	int count = 0;

	(void)state;
	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		if (entry->d_name[0] == '.' || !strcmp(entry->d_name, PRICES))
			continue;
		snprintf(path, sizeof(path), EXAMPLES "/%s", entry->d_name);
		if (scenario_read(&scenario, path, NULL, 0, &fault))
			fail_msg("%s:%d: %s", path, fault.line, fault.text);
		count++;
	}
	closedir(folder);
	assert_true(count >= 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_scenario_gets_defaults),
		cmocka_unit_test(every_key_of_data_reaches_its_member),
		cmocka_unit_test(every_key_of_tiers_reaches_its_member),
		cmocka_unit_test(every_key_of_work_reaches_its_member),
		cmocka_unit_test(distributions_are_read_in_every_form),
		cmocka_unit_test(a_device_is_native_or_described),
		cmocka_unit_test(decompression_is_measured_unless_it_is_given),
		cmocka_unit_test(the_default_of_steps_yields_to_another_limit),
		cmocka_unit_test(an_empty_section_leaves_its_defaults),
		cmocka_unit_test(overrides_come_after_the_file_in_order),
		cmocka_unit_test(strategies_can_be_set),
		cmocka_unit_test(a_strategy_is_read_from_an_option),
		cmocka_unit_test(the_pipeline_is_that_of_the_scenario),
		cmocka_unit_test(no_member_of_the_pipeline_is_forgotten),
		cmocka_unit_test(
			a_packed_dataset_takes_the_place_of_the_described),
		cmocka_unit_test_setup_teardown(a_file_is_read, temp_setup,
						temp_teardown),
		cmocka_unit_test(every_example_scenario_is_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
