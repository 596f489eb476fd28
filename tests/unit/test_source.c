/* SPDX-License-Identifier: MIT */
/*
 * What an engine asks storage for: its reads are taken and answered one by
 * one, and compared with the layout.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "tests/support/runs.h"

#define BUFFERS 8
#define BLOCKS 500
#define SHARDS 5
#define EXAMPLES (2 * BLOCKS)
#define SEED 7

/* Two examples a block, at places that jump forth and back as the values of
 * an LMDB file do: small ones low, large ones high, in no order. */
struct table {
	struct layout_entry entries[BLOCKS];
	uint64_t shard_first_block[SHARDS + 1];
	struct layout layout;
};

static void make_table(struct table *table, uint32_t alignment)
{
	struct random_stream stream = random_stream(SEED, RANDOM_EXAMPLE_BYTES);

	for (uint64_t i = 0; i < BLOCKS; i++) {
		uint64_t bits = random_bits(stream, i);

		table->entries[i] = (struct layout_entry){
			.first_example = 2 * i,
			.offset_bytes = bits % 1000000,
			.stored_bytes = 1 + (uint32_t)(bits >> 40) % 9000,
			.content_bytes = 10000,
		};
	}
	for (uint64_t i = 0; i <= SHARDS; i++)
		table->shard_first_block[i] = i * BLOCKS / SHARDS;
	table->layout = (struct layout){
		.examples = EXAMPLES,
		.blocks = BLOCKS,
		.shards = SHARDS,
		.alignment_bytes = alignment,
		.shard_span_bytes = 1010000,
		.entries = table->entries,
		.shard_first_block = table->shard_first_block,
	};
}

/* A block that is larger than a request: its parts follow each other without
 * a gap, none larger than a request, into one buffer. */
static void check_part(const struct engine_task *task)
{
	static uint64_t filled[2][BUFFERS]; /* by host and buffer */
	uint64_t *bytes = &filled[task->host][task->buffer];

	if (task->buffer_offset_bytes == 0)
		*bytes = 0;
	assert_int_equal(task->buffer_offset_bytes, *bytes);
	*bytes += task->bytes;
	assert_int_equal(task->last, *bytes == task->whole_bytes);
	assert_int_equal(task->block_count, 1);
}

static void check_task(const struct pipeline *pipeline,
		       const struct engine_task *task, uint8_t *asked)
{
	uint32_t alignment = pipeline->layout.alignment_bytes;
	uint64_t start = task->offset_bytes - task->buffer_offset_bytes;

	assert_int_equal(task->offset_bytes % alignment, 0);
	assert_int_equal(task->bytes % alignment, 0);
	assert_true(task->whole_bytes <= engine_buffer_bytes(pipeline));
	assert_int_equal(engine_buffers(pipeline), BUFFERS);
	assert_true(task->bytes <= pipeline->request_bytes + 2 * alignment);
	if (task->bytes < task->whole_bytes)
		check_part(task);
	if (!task->last)
		return;
	for (uint64_t i = 0; i < task->block_count; i++) {
		struct layout_block block;

		layout_block(&pipeline->layout, task->block + i, &block);
		asked[task->block + i]++;
		assert_int_equal(block.shard, task->shard);
		assert_true(block.offset_bytes >= start);
		assert_true(block.offset_bytes + block.stored_bytes <=
			    start + task->whole_bytes);
	}
}

/* Runs the pipeline to its end, each read answered at once. */
static void ask_all(const struct pipeline *pipeline, uint8_t *asked)
{
	void *memory = aligned_alloc(64, engine_memory_bytes(pipeline));
	struct engine *engine;
	struct engine_task task;

	assert_non_null(memory);
	engine = engine_init(memory, pipeline);
	do {
		while (engine_take_task(engine, &task)) {
			struct completion now = {
				.at_ns = engine_now_ns(engine),
			};

			check_task(pipeline, &task, asked);
			engine_complete(engine, &task, &now);
		}
	} while (engine_advance(engine, INT64_MAX, 1000));
	free(memory);
}

static void requests_cover_each_block_once_an_epoch(void **x)
{
	static struct table table;

	(void)x;
	for (uint32_t i = 0; i < 3 * 3 * 4; i++) {
		static const uint32_t alignments[] = { 1, 512, 4096 };
		struct pipeline pipeline = plain_pipeline(100, 1000);
		uint8_t asked[BLOCKS] = { 0 };

		make_table(&table, alignments[i % 3]);
		pipeline.layout = table.layout;
		pipeline.order = (enum read_order)(i / 3 % 3);
		pipeline.request_bytes = UINT64_C(1) << (8 + i / 9 * 4);
		pipeline.stages[STAGE_READ].workers = BUFFERS / 2;
		pipeline.stages[STAGE_READ].output_items = BUFFERS;
		pipeline.accelerators.hosts = 1 + i % 2;
		pipeline.limit.epochs = 2;
		pipeline.dependent_requests = i % 4 == 1;
		pipeline.read_ahead_examples =
			pipeline_read_ahead_default(&pipeline);
		ask_all(&pipeline, asked);
		for (uint32_t block = 0; block < BLOCKS; block++)
			assert_int_equal(asked[block], 2);
	}
}

static void random_order_reads_a_block_for_each_of_its_examples(void **x)
{
	static struct table table;
	struct pipeline pipeline = plain_pipeline(100, 1000);
	uint8_t asked[BLOCKS] = { 0 };

	(void)x;
	make_table(&table, 512);
	pipeline.layout = table.layout;
	pipeline.order = ORDER_RANDOM;
	pipeline.stages[STAGE_READ].workers = BUFFERS / 2;
	pipeline.stages[STAGE_READ].output_items = BUFFERS;
	pipeline.read_ahead_examples = pipeline_read_ahead_default(&pipeline);
	ask_all(&pipeline, asked);
	for (uint32_t block = 0; block < BLOCKS; block++)
		assert_int_equal(asked[block], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_cover_each_block_once_an_epoch),
		cmocka_unit_test(
			random_order_reads_a_block_for_each_of_its_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
