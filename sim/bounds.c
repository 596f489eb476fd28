/* SPDX-License-Identifier: MIT */
#include "sim/bounds.h"

#include "sim/check.h"

/* A request reads at most this many blocks, whatever its size. */
#define REQUEST_BLOCKS_MAX 256

/* Output room of decompression, in blocks, at least: blocks may be as small
 * as an example, and handing one to another thread takes longer than
 * decompressing it. */
#define DECOMPRESS_SLOTS 32

/* Room for requests: so many times the queue depth that hardly one waits for
 * a slow one in front of it, as far as they fit this memory. */
#define WINDOW_DEPTHS 64
#define WINDOW_BYTES (64 << 20)

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* What the blocks of a layout are like. */
struct block_sizes {
	uint64_t mean_bytes;
	uint64_t most_bytes;
	uint64_t most_examples;
};

static struct block_sizes block_sizes_find(const struct layout *layout)
{
	struct block_sizes sizes = { 0, 0, 0 };

	if (!layout->entries)
		return (struct block_sizes){
			.mean_bytes = most(layout->block_bytes_mean, 1),
			.most_bytes = layout->block_bytes_mean,
			.most_examples = layout->examples_per_block,
		};
	for (uint64_t i = 0; i < layout->blocks; i++) {
		const struct layout_entry *entry = &layout->entries[i];
		uint64_t end = i + 1 < layout->blocks ? entry[1].first_example :
							layout->examples;

		sizes.mean_bytes += entry->stored_bytes;
		sizes.most_bytes = most(sizes.most_bytes, entry->stored_bytes);
		sizes.most_examples =
			most(sizes.most_examples, end - entry->first_example);
	}
	sizes.mean_bytes = most(sizes.mean_bytes / layout->blocks, 1);
	return sizes;
}

static bool one_block_requests(enum read_order order)
{
	return order == ORDER_RANDOM || order == ORDER_SHUFFLED_BLOCKS;
}

/* What blocks that are asked for together may come to: a request is never
 * larger than the shard that it reads. */
static uint64_t joined_bytes(const struct pipeline *pipeline, uint64_t blocks)
{
	uint64_t shard_bytes = layout_position(&pipeline->layout, 1, 0);

	return blocks > 1 ? least(pipeline->request_bytes, shard_bytes) : 0;
}

static void find_request(struct bounds *bounds, const struct pipeline *pipeline)
{
	struct block_sizes sizes = block_sizes_find(&pipeline->layout);
	uint64_t blocks = 2 * pipeline->request_bytes / sizes.mean_bytes + 1;
	uint64_t alignment = pipeline->layout.alignment_bytes;

	if (one_block_requests(pipeline->order) ||
	    pipeline->loading.kind == LOADER_WORKERS)
		blocks = 1;
	bounds->request_blocks = (uint32_t)least(blocks, REQUEST_BLOCKS_MAX);
	bounds->request_examples =
		pipeline->order == ORDER_RANDOM ?
			1 :
			bounds->request_blocks * sizes.most_examples;
	bounds->part_bytes = (pipeline->request_bytes + alignment - 1) /
			     alignment * alignment;
	bounds->request_bytes =
		most(joined_bytes(pipeline, blocks), sizes.most_bytes) +
		2 * alignment;
}

static uint64_t window_default(const struct bounds *bounds, uint32_t depth)
{
	uint64_t fit = WINDOW_BYTES / most(bounds->request_bytes, 1);

	return most(2 * (uint64_t)depth,
		    least(WINDOW_DEPTHS * (uint64_t)depth, fit));
}

/* What is begun must have room until its unit is asked for. */
static uint64_t window_examples(const struct pipeline *pipeline)
{
	const struct loading *loading = &pipeline->loading;
	bool batches = loading->window_unit == WINDOW_BATCH;

	return most(loading->window, loading->window_most) *
	       (batches ? pipeline->batch_size : 1);
}

static uint32_t stage_slots(const struct bounds *bounds,
			    const struct pipeline *pipeline,
			    enum stage_name name)
{
	const struct stage *stage = &pipeline->stages[name];

	if (name == STAGE_COLLATE)
		return pipeline->prefetch_batches *
			       pipeline->accelerators.count +
		       stage->workers;
	if (stage->output_items > 0)
		return (uint32_t)most(stage->output_items, stage->workers);
	if (name == STAGE_READ)
		return (uint32_t)window_default(bounds, stage->workers);
	if (name == STAGE_DECOMPRESS)
		return (uint32_t)most(2 * stage->workers, DECOMPRESS_SLOTS);
	if (name == STAGE_DECODE && pipeline->loading.window > 0)
		return (uint32_t)least(most(window_examples(pipeline),
					    stage->workers),
				       UINT32_MAX);
	return 2 * stage->workers;
}

