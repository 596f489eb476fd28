/* SPDX-License-Identifier: MIT */
/*
 * Whose a device is: hosts share one, each gets its part of it; each has its
 * own, all go as fast as one alone. Volumes that the data is striped over
 * carry together what they carry apart, and no byte lies on two of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/random.h"
#include "tests/support/close.h"
#include "tests/support/runs.h"

#define RATE 1000000
#define EXAMPLE_BYTES 1000
#define STRIPE 700
#define SPAN 20000 /* bytes that are looked at one by one */

static double examples_per_s(uint32_t hosts, const struct tiers_profile *tiers)
{
	struct pipeline pipeline = plain_pipeline(80000, EXAMPLE_BYTES);
	static struct figures figures;

	pipeline.order = ORDER_SHUFFLED_BLOCKS;
	pipeline.stages[STAGE_READ].workers = 4;
	pipeline.accelerators.hosts = hosts;
	pipeline.limit = (struct run_limit){ .steps = 500, .warmup_steps = 50 };
	run_tiers(&pipeline, tiers, NULL, &figures);
	return (double)figures.consumed_examples /
	       seconds_of(figures.elapsed_ns);
}

/* Storage alone limits: a device carries a thousand examples a second. */
static void hosts_share_one_device_or_have_one_each(void **state)
{
	struct tiers_profile tiers = { .device = plain_device(RATE) };
	uint32_t hosts;

	(void)state;
	for (hosts = 1; hosts <= 8; hosts *= 2) {
		tiers.scope = SCOPE_SHARED;
		assert_close(examples_per_s(hosts, &tiers), 1000, 10);
		tiers.scope = SCOPE_PER_HOST;
		assert_close(examples_per_s(hosts, &tiers), 1000.0 * hosts,
			     10.0 * hosts);
	}
}

/* 10 kB requests over stripes of 700 bytes keep all volumes busy. */
static void volumes_carry_together_what_they_carry_apart(void **state)
{
	struct tiers_profile tiers = {
		.device = plain_device(RATE),
		.stripe_bytes = STRIPE,
	};

	(void)state;
	for (tiers.volumes = 1; tiers.volumes <= 4; tiers.volumes++) {
		tiers.scope = SCOPE_SHARED;
		assert_close(examples_per_s(2, &tiers), 1000.0 * tiers.volumes,
			     25.0 * tiers.volumes);
		tiers.scope = SCOPE_PER_HOST;
		assert_close(examples_per_s(2, &tiers), 2000.0 * tiers.volumes,
			     50.0 * tiers.volumes);
	}
}

/* The most bytes of [begin, begin + bytes) on one of the volumes, counted one
 * by one. */
static uint64_t most_on_a_volume(uint64_t begin, uint64_t bytes,
				 uint32_t volumes)
{
	uint64_t counts[8] = { 0 }, most = 0, at;

	for (at = begin; at < begin + bytes; at++)
		counts[at / STRIPE % volumes]++;
	for (at = 0; at < volumes; at++)
		if (counts[at] > most)
			most = counts[at];
	return most;
}

/* Each request comes to idle volumes: it takes as long as the volume that has
 * most of it. */
static void a_request_is_done_with_the_volume_that_has_most_of_it(void **state)
{
	struct random_stream stream = random_stream(7, RANDOM_PROBE);
	struct pipeline pipeline = plain_pipeline(1000, EXAMPLE_BYTES);
	struct tiers_profile profile = {
		.device = plain_device(RATE),
		.stripe_bytes = STRIPE,
	};
	struct tiers tiers;
	int64_t now_ns = 0;
	uint64_t i;

	(void)state;
	for (profile.volumes = 1; profile.volumes <= 5; profile.volumes++) {
		void *memory = aligned_alloc(
			64, tiers_memory_bytes(&profile, &pipeline.layout, 1));

		assert_non_null(memory);
		tiers_init(&tiers, &profile, &pipeline.layout, 1, 1, memory);
		for (i = 0; i < 300; i++) {
			struct tiers_request request = {
				.number = i,
				.block_count = 1,
				.position_bytes = random_below(
					random_bits(stream, 2 * i), SPAN),
				.bytes = random_below(
					random_bits(stream, 2 * i + 1), SPAN),
			};
			uint64_t most = most_on_a_volume(request.position_bytes,
							 request.bytes,
							 profile.volumes);
			struct completion done =
				tiers_submit(&tiers, now_ns, &request);

			assert_int_equal(done.at_ns - now_ns,
					 most * NS_PER_S / RATE);
			assert_int_equal(done.start_ns, now_ns);
			now_ns = done.at_ns;
		}
		free(memory);
		now_ns = 0;
	}
}

/* A scan stays a scan on every volume: none of its heads moves. */
static void a_scan_of_striped_disks_seeks_once_on_each(void **state)
{
	struct pipeline pipeline = plain_pipeline(1000, EXAMPLE_BYTES);
	struct tiers_profile profile = {
		.device = { .seek = { .average_ns = 8000000,
				      .rpm = 60000,
				      .outer_bytes_per_s = RATE,
				      .capacity_bytes = 1000000000 } },
		.volumes = 2,
		.stripe_bytes = STRIPE,
	};
	void *memory = aligned_alloc(
		64, tiers_memory_bytes(&profile, &pipeline.layout, 1));
	struct tiers_request request = { .block_count = 1,
					 .bytes = 10 * STRIPE };
	struct tiers tiers;
	int64_t now_ns = 0;
	double scan_s = 100 * 5 * STRIPE / (double)RATE;

	(void)state;
	assert_non_null(memory);
	tiers_init(&tiers, &profile, &pipeline.layout, 1, 1, memory);
	for (; request.number < 100; request.number++) {
		now_ns = tiers_submit(&tiers, now_ns, &request).at_ns;
		request.position_bytes += request.bytes;
	}
	/* A seek of no distance and at most a turn of 1 ms. */
	assert_in_range((uint64_t)now_ns, (uint64_t)(scan_s * 1e9),
			(uint64_t)(scan_s * 1e9) + 1100000);
	free(memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_share_one_device_or_have_one_each),
		cmocka_unit_test(volumes_carry_together_what_they_carry_apart),
		cmocka_unit_test(
			a_request_is_done_with_the_volume_that_has_most_of_it),
		cmocka_unit_test(a_scan_of_striped_disks_seeks_once_on_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
