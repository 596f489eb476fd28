/* SPDX-License-Identifier: MIT */
/*
 * Every example that is read is accounted for, on one host as on many and
 * however the run ends: it is used by a step, dropped, left over in a whole
 * batch, or under way. How many of each is counted here by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/support/runs.h"

#define BLOCK 10 /* examples */

/* What the slices of one epoch amount to. */
struct counted {
	uint64_t steps; /* of all accelerators together */
	uint64_t batches;
	uint64_t dropped;
};

/* The examples of a host's slice: whole blocks in the order of reading, or,
 * in random order, examples. */
static uint64_t slice(const struct pipeline *pipeline, uint32_t host)
{
	uint64_t examples = pipeline->layout.examples;
	uint64_t unit = pipeline->order == ORDER_RANDOM ? 1 : BLOCK;
	uint64_t units = (examples + unit - 1) / unit;
	uint32_t hosts = pipeline->accelerators.hosts;
	uint64_t end = units * (host + 1) / hosts * unit;

	if (end > examples)
		end = examples;
	return end - units * host / hosts * unit;
}

static struct counted count_epoch(const struct pipeline *pipeline)
{
	struct counted counted = { .steps = UINT64_MAX };

	for (uint32_t h = 0; h < pipeline->accelerators.hosts; h++) {
		uint64_t examples = slice(pipeline, h);
		uint64_t batches = examples / pipeline->batch_size;
		uint64_t steps = batches / pipeline->accelerators.count;

		counted.batches += batches;
		counted.dropped += examples % pipeline->batch_size;
		if (steps < counted.steps)
			counted.steps = steps;
	}
	return counted;
}

static void check_whole_epochs(const struct pipeline *pipeline,
			       const struct figures *figures)
{
	struct counted each = count_epoch(pipeline);
	uint64_t epochs = pipeline->limit.epochs;
	uint64_t size = pipeline->batch_size;
	uint64_t used = each.steps * figures->accelerators;

	if (pipeline->accelerators.sync == SYNC_NONE)
		used = each.batches;
	assert_true(figures->complete);
	assert_int_equal(figures->run_read_examples,
			 epochs * pipeline->layout.examples);
	assert_int_equal(figures->consumed_examples, epochs * used * size);
	assert_int_equal(figures->run_fresh_examples, epochs * used * size);
	assert_int_equal(figures->run_dropped_examples, epochs * each.dropped);
	assert_int_equal(figures->run_left_over_batches,
			 epochs * (each.batches - used));
	assert_int_equal(figures->run_left_over_examples,
			 epochs * (each.batches - used) * size);
	assert_int_equal(figures->run_under_way_examples, 0);
}

/* One step into the epoch after the whole ones, or at some time. */
static void check_ended_early(const struct pipeline *pipeline,
			      const struct figures *figures)
{
	struct counted each = count_epoch(pipeline);
	uint64_t epochs = (figures->run_steps - 1) / each.steps;
	uint64_t used = each.steps * figures->accelerators;
	uint64_t requests = figures->storage.requests;
	uint64_t unit = pipeline->order == ORDER_RANDOM ? 1 : BLOCK;

	assert_true(figures->complete);
	assert_int_equal(figures->run_fresh_examples,
			 figures->consumed_examples);
	assert_int_equal(figures->run_read_examples,
			 figures->run_fresh_examples +
				 figures->run_dropped_examples +
				 figures->run_left_over_examples +
				 figures->run_under_way_examples);
	assert_true(figures->run_read_examples <=
		    (requests + figures->accelerators) * unit);
	if (pipeline->accelerators.sync == SYNC_NONE)
		return;
	assert_true(figures->run_dropped_examples >= epochs * each.dropped);
	if (pipeline->limit.steps == 0)
		return;
	assert_int_equal(figures->run_left_over_batches,
			 epochs * (each.batches - used));
}

/* 10 ms a step, 1 ms a block. */
static struct pipeline make(uint32_t hosts, uint32_t count, int order, int sync)
{
	struct pipeline pipeline = plain_pipeline(1003, 1000);

