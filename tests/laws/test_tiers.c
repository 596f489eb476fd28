/* SPDX-License-Identifier: MIT */
/*
 * Caches and links: a cache that never evicts and holds the fraction x of the
 * dataset lets a storage-bound run go at b / (1 - x) from its second epoch on
 * (b: the device's rate); least-recently-used under a new order each epoch
 * keeps far fewer hits; links bound what hosts get of a shared device.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/runs.h"

#define EXAMPLES 20000
#define EXAMPLE_BYTES 1000
#define BATCH 10
#define EPOCHS 5

/* One example a block, so that a host's order changes freely; steps take no
 * time: the run is storage-bound. */
static struct pipeline cached_pipeline(enum read_order order)
{
	struct distribution size = bytes(EXAMPLE_BYTES);
	struct pipeline pipeline = plain_pipeline(100, EXAMPLE_BYTES);

	layout_compute(&pipeline.layout, EXAMPLES, &size, 1, EXAMPLE_BYTES, 100,
		       1);
	pipeline.order = order;
	pipeline.request_bytes = EXAMPLE_BYTES;
	pipeline.stages[STAGE_READ].workers = 4;
	/* The window begins where the first epoch has ended. */
	pipeline.limit = (struct run_limit){
		.epochs = EPOCHS,
		.warmup_steps = EXAMPLES / BATCH,
	};
	return pipeline;
}

static struct tiers_profile cached(enum cache_policy policy, double share)
{
	return (struct tiers_profile){
		.device = plain_device(10000000),
		.cache = { .policy = policy,
			   .bytes = (uint64_t)(share * EXAMPLES *
					       EXAMPLE_BYTES) },
	};
}

static double examples_per_s(const struct figures *figures)
{
	return (double)figures->consumed_examples /
	       seconds_of(figures->elapsed_ns);
}

static double hit_share(const struct figures *figures)
{
	return (double)figures->storage.cached_bytes /
	       (double)figures->storage.bytes;
}

static void a_pinned_cache_divides_the_load_by_what_it_lacks(void **x)
{
	static const double shares[] = { 0, 0.25, 0.5, 0.9 };
	static struct figures figures;

	(void)x;
	for (size_t i = 0; i < 4; i++) {
		struct pipeline pipeline =
			cached_pipeline(ORDER_SHUFFLED_BLOCKS);
		struct tiers_profile tiers = cached(CACHE_PINNED, shares[i]);

		run_tiers(&pipeline, &tiers, NULL, &figures);
		assert_close(hit_share(&figures), shares[i], 0.002);
		assert_int_equal(figures.run_epochs, EPOCHS);
		for (int j = 0; j < EPOCHS; j++) {
			assert_int_equal(figures.epochs[j].bytes,
					 EXAMPLES * EXAMPLE_BYTES);
			assert_close((double)figures.epochs[j].cached_bytes,
				     (j > 0) * shares[i] * EXAMPLES *
					     EXAMPLE_BYTES,
				     EXAMPLE_BYTES);
		}
		assert_close(examples_per_s(&figures) * (1 - shares[i]) / 10000,
			     1, 0.01);
	}
}

static void a_pinned_cache_leaves_compute_as_the_limit(void **x)
{
	struct pipeline pipeline = cached_pipeline(ORDER_SHUFFLED_BLOCKS);
	struct tiers_profile tiers = cached(CACHE_PINNED, 0.9);
	static struct figures figures;

	(void)x;
	pipeline.accelerators.step_ns = seconds(BATCH / 50000.0);
	run_tiers(&pipeline, &tiers, NULL, &figures);
	assert_close(examples_per_s(&figures), 50000, 500);
}

/* A block at place u of one epoch and v of the next (both uniform in 0..1) has
 * seen the blocks behind u and those before v in between: a share of
 * 1 - u (1 - v). It is still there when that is at most x, which has the
 * probability x + (1 - x) ln(1 - x). */
