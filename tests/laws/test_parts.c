/* SPDX-License-Identifier: MIT */
/*
 * A block that is larger than a request is read in several: side by side, as
 * many as may be in flight, or one after the other. With a latency and nothing
 * else, an example takes as long as the turns that its parts need.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/runs.h"

#define EXAMPLES 200
#define EXAMPLE_BYTES (10.0 * 1048576)
#define PART_BYTES 131072 /* 80 of them */
#define LATENCY_S 0.01

static struct figures figures;

/* Blocks of one example each. */
static struct pipeline divided(uint32_t depth, bool dependent)
{
	struct pipeline pipeline = plain_pipeline(EXAMPLES, EXAMPLE_BYTES);
	struct distribution size = bytes(EXAMPLE_BYTES);

	layout_compute(&pipeline.layout, EXAMPLES, &size, 1, 1, 1, 1);
	pipeline.request_bytes = PART_BYTES;
	pipeline.dependent_requests = dependent;
	pipeline.stages[STAGE_READ].workers = depth;
	return pipeline;
}

static double examples_per_s(const struct pipeline *pipeline)
{
	struct device_profile device = { .latency_ns = seconds(LATENCY_S) };

	run_pipeline(pipeline, &device, NULL, &figures);
	return EXAMPLES / seconds_of(figures.run_ns);
}

/* 80 requests of 10 ms for each example; eight in flight, eight times as fast,
 * whether they are of one example or of eight. */
static void parts_take_the_turns_that_they_need(void **state)
{
	static const uint32_t depths[] = { 1, 8 };
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		uint32_t depth = depths[i / 2];
		struct pipeline pipeline = divided(depth, i % 2);

		assert_close(examples_per_s(&pipeline), 1.25 * depth, 1e-6);
		assert_int_equal(figures.storage.requests, 80 * EXAMPLES);
		assert_int_equal(figures.storage.bytes,
				 EXAMPLES * (uint64_t)EXAMPLE_BYTES);
		assert_close(figures.stages[STAGE_READ].busy_mean, depth, 1e-6);
		assert_int_equal(figures.storage.latency_ns.count,
				 80 * EXAMPLES);
		assert_close((double)figures.storage.latency_ns.max / 1e9,
			     LATENCY_S, 1e-9);
	}
}

/* With as much room as parts the first example is there after one turn, or
 * after as many as it has parts. */
static void the_first_example_comes_after_one_turn_or_all(void **state)
{
	struct pipeline pipeline = divided(80, false);

	(void)state;
	pipeline.batch_size = 1;
	pipeline.limit = (struct run_limit){ .steps = 1 };
	examples_per_s(&pipeline);
	assert_close(seconds_of(figures.run_ns), LATENCY_S, 1e-9);
	pipeline.dependent_requests = true;
	examples_per_s(&pipeline);
	assert_close(seconds_of(figures.run_ns), 80 * LATENCY_S, 1e-9);
}

/* The last part is what is left; a block that just fits is one request. */
static void a_block_has_as_many_parts_as_it_needs(void **state)
{
	static const struct {
		uint64_t request_bytes, parts;
	} rows[] = {
		{ 10485760, 1 }, { 20000000, 1 }, { 10485759, 2 },
		{ 5242880, 2 },	 { 5242879, 3 },  { 1000000, 11 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pipeline pipeline = divided(4, i % 2);

		pipeline.request_bytes = rows[i].request_bytes;
		if (rows[i].request_bytes == 20000000)
			pipeline.order = ORDER_SHUFFLED_BLOCKS;
		examples_per_s(&pipeline);
		assert_int_equal(figures.storage.requests,
				 rows[i].parts * EXAMPLES);
		assert_int_equal(figures.storage.bytes,
				 EXAMPLES * (uint64_t)EXAMPLE_BYTES);
	}
}

/* Whatever is read in parts hits a cache as if it were read whole: nothing in
 * the first epoch, all in the second. */
static void a_cache_takes_a_block_in_with_its_last_part(void **state)
{
	struct tiers_profile tiers = {
		.device = { .latency_ns = seconds(LATENCY_S) },
		.cache = { .bytes = (uint64_t)(EXAMPLES * EXAMPLE_BYTES) },
	};
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		struct pipeline pipeline = divided(8, i % 2);

		tiers.cache.policy = i < 2 ? CACHE_LRU : CACHE_PINNED;
		pipeline.limit.epochs = 2;
		run_tiers(&pipeline, &tiers, NULL, &figures);
		assert_int_equal(figures.epochs[0].cached_bytes, 0);
		assert_int_equal(figures.epochs[1].cached_bytes,
				 figures.epochs[1].bytes);
	}
}

/* A worker that carries whole batches has as many parts in flight as it may
 * have reads, of whichever of its blocks; dependent ones wait for each other
 * within a block. */
static void a_worker_reads_its_blocks_in_parts_too(void **state)
{
	static const struct {
		uint32_t reads;
		bool dependent;
		double turns; /* of a batch of one example */
	} rows[] = { { 1, false, 80 },
		     { 8, false, 10 },
		     { 1, true, 80 },
		     { 8, true, 80 } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pipeline pipeline = divided(1, rows[i].dependent);

		pipeline.batch_size = 1;
		pipeline.loading = (struct loading){ .kind = LOADER_WORKERS,
						     .workers = 1,
						     .prefetch_factor = 2,
						     .in_order = true,
						     .reads = rows[i].reads };
		examples_per_s(&pipeline);
		assert_int_equal(figures.storage.requests, 80 * EXAMPLES);
		assert_close(seconds_of(figures.run_ns),
			     EXAMPLES * rows[i].turns * LATENCY_S, 1e-6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_take_the_turns_that_they_need),
		cmocka_unit_test(the_first_example_comes_after_one_turn_or_all),
		cmocka_unit_test(a_block_has_as_many_parts_as_it_needs),
		cmocka_unit_test(a_worker_reads_its_blocks_in_parts_too),
		cmocka_unit_test(a_cache_takes_a_block_in_with_its_last_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
