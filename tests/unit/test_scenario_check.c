/* SPDX-License-Identifier: MIT */
/* Scenarios whose members do not suit each other, word for word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/mistake.h"
#include "traces/scenario.h"

static struct scenario scenario;

static void keys_without_effect_are_refused(void **state)
{
	static const struct mistake mistakes[] = {
		{ "echo=[{place: none, factor: 2}]", 0,
		  "echo.0.factor: has no effect here; expected only with "
		  "policy fixed and a place other than none" },
		{ "echo.0.factor=2", MISTAKE_WHOLE,
		  "echo.0.factor: has no effect here; expected only with "
		  "policy fixed and a place other than none" },
		{ "echo=[{place: batch, policy: when-starved, factor: 1}]", 0,
		  "echo.0.factor: has no effect here; expected only with "
		  "policy fixed and a place other than none" },
		{ "echo=[{place: batch, factor: 2, max_factor: 4}]", 0,
		  "echo.0.max_factor: has no effect here; expected only with "
		  "policy when-starved and a place other than none" },
		{ "echo=[{place: example-after-augment, factor: 2, "
		  "shuffle_batches: 2}]",
		  0,
		  "echo.0.shuffle_batches: has no effect here; expected only "
		  "with place batch" },
		{ "echo=[{place: none, repeat_cost: 1 ms}]", 0,
		  "echo.0.repeat_cost: has no effect here; expected only with "
		  "a place other than none" },
		{ "echo=[{place: none, policy: when-starved}]", 0,
		  "echo.0.policy: has no effect here; expected only with a "
		  "place other than none" },
		{ "storage.device.io_unit=64 KiB", MISTAKE_WHOLE,
		  "storage.device.io_unit: has no effect here; expected only "
		  "with storage.device.iops or a bucket of ops" },
		{ "accelerator={sync: none, allreduce: 1 ms}", MISTAKE_WHOLE,
		  "accelerator.allreduce: has no effect here; expected only "
		  "with accelerator.sync barrier" },
	};

	(void)state;
	MISTAKE_OVERRIDES(mistakes);
}

static void a_loader_has_keys_of_its_own(void **state)
{
	static const struct mistake mistakes[] = {
		{ "pipeline={loader: {kind: workers}, decode: {workers: 4}}",
		  MISTAKE_WHOLE,
		  "pipeline.decode.workers: has no effect with "
		  "pipeline.loader.kind workers; expected "
		  "pipeline.loader.workers, who carry whole batches" },
		{ "pipeline={loader: {kind: workers}, prefetch_batches: 4}",
		  MISTAKE_WHOLE,
		  "pipeline.prefetch_batches: has no effect with "
		  "pipeline.loader.kind workers; expected "
		  "pipeline.loader.prefetch_factor, batches for each worker" },
		{ "pipeline.loader={window: 2, window_most: 1}", MISTAKE_WHOLE,
		  "pipeline.loader.window_most: found 1; expected at least "
		  "pipeline.loader.window, 2" },
		{ "pipeline.loader.window_token=ask", MISTAKE_WHOLE,
		  "pipeline.loader.window_token: has no effect without "
		  "pipeline.loader.window" },
		{ "pipeline={loader: {window: 2}, shuffle_examples: 100}",
		  MISTAKE_WHOLE,
		  "pipeline.shuffle_examples: a buffer behind decode holds "
		  "more than pipeline.loader.window lets through; expected a "
		  "shuffled storage.order instead" },
		{ "pipeline.loader={kind: workers, window: 2}", MISTAKE_WHOLE,
		  "pipeline.loader.window: has no effect with "
		  "pipeline.loader.kind workers; expected "
		  "pipeline.loader.prefetch_factor, batches for each worker" },
		{ "pipeline.loader.prefetch_factor=4", MISTAKE_WHOLE,
		  "pipeline.loader.prefetch_factor: has no effect with "
		  "pipeline.loader.kind stages; expected "
		  "pipeline.loader.kind workers" },
	};

	(void)state;
	MISTAKE_OVERRIDES(mistakes);
}

static void strategies_must_be_whole_and_different(void **state)
{
	static const struct mistake mistakes[] = {
		{ "echo=[{place: batch}]", 0,
		  "echo.0.factor: not given; expected a strategy such as "
		  "{place: batch, factor: 2} or {place: none}" },
		{ "echo=[{factor: 2}]", 0,
		  "echo.0.place: not given; expected a strategy such as "
		  "{place: batch, factor: 2} or {place: none}" },
		{ "echo=[{place: batch, factor: 0.5}]", 0,
		  "echo.0.factor: found \"0.5\"; expected a number from 1 to "
		  "1024" },
		{ "echo=[{place: none}, {place: batch, factor: 2}, {place: "
		  "batch, factor: 2.0}]",
		  MISTAKE_WHOLE,
		  "echo.2: the same strategy as echo.1; expected each once" },
	};

	(void)state;
	MISTAKE_OVERRIDES(mistakes);
}

static void what_is_missing_is_named(void **state)
{
	static const struct mistake mistakes[] = {
		{ "", 0,
		  "storage.device: neither bandwidth nor latency is given, "
		  "nor iops, buckets or seek; expected a name of `echosim "
		  "list devices`, native, or fields such as {bandwidth: 150 "
		  "MB/s, latency: 8 ms}" },
		{ "storage: {device: {max_inflight: 100}}\n", 0,
		  "storage.device: neither bandwidth nor latency is given, "
		  "nor iops, buckets or seek; expected a name of `echosim "
		  "list devices`, native, or fields such as {bandwidth: 150 "
		  "MB/s, latency: 8 ms}" },
		{ "storage: {device: native}\n", 0,
		  "dataset.examples: not given; expected how many, or "
		  "dataset.path with a packed dataset" },
		{ "storage: {device: native}\ndataset: {examples: 1000}\n", 0,
		  "dataset.example_bytes: not given; expected a size such as "
		  "112 KiB, or dataset.path with a packed dataset" },
		{ "storage: {device: native}\ndataset: {path: here}\n", 0,
		  "accelerator.step_time: not given; expected a time such as "
		  "120 ms" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void members_must_suit_each_other(void **state)
{
	static const struct mistake mistakes[] = {
		{ "dataset.examples=255", MISTAKE_WHOLE,
		  "pipeline.batch_size: found 256, but a host has 255 "
		  "examples of the dataset; expected no more than that" },
		{ "accelerator.hosts=4000", MISTAKE_WHOLE,
		  "pipeline.batch_size: found 256, but a host has 250 "
		  "examples of the dataset; expected no more than that" },
		{ "run.warmup_steps=100", MISTAKE_WHOLE,
		  "run.warmup_steps: found 100; expected fewer than "
		  "run.steps, which is 100" },
		{ "accelerator={count: 1024, hosts: 128}", MISTAKE_WHOLE,
		  "accelerator.count: 1024 on each of 128 hosts are 131072 "
		  "accelerators; expected at most 65536" },
		{ "dataset={examples: 1e12, example_bytes: 1 GiB}",
		  MISTAKE_WHOLE,
		  "dataset.examples: the dataset would be larger than 1 EiB; "
		  "expected fewer or smaller examples" },
		{ "dataset={examples: 1e10, example_bytes: 1 kB, "
		  "shard_examples: 1}",
		  MISTAKE_WHOLE,
		  "dataset.shard_examples: found 1, which makes 10000000000 "
		  "shards; expected at most 4294967295 shards" },
		{ "dataset={block_bytes: 1 GiB, example_bytes: 1 B, "
		  "shard_examples: 107374182400, examples: 107374182400}",
		  MISTAKE_WHOLE,
		  "dataset.block_bytes: a block would hold 1073741824 "
		  "examples; expected at most 1048576: smaller blocks or "
		  "larger examples" },
		{ "storage={queue_depth: 16384, request_bytes: 1 GiB, device: "
		  "{bandwidth: 1 kB/s}}",
		  MISTAKE_WHOLE,
		  "storage.queue_depth: the device would need decades for the "
		  "requests in flight; expected fewer or smaller ones, or a "
		  "faster device" },
		{ "storage={queue_depth: 16384, request_bytes: 1 GiB, device: "
		  "{iops: 1, io_unit: 512 B}}",
		  MISTAKE_WHOLE,
		  "storage.queue_depth: the device would need decades for the "
		  "requests in flight; expected fewer or smaller ones, or a "
		  "faster device" },
	};

	(void)state;
	MISTAKE_OVERRIDES(mistakes);
}

static void hosts_must_each_have_a_block(void **state)
{
	static const struct mistake mistakes[] = {
		{ MISTAKE_DEVICE
		  "dataset: {examples: 9000, example_bytes: 1 kB,\n"
		  "  shard_examples: 9000, block_bytes: 3 MB}\n"
		  "pipeline: {batch_size: 10}\n"
		  "accelerator: {step_time: 1 ms, hosts: 4}\n",
		  0,
		  "accelerator.hosts: found 4, but the dataset has 3 blocks; "
		  "expected a block for each host: fewer hosts or smaller "
		  "dataset.block_bytes" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

/* In random order a host is given examples, not blocks. */
static void examples_are_dealt_in_random_order(void **state)
{
	static const char text[] = MISTAKE_DEVICE
		"dataset: {examples: 9000, example_bytes: 1 kB,\n"
		"  shard_examples: 9000, block_bytes: 3 MB}\n"
		"pipeline: {batch_size: 10}\n"
		"accelerator: {step_time: 1 ms, hosts: 4}\n";
	static const char *const override = "storage.order=random";
	struct fault fault = { 0 };

	(void)state;
	assert_int_equal(scenario_parse(&scenario, "a.yaml", text, strlen(text),
					&override, 1, &fault),
			 0);
}