static void lru_keeps_far_fewer_hits_under_a_random_order(void **x)
{
	static const double shares[] = { 0.25, 0.5, 0.8 };
	static struct figures figures;

	(void)x;
	for (size_t i = 0; i < 3; i++) {
		struct pipeline pipeline =
			cached_pipeline(ORDER_SHUFFLED_BLOCKS);
		struct tiers_profile tiers = cached(CACHE_LRU, shares[i]);

		run_tiers(&pipeline, &tiers, NULL, &figures);
		assert_close(hit_share(&figures),
			     shares[i] + (1 - shares[i]) * log(1 - shares[i]),
			     0.01);
	}
}

/* In one order, what comes next was always evicted longest ago. */
static void lru_keeps_no_hits_in_a_sequence_longer_than_itself(void **x)
{
	struct pipeline pipeline = cached_pipeline(ORDER_SEQUENTIAL);
	struct tiers_profile tiers = cached(CACHE_LRU, 0.9);
	static struct figures figures;

	(void)x;
	run_tiers(&pipeline, &tiers, NULL, &figures);
	assert_int_equal(figures.storage.cached_bytes, 0);
}

static void a_cache_of_the_whole_dataset_hits_from_the_second_epoch_on(void **x)
{
	static const enum cache_policy policies[] = { CACHE_LRU, CACHE_PINNED };
	static struct figures figures;

	(void)x;
	for (size_t i = 0; i < 4; i++) {
		struct pipeline pipeline =
			cached_pipeline(ORDER_SHUFFLED_BLOCKS);
		struct tiers_profile tiers =
			cached(policies[i % 2], i < 2 ? 1 : 100);

		run_tiers(&pipeline, &tiers, NULL, &figures);
		assert_close(hit_share(&figures), 1, 0.001);
	}
}

/* Two hosts behind links of a third of the device each get their link's
 * rate; behind wide links they share the device. */
static void links_bound_what_each_host_gets(void **x)
{
	static const struct {
		uint64_t link;
		double expected;
	} rows[] = { { 3000000, 6000 }, { 30000000, 10000 } };
	static struct figures figures;

	(void)x;
	for (size_t i = 0; i < 2; i++) {
		struct pipeline pipeline =
			cached_pipeline(ORDER_SHUFFLED_BLOCKS);
		struct tiers_profile tiers = cached(CACHE_NONE, 0);

		tiers.link.bandwidth_bytes_per_s = rows[i].link;
		pipeline.accelerators.hosts = 2;
		pipeline.limit.warmup_steps = 100;
		run_tiers(&pipeline, &tiers, NULL, &figures);
		assert_close(examples_per_s(&figures), rows[i].expected,
			     rows[i].expected * 0.01);
	}
}

static void a_link_adds_its_latency_to_every_request(void **x)
{
	struct pipeline pipeline = cached_pipeline(ORDER_SEQUENTIAL);
	struct tiers_profile tiers = cached(CACHE_NONE, 0);
	static struct figures figures;

	(void)x;
	pipeline.stages[STAGE_READ].workers = 1;
	tiers.link.latency_ns = 900000;
	run_tiers(&pipeline, &tiers, NULL, &figures);
	/* 0.1 ms of transfer, 0.9 ms of link, one at a time. */
	assert_close(examples_per_s(&figures), 1000, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_pinned_cache_divides_the_load_by_what_it_lacks),
		cmocka_unit_test(a_pinned_cache_leaves_compute_as_the_limit),
		cmocka_unit_test(lru_keeps_far_fewer_hits_under_a_random_order),
		cmocka_unit_test(
			lru_keeps_no_hits_in_a_sequence_longer_than_itself),
		cmocka_unit_test(
			a_cache_of_the_whole_dataset_hits_from_the_second_epoch_on),
		cmocka_unit_test(links_bound_what_each_host_gets),
		cmocka_unit_test(a_link_adds_its_latency_to_every_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