	pipeline.order = (enum read_order)order;
	pipeline.batch_size = 7;
	pipeline.accelerators.hosts = hosts;
	pipeline.accelerators.count = count;
	pipeline.accelerators.sync = (enum step_sync)sync;
	pipeline.accelerators.step_ns = seconds(0.01);
	return pipeline;
}

static void end_in_every_way(struct pipeline pipeline)
{
	const struct device_profile device = plain_device(10000000);
	struct counted each = count_epoch(&pipeline);
	struct figures figures;

	for (uint64_t epochs = 1; epochs <= 3; epochs++) {
		pipeline.limit = (struct run_limit){ .epochs = epochs };
		run_pipeline(&pipeline, &device, NULL, &figures);
		check_whole_epochs(&pipeline, &figures);

		pipeline.limit = (struct run_limit){
			.steps = each.steps * epochs + 1,
		};
		if (pipeline.accelerators.sync == SYNC_BARRIER) {
			run_pipeline(&pipeline, &device, NULL, &figures);
			check_ended_early(&pipeline, &figures);
		}
		pipeline.limit = (struct run_limit){
			.duration_ns = (int64_t)epochs * 150000000,
		};
		run_pipeline(&pipeline, &device, NULL, &figures);
		check_ended_early(&pipeline, &figures);
	}
}

static void what_is_read_is_used_dropped_left_over_or_under_way(void **x)
{
	(void)x;
	for (uint32_t hosts = 1; hosts <= 5; hosts++)
		for (uint32_t count = 1; count <= 4; count++)
			for (int i = 0; i < 4; i++)
				end_in_every_way(make(
					hosts, count,
					i % 2 ? ORDER_RANDOM : ORDER_SEQUENTIAL,
					i / 2 ? SYNC_NONE : SYNC_BARRIER));
}

/* One row a published case: DLIO issue 234 and its like. */
struct row {
	uint64_t examples;
	uint32_t batch, hosts, count;
	uint64_t epochs, steps, dropped, left_over;
};

static void what_an_epoch_leaves_is_no_part_of_the_next(void **x)
{
	static const struct row rows[] = {
		/* 24 batches, 13 a step: one step, 11 batches left over. */
		{ 168, 7, 1, 13, 5, 5, 0, 5 * 77 },
		/* 12 or 13 examples a host: one batch each, the rest drops. */
		{ 168, 7, 13, 1, 5, 5, 5 * 77, 0 },
		/* 33 batches and an example, 7 a step: four steps, five left
		 * over. */
		{ 100, 3, 1, 7, 4, 16, 4, 4 * 15 },
		/* Five hosts of 14, two of 15: four steps, 2 x 5 dropped, a
		 * batch left over on each of the two. */
		{ 100, 3, 7, 1, 4, 16, 4 * 10, 4 * 6 },
		/* Two of 334, one of 335: 4 + 4 + 5 dropped. */
		{ 1003, 10, 3, 1, 1, 33, 13, 0 },
	};
	const struct device_profile device = plain_device(10000000);

	(void)x;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		struct pipeline pipeline = plain_pipeline(row->examples, 1000);
		struct figures figures;

		pipeline.order = ORDER_RANDOM;
		pipeline.batch_size = row->batch;
		pipeline.accelerators.hosts = row->hosts;
		pipeline.accelerators.count = row->count;
		pipeline.limit.epochs = row->epochs;
		run_pipeline(&pipeline, &device, NULL, &figures);
		assert_int_equal(figures.run_steps, row->steps);
		assert_int_equal(figures.run_dropped_examples, row->dropped);
		assert_int_equal(figures.run_left_over_examples,
				 row->left_over);
		assert_int_equal(figures.run_left_over_batches * row->batch,
				 row->left_over);
		assert_int_equal(figures.run_fresh_examples + row->dropped +
					 row->left_over,
				 row->examples * row->epochs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			what_is_read_is_used_dropped_left_over_or_under_way),
		cmocka_unit_test(what_an_epoch_leaves_is_no_part_of_the_next),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