static void waiting_for_slots_must_end(void **state)
{
	static const struct mistake mistakes[] = {
		{ "dataset: {examples: 1e6, example_bytes: 1 kB}\n"
		  "storage: {queue_depth: 16384,\n"
		  "  device: {latency: 1 h, max_inflight: 1}}\n"
		  "accelerator: {step_time: 1 ms, hosts: 64}\n",
		  0,
		  "storage.queue_depth: the device would need decades for the "
		  "requests in flight; expected fewer or smaller ones, or a "
		  "faster device" },
		{ "dataset: {examples: 1e6, example_bytes: 1 MB}\n"
		  "storage: {queue_depth: 16384,\n"
		  "  device: {stream_bandwidth: 1 kB/s, max_inflight: 1,\n"
		  "    latency: 1 ms}}\n"
		  "accelerator: {step_time: 1 ms, hosts: 64}\n",
		  0,
		  "storage.queue_depth: the device would need decades for the "
		  "requests in flight; expected fewer or smaller ones, or a "
		  "faster device" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void strategies_have_a_ceiling(void **state)
{
	char text[8192] = "echo:\n";
	struct mistake mistake = {
		text, SCENARIO_ECHOES_MAX + 2,
		"echo: more than 64 strategies; expected fewer"
	};
	size_t used = strlen(text);
	int i;

	(void)state;
	for (i = 0; i <= SCENARIO_ECHOES_MAX; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "- {place: batch, factor: %d}\n",
					 i + 1);
	mistake_files(&mistake, 1);
}

static void the_copies_of_an_item_must_end(void **state)
{
	/* 1000 examples of a block, 1023 extra copies of an hour. */
	static const struct mistake mistakes[] = {
		{ MISTAKE_DEVICE
		  "dataset: {examples: 9000, example_bytes: 1 kB,\n"
		  "  shard_examples: 1000, block_bytes: 1 MB}\n"
		  "accelerator: {step_time: 1 ms}\n"
		  "echo: [{place: example-before-decode, factor: 1024,\n"
		  "  repeat_cost: 1 h}]\n",
		  0,
		  "echo.0.repeat_cost: the copies of one item would take "
		  "decades; expected less" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void read_ahead_must_fill_the_buffers(void **state)
{
	static const char text[] = MISTAKE_LEAST
		"pipeline: {shuffle_examples: 10000, batch_size: 256,\n"
		"  read_ahead_examples: 10000}\n";
	struct fault fault = { 0 };
	struct pipeline pipeline;
	char expected[300];

	(void)state;
	assert_int_equal(scenario_parse(&scenario, "a.yaml", text, strlen(text),
					NULL, 0, &fault),
			 -EINVAL);
	scenario_pipeline(&scenario, &scenario.echoes[0], NULL, &pipeline);
	snprintf(expected, sizeof(expected),
		 "pipeline.read_ahead_examples: found 10000; expected at "
		 "least %llu, for shuffle_examples and the batches under "
		 "way with echo.0",
		 (unsigned long long)pipeline_read_ahead_min(&pipeline));
	assert_string_equal(fault.text, expected);
}

static void a_run_must_fit_memory(void **state)
{
	static const struct mistake mistakes[] = {
		{ MISTAKE_DEVICE
		  "dataset: {examples: 1e9, example_bytes: 1 kB}\n"
		  "pipeline: {shuffle_examples: 1e8}\n"
		  "accelerator: {step_time: 1 ms, hosts: 100}\n",
		  0,
		  "pipeline: a run would take more than 16 GiB of memory; "
		  "expected fewer examples, requests, batches, workers or "
		  "hosts under way" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

/* The largest values that a field accepts are no mistake where they suit. */
static void what_is_merely_large_is_right(void **state)
{
	static const char *const overrides[] = {
		"dataset={examples: 1e12, shard_examples: 1e12}",
		"dataset={block_bytes: 1 GiB, shard_examples: 1000}",
		"pipeline={read_ahead_examples: 1e8, shuffle_examples: 9e7}",
		"accelerator={hosts: 64, count: 1}",
		"run={steps: 1e12, epochs: 1e9, duration: 36500 d}",
		"echo=[{place: batch, factor: 1024, repeat_cost: 1 h}]",
		"pipeline.decode.time={dist: exponential, mean: 1 h}",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(overrides) / sizeof(overrides[0]); i++) {
		struct fault fault = { 0 };

		if (scenario_parse(&scenario, "a.yaml", MISTAKE_LEAST,
				   strlen(MISTAKE_LEAST), &overrides[i], 1,
				   &fault))
			fail_msg("%s: %s", overrides[i], fault.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_without_effect_are_refused),
		cmocka_unit_test(a_loader_has_keys_of_its_own),
		cmocka_unit_test(strategies_must_be_whole_and_different),
		cmocka_unit_test(what_is_missing_is_named),
		cmocka_unit_test(members_must_suit_each_other),
		cmocka_unit_test(hosts_must_each_have_a_block),
		cmocka_unit_test(examples_are_dealt_in_random_order),
		cmocka_unit_test(waiting_for_slots_must_end),
		cmocka_unit_test(strategies_have_a_ceiling),
		cmocka_unit_test(the_copies_of_an_item_must_end),
		cmocka_unit_test(read_ahead_must_fill_the_buffers),
		cmocka_unit_test(a_run_must_fit_memory),
		cmocka_unit_test(what_is_merely_large_is_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
