/* SPDX-License-Identifier: MIT */
/*
 * What may be changed of a scenario, and how it is said: keys that a person
 * can set, and no figure that comes with a device or follows from its size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/stall/resource.h"

static struct scenario scenario;
static struct resource_change change;

static void set(const char *assignment)
{
	struct fault fault = { 0 };

	if (scenario_set(&scenario, assignment, &fault))
		fail_msg("%s: %s", assignment, fault.text);
}

static int begin(void **x)
{
	(void)x;
	scenario_init(&scenario);
	set("dataset={examples: 10000, example_bytes: 100 kB}");
	set("storage.device={bandwidth: 100 MB/s}");
	set("accelerator.step_time=10 ms");
	return 0;
}

static bool improve(const char *key, enum resource_step step)
{
	static struct scenario improved;
	size_t i;

	for (i = 0; i < resource_count; i++)
		if (!strcmp(resource_table[i].key, key))
			break;
	if (i == resource_count)
		fail_msg("%s is no resource's", key);
	improved = scenario;
	return resource_improve(&resource_table[i], step, NULL, &improved,
				&change);
}

static void becomes(const char *key, const char *set, const char *said)
{
	assert_true(improve(key, RESOURCE_TENTH));
	assert_string_equal(change.set, set);
	assert_string_equal(change.said, said);
}

static void rates_and_sizes_are_a_tenth_more(void **x)
{
	(void)x;
	set("cache={policy: lru, bytes: 10 GiB}");
	becomes("storage.device.bandwidth", "storage.device.bandwidth=110 MB/s",
		"storage.device.bandwidth 10 % higher");
	becomes("cache.bytes", "cache.bytes=11 GiB", "cache.bytes 10 % larger");
}

static void times_are_a_tenth_less(void **x)
{
	(void)x;
	set("pipeline.decode.time={dist: lognormal, mean: 3 ms, stdev: 1 ms}");
	set("echo=[{place: batch, factor: 2, repeat_cost: 40 us}]");
	becomes("pipeline.decode.time",
		"pipeline.decode.time={dist: lognormal, mean: 2700 us, "
		"stdev: 900 us}",
		"pipeline.decode.time 10 % shorter");
	becomes("echo.0.repeat_cost", "echo.0.repeat_cost=36 us",
		"echo.0.repeat_cost 10 % shorter");
	assert_true(improve("pipeline.decode.time", RESOURCE_AWAY));
	assert_string_equal(change.set, "pipeline.decode.time=0 ns");
}

static void pieces_are_whole_and_at_least_one_more(void **x)
{
	(void)x;
	set("pipeline.decode.workers=8");
	set("storage.queue_depth=64");
	becomes("pipeline.decode.workers", "pipeline.decode.workers=9",
		"pipeline.decode.workers from 8 to 9");
	becomes("storage.queue_depth", "storage.queue_depth=70",
		"storage.queue_depth from 64 to 70");
}

/* A worker of the loader does all of a batch's work: it has its times, and no
 * stage has workers. */
static void a_loader_of_workers_has_keys_of_its_own(void **x)
{
	(void)x;
	set("pipeline.decode.time=3 ms");
	assert_false(improve("pipeline.loader.workers", RESOURCE_TENTH));
	assert_false(improve("pipeline.loader.in_order", RESOURCE_TENTH));
	set("pipeline.loader={kind: workers, workers: 0, restart: epoch}");
	assert_false(improve("pipeline.decode.workers", RESOURCE_TENTH));
	assert_false(improve("pipeline.decode.queue", RESOURCE_TENTH));
	assert_false(improve("pipeline.prefetch_batches", RESOURCE_TENTH));
	assert_false(improve("storage.queue_depth", RESOURCE_TENTH));
	becomes("pipeline.loader.workers", "pipeline.loader.workers=1",
		"pipeline.loader.workers from 0 to 1");
	becomes("pipeline.loader.in_order", "pipeline.loader.in_order=false",
		"pipeline.loader.in_order from true to false");
	becomes("pipeline.loader.restart", "pipeline.loader.restart=run",
		"pipeline.loader.restart from epoch to run");
	set("pipeline.loader.in_order=false");
	assert_false(improve("pipeline.loader.in_order", RESOURCE_TENTH));
}

