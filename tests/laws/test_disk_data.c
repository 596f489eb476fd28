/* SPDX-License-Identifier: MIT */
/*
 * Where a dataset lies on a disk and what opening its files costs. Random
 * reads of data that lies over the whole stroke take average seeks, however
 * small the dataset; a span shortens them. A file's metadata is one more read
 * before its first byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/runs.h"
#include "traces/scenario.h"

#define EXAMPLE_BYTES 4096.0
#define SEEK_S 0.0074
#define HALF_TURN_S (30.0 / 7200)
#define OVERHEAD_S 0.0001

/* Files of an example each, read at random. */
static double requests_per_s(const char *device, uint32_t depth)
{
	static struct scenario scenario;
	static struct figures figures;
	struct pipeline pipeline = plain_pipeline(200000, EXAMPLE_BYTES);
	struct distribution size = bytes(EXAMPLE_BYTES);
	struct tiers_profile tiers;
	struct fault fault = { 0 };
	char assignment[200];

	scenario_init(&scenario);
	snprintf(assignment, sizeof(assignment), "storage.device=%s", device);
	if (scenario_set(&scenario, assignment, &fault))
		fail_msg("%s: %s", device, fault.text);
	scenario_tiers(&scenario, &tiers);
	layout_compute(&pipeline.layout, 200000, &size, 1, 4096, 1, 1);
	pipeline.order = ORDER_RANDOM;
	pipeline.stages[STAGE_READ].workers = depth;
	pipeline.limit = (struct run_limit){ .steps = 2000 };
	run_tiers(&pipeline, &tiers, NULL, &figures);
	return (double)figures.storage.requests /
	       seconds_of(figures.elapsed_ns);
}

/* 85.7 a second is what the catalogue says: seek, half a turn, overhead. */
static void random_reads_are_never_faster_than_the_list_says(void **state)
{
	static const uint32_t depths[] = { 1, 4, 22, 256 };
	double listed = 1 / (SEEK_S + HALF_TURN_S + OVERHEAD_S);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
		double rate = requests_per_s("hdd-7200rpm", depths[i]);

		/* 20,000 draws: a standard error of a fifth of a percent. */
		assert_true(rate < listed * 1.004);
		assert_true(rate > listed * 0.98);
	}
}

/* Without a full seek of its own the curve is a root: over a fifteenth of the
 * stroke random seeks take sqrt(1/15) of what they take over all of it, beyond
 * the 0.23 ms from track to track. */
static void a_span_shortens_seeks(void **state)
{
	double beyond_s = (SEEK_S - 0.00023) * 0.2581989;
	double each_s = 0.00023 + beyond_s + HALF_TURN_S + OVERHEAD_S;
	double rate = requests_per_s("{extends: hdd-7200rpm, seek: {span: "
				     "400 GB}}",
				     1);

	(void)state;
	assert_close(rate * each_s, 1, 0.01);
}

/* Two reads at places of their own for each file. */
static void metadata_of_a_disk_is_one_more_seek(void **state)
{
	double each_s = 2 * (SEEK_S + HALF_TURN_S + OVERHEAD_S);
	double rate = requests_per_s("{extends: hdd-7200rpm, metadata_read: 4 "
				     "KiB}",
				     1);

	(void)state;
	assert_close(rate * each_s, 1, 0.01);
}

static void metadata_takes_its_latency_before_the_datas(void **state)
{
	(void)state;
	assert_close(requests_per_s("{latency: 10 ms}", 1), 100, 0.1);
	assert_close(requests_per_s("{latency: 10 ms, metadata_read: 1 KiB}",
				    1),
		     50, 0.1);
	assert_close(requests_per_s("{latency: 10 ms, metadata_read: 1 KiB}",
				    4),
		     200, 0.4);
}

/* A quarter of the bytes more, and twice the operations. */
static void metadata_is_charged_like_any_read(void **state)
{
	(void)state;
	assert_close(requests_per_s("{bandwidth: 512 kB/s, metadata_read: "
				    "1 KiB}",
				    8),
		     100, 0.2);
	assert_close(requests_per_s("{iops: 200, metadata_read: 1 KiB}", 8),
		     100, 0.2);
}

/* 100 shards of 10 requests, in order: the first of each opens it. */
static void a_shard_is_opened_when_a_host_goes_on_to_it(void **state)
{
	struct pipeline pipeline = plain_pipeline(10000, 100);
	struct device_profile device = { .latency_ns = seconds(0.01),
					 .metadata_bytes = 4096 };
	static struct figures figures;

	(void)state;
	run_pipeline(&pipeline, &device, NULL, &figures);
	assert_int_equal(figures.storage.requests, 1000);
	assert_close(seconds_of(figures.run_ns), (1000 + 100) * 0.01, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			random_reads_are_never_faster_than_the_list_says),
		cmocka_unit_test(a_span_shortens_seeks),
		cmocka_unit_test(metadata_of_a_disk_is_one_more_seek),
		cmocka_unit_test(metadata_takes_its_latency_before_the_datas),
		cmocka_unit_test(metadata_is_charged_like_any_read),
		cmocka_unit_test(a_shard_is_opened_when_a_host_goes_on_to_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
