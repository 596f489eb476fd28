/* SPDX-License-Identifier: MIT */
/*
 * A variant is the scenario with its keys set: every decision of its run, all
 * in one digest, is that of the scenario with the same overrides, whether it
 * is a file or a workload of the catalogue. Nor does it matter what else was
 * read before it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/experiment.h"
#include "traces/variant.h"
#include "traces/workload/scenario.h"

static const char text[] =
	"seed: 11\n"
	"dataset: {examples: 4000, example_bytes: {dist: lognormal, "
	"mean: 100 kB, stdev: 50 kB}, shard_examples: 100}\n"
	"storage: {device: {bandwidth: 100 MB/s, latency: 2 ms}}\n"
	"pipeline: {batch_size: 20, shuffle_examples: 200, decode: {workers: "
	"2, "
	"time: {dist: exponential, mean: 3 ms}}}\n"
	"accelerator: {step_time: 20 ms}\n"
	"run: {steps: 150}\n";

#define OVERRIDES_MAX 4

static const struct {
	const char *argument;
	const char *overrides[OVERRIDES_MAX];
} alike[] = {
	{ "a: {storage: {device: nvme-pcie4}}",
	  { "storage.device=nvme-pcie4" } },
	{ "b: {pipeline: {decode: {workers: 5, time: 1 ms}}, seed: 3}",
	  { "pipeline.decode.workers=5", "pipeline.decode.time=1 ms",
	    "seed=3" } },
	{ "c: {pipeline.decode.time.mean: 7 ms, cache: {policy: lru, "
	  "bytes: 100 MB}}",
	  { "pipeline.decode.time.mean=7 ms", "cache.policy=lru",
	    "cache.bytes=100 MB" } },
	{ "d: {storage.device: {bandwidth: 30 MB/s}, "
	  "storage.device.latency: 9 ms}",
	  { "storage.device={bandwidth: 30 MB/s}",
	    "storage.device.latency=9 ms" } },
	{ "e: {accelerator: {count: 3}, pipeline: {batch_size: 8}}",
	  { "accelerator.count=3", "pipeline.batch_size=8" } },
};

#define ALIKE (sizeof(alike) / sizeof(alike[0]))

static uint64_t digest_of(const struct scenario *scenario)
{
	const struct experiment experiment = {
		.scenario = scenario,
		.watch = { .memory_max = SIZE_MAX },
	};
	static struct result result;
	struct fault fault = { 0 };

	assert_int_equal(scenario_check(scenario, "job", &fault), 0);
	experiment_begin(&experiment, &scenario->echoes[0], &result);
	assert_int_equal(experiment_run(&experiment, &result, &fault), 0);
	assert_true(result.figures.run_steps > 0);
	return result.figures.digest;
}

static uint32_t count_of(const char *const *overrides)
{
	uint32_t count = 0;

	while (count < OVERRIDES_MAX && overrides[count])
		count++;
	return count;
}

static void read_file(struct scenario *scenario, const char *const *overrides)
{
	struct fault fault = { 0 };

	assert_int_equal(scenario_begin(scenario, "job", text, strlen(text),
					overrides, count_of(overrides), &fault),
			 0);
}

/* Of all of them, read in this order. */
static void vary(uint64_t *digests, bool backwards)
{
	static const char *const none[OVERRIDES_MAX];
	static struct scenario scenario;
	static struct variants variants;
	struct fault fault = { 0 };
	size_t i, at;

	memset(&variants, 0, sizeof(variants));
	for (i = 0; i < ALIKE; i++) {
		at = backwards ? ALIKE - 1 - i : i;
		assert_int_equal(variants_of_argument(
					 &variants, alike[at].argument, &fault),
				 0);
	}
	for (i = 0; i < ALIKE; i++) {
		at = backwards ? ALIKE - 1 - i : i;
		read_file(&scenario, none);
		assert_int_equal(variant_apply(&variants.items[i], &scenario,
					       &fault),
				 0);
		digests[at] = digest_of(&scenario);
	}
	variants_release(&variants);
}

static void a_variant_is_the_scenario_with_its_keys_set(void **state)
{
	static struct scenario scenario;
	uint64_t digests[ALIKE];
	size_t i, k;

	(void)state;
	vary(digests, false);
	for (i = 0; i < ALIKE; i++) {
		read_file(&scenario, alike[i].overrides);
		assert_true(digests[i] == digest_of(&scenario));
		for (k = 0; k < i; k++)
			assert_true(digests[i] != digests[k]);
	}
}

static void their_order_does_not_matter(void **state)
{
	uint64_t forth[ALIKE], back[ALIKE];

	(void)state;
	vary(forth, false);
	vary(back, true);
	assert_memory_equal(forth, back, sizeof(forth));
}

/* A workload is sized for what its variant asks for. */
static void of_a_workload_it_is_sized_alike(void **state)
{
	static const char *const overrides[] = { "accelerator.count=4",
						 "run.steps=20" };
	static struct scenario with, set;
	static struct variants variants;
	struct workload_origin origin = { .name = "resnet50-h100" };
	struct workload_decision decision;
	struct fault fault = { 0 };

	(void)state;
	memset(&variants, 0, sizeof(variants));
	assert_int_equal(
		variants_of_argument(
			&variants,
			"four: {accelerator: {count: 4}, run: {steps: 20}}",
			&fault),
		0);
	origin.variant = &variants.items[0];
	assert_int_equal(workload_scenario(&with, &origin, &decision, &fault),
			 0);
	origin = (struct workload_origin){ .name = "resnet50-h100",
					   .overrides = overrides,
					   .override_count = 2 };
	assert_int_equal(workload_scenario(&set, &origin, &decision, &fault),
			 0);
	assert_true(with.dataset.examples == set.dataset.examples);
	assert_true(digest_of(&with) == digest_of(&set));
	variants_release(&variants);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_variant_is_the_scenario_with_its_keys_set),
		cmocka_unit_test(their_order_does_not_matter),
		cmocka_unit_test(of_a_workload_it_is_sized_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