/* Room and read-ahead that are not given begin at what the model has. */
static void a_default_is_a_value_too(void **x)
{
	(void)x;
	set("pipeline.decode={workers: 50, time: 1 ms}");
	becomes("pipeline.decode.queue", "pipeline.decode.queue=110",
		"pipeline.decode.queue from 100 to 110");
	assert_true(improve("pipeline.read_ahead_examples", RESOURCE_TENTH));
}

static void what_is_not_there_is_not_improved(void **x)
{
	(void)x;
	assert_false(improve("pipeline.decode.time", RESOURCE_TENTH));
	assert_false(improve("pipeline.decode.rate", RESOURCE_TENTH));
	assert_false(improve("storage.device.iops", RESOURCE_TENTH));
	assert_false(improve("storage.device.latency", RESOURCE_TENTH));
	assert_false(improve("storage.device.buckets.0.peak", RESOURCE_TENTH));
	assert_false(improve("storage.device.size", RESOURCE_TENTH));
	assert_false(improve("cache.bytes", RESOURCE_TENTH));
	assert_false(improve("link.latency", RESOURCE_TENTH));
}

static void nothing_is_improved_beyond_what_the_key_takes(void **x)
{
	(void)x;
	set("storage.queue_depth=16384");
	assert_false(improve("storage.queue_depth", RESOURCE_TENTH));
}

/* 3 operations a second for each GiB: 900 GiB have 2,700. Below 1,000 GiB
 * nothing raises the burst of 3,000 but another kind of volume. */
static void a_figure_that_follows_the_size_is_changed_by_it(void **x)
{
	(void)x;
	set("storage.device={extends: aws-ebs-gp2, size: 900 GiB}");
	assert_false(
		improve("storage.device.buckets.0.baseline", RESOURCE_TENTH));
	becomes("storage.device.size", "storage.device.size=990 GiB",
		"storage.device.size 10 % larger");
	becomes("storage.device.buckets.0.peak",
		"storage.device.buckets.0.peak=3300",
		"another storage.device with buckets.0.peak from 3000 to 3300");
}

/* gp3 sells bandwidth and operations apart from the size, but no latency. */
static void what_is_sold_apart_is_a_key(void **x)
{
	(void)x;
	set("storage.device=aws-ebs-gp3");
	becomes("storage.device.bandwidth",
		"storage.device.bandwidth=140800 KiB/s",
		"storage.device.bandwidth 10 % higher");
	assert_true(improve("storage.device.latency", RESOURCE_TENTH));
	assert_string_equal(change.said,
			    "another storage.device with latency 10 % shorter");
}

static void figures_given_in_place_are_keys(void **x)
{
	(void)x;
	set("storage.device={bandwidth: 1 GB/s, buckets: [{of: bytes, "
	    "capacity: 1 GB, baseline: 10 MB/s, peak: 60 MB/s}]}");
	becomes("storage.device.buckets.0.baseline",
		"storage.device.buckets.0.baseline=11 MB/s",
		"storage.device.buckets.0.baseline 10 % higher");
}

/* What a person is told can be set: every key is a field's. */
static void every_key_is_a_fields(void **x)
{
	size_t i;

	(void)x;
	for (i = 0; i < resource_count; i++)
		if (!strstr(resource_table[i].key, ".0.") &&
		    !strstr(resource_table[i].key, ".buckets."))
			assert_non_null(field_find(resource_table[i].key));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(rates_and_sizes_are_a_tenth_more, begin),
		cmocka_unit_test_setup(times_are_a_tenth_less, begin),
		cmocka_unit_test_setup(pieces_are_whole_and_at_least_one_more,
				       begin),
		cmocka_unit_test_setup(a_loader_of_workers_has_keys_of_its_own,
				       begin),
		cmocka_unit_test_setup(a_default_is_a_value_too, begin),
		cmocka_unit_test_setup(what_is_not_there_is_not_improved,
				       begin),
		cmocka_unit_test_setup(
			nothing_is_improved_beyond_what_the_key_takes, begin),
		cmocka_unit_test_setup(
			a_figure_that_follows_the_size_is_changed_by_it, begin),
		cmocka_unit_test_setup(what_is_sold_apart_is_a_key, begin),
		cmocka_unit_test_setup(figures_given_in_place_are_keys, begin),
		cmocka_unit_test_setup(every_key_is_a_fields, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