static uint64_t if_more_than_one(uint64_t size)
{
	return size > 1 ? size : 0;
}

/* One more than can be in memory without giving the accelerators what they
 * wait for: full shuffle buffers, a batch lacking one example, batches of all
 * accelerators but one where they wait for each other, and what an echo keeps
 * to repeat when it is starved. */
static uint64_t read_ahead_min(const struct pipeline *pipeline)
{
	const struct accelerators *accelerators = &pipeline->accelerators;
	const struct echo *echo = &pipeline->echo;
	bool of_batches = echo->place == ECHO_BATCH;
	bool keeps = echo->place != ECHO_NONE &&
		     echo->policy == ECHO_WHEN_STARVED;
	uint64_t shuffled =
		of_batches ? if_more_than_one(echo->shuffle_batches) : 0;
	bool each_keeps = of_batches && keeps && shuffled == 0;
	uint64_t batches = shuffled + 1;

	if (accelerators->sync == SYNC_BARRIER || each_keeps)
		batches = shuffled + accelerators->count;
	batches += of_batches && keeps;
	return if_more_than_one(pipeline->shuffle_examples) +
	       batches * pipeline->batch_size + (keeps && !of_batches);
}

/* The places that a crew uses of each stage's output. A worker has `reads`
 * requests, one block and one example; the batches that are out have a slot
 * each. */
static void find_crew(struct bounds *bounds, const struct pipeline *pipeline)
{
	const struct loading *loading = &pipeline->loading;
	uint64_t workers = most(loading->workers, 1);
	uint64_t out =
		most((uint64_t)loading->workers * loading->prefetch_factor, 1);

	bounds->stage_slots[STAGE_READ] =
		(uint32_t)least(workers * loading->reads, UINT32_MAX);
	bounds->stage_slots[STAGE_DECOMPRESS] = (uint32_t)workers;
	bounds->stage_slots[STAGE_DECODE] = 1;
	bounds->stage_slots[STAGE_AUGMENT] = 1;
	bounds->stage_slots[STAGE_COLLATE] = (uint32_t)least(out, UINT32_MAX);
}

/* What its batches are made of, one that is being given included, and what
 * its workers' echoes hold. */
static uint64_t crew_examples(const struct bounds *bounds,
			      const struct pipeline *pipeline)
{
	return ((uint64_t)bounds->batches + 1) * pipeline->batch_size +
	       bounds->stage_slots[STAGE_DECOMPRESS];
}

static void find_read_ahead_default(struct bounds *bounds,
				    const struct pipeline *pipeline)
{
	const struct echo *echo = &pipeline->echo;
	uint64_t batches = 1 + 2 * (uint64_t)pipeline->accelerators.count;
	uint64_t slots = bounds->stage_slots[STAGE_READ] + 1;
	uint64_t block_examples =
		bounds->request_examples / bounds->request_blocks;

	if (echo->place == ECHO_BATCH)
		batches += echo->shuffle_batches;
	bounds->read_ahead_default =
		pipeline->shuffle_examples + batches * pipeline->batch_size +
		1 + slots * bounds->request_examples +
		bounds->stage_slots[STAGE_DECOMPRESS] * block_examples +
		bounds->stage_slots[STAGE_DECODE] +
		bounds->stage_slots[STAGE_AUGMENT] +
		(uint64_t)bounds->stage_slots[STAGE_COLLATE] *
			pipeline->batch_size;
}

void bounds_find(struct bounds *bounds, const struct pipeline *pipeline)
{
	const struct echo *echo = &pipeline->echo;
	bool crew = pipeline->loading.kind == LOADER_WORKERS;

	find_request(bounds, pipeline);
	for (enum stage_name name = 0; name < STAGE_COUNT && !crew; name++)
		bounds->stage_slots[name] = stage_slots(bounds, pipeline, name);
	bounds->parts = pipeline->stages[STAGE_READ].workers;
	if (crew) {
		find_crew(bounds, pipeline);
		bounds->parts = bounds->stage_slots[STAGE_READ];
	}
	/* Made or waiting, held by accelerators, held by their echoes, in the
	 * shuffle behind the echo. */
	bounds->batches = bounds->stage_slots[STAGE_COLLATE] +
			  2 * pipeline_lanes(pipeline);
	if (echo->place == ECHO_BATCH)
		bounds->batches += echo->shuffle_batches + 1;
	bounds->read_ahead_min = read_ahead_min(pipeline);
	find_read_ahead_default(bounds, pipeline);
	if (crew) {
		bounds->read_ahead_min = crew_examples(bounds, pipeline);
		bounds->read_ahead_default = bounds->read_ahead_min;
	}
}
