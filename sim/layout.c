/* SPDX-License-Identifier: MIT */
#include "sim/layout.h"

#include <string.h>

#include "sim/check.h"

static uint64_t divide_up(uint64_t value, uint64_t by)
{
	return (value - 1) / by + 1;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void layout_compute(struct layout *layout, uint64_t examples,
		    const struct distribution *example_bytes,
		    double content_ratio, uint64_t block_bytes,
		    uint64_t shard_examples, uint64_t seed)
{
	double mean = distribution_mean(example_bytes);
	uint64_t last_examples;

	CHECK(examples > 0);
	CHECK(shard_examples > 0);
	CHECK(mean > 0);
	memset(layout, 0, sizeof(*layout));
	layout->examples = examples;
	layout->alignment_bytes = 1;
	layout->example_bytes = *example_bytes;
	distribution_prepare(&layout->example_bytes);
	layout->content_ratio = content_ratio;
	layout->size_stream = random_stream(seed, RANDOM_EXAMPLE_BYTES);
	layout->examples_per_shard = least(shard_examples, examples);
	layout->examples_per_block =
		least((uint64_t)((double)block_bytes / mean),
		      layout->examples_per_shard);
	if (layout->examples_per_block == 0)
		layout->examples_per_block = 1;
	layout->block_bytes_mean =
		(uint64_t)(mean * (double)layout->examples_per_block + 0.5);
	layout->blocks_per_shard = divide_up(layout->examples_per_shard,
					     layout->examples_per_block);
	layout->shards = divide_up(examples, layout->examples_per_shard);
	last_examples =
		examples - (layout->shards - 1) * layout->examples_per_shard;
	layout->blocks = (layout->shards - 1) * layout->blocks_per_shard +
			 divide_up(last_examples, layout->examples_per_block);
}

static uint64_t drawn_bytes(const struct layout *layout, uint64_t example)
{
	return (uint64_t)distribution_draw_at(&layout->example_bytes,
					      layout->size_stream, example);
}

static uint64_t drawn_sum(const struct layout *layout, uint64_t first,
			  uint32_t count)
{
	uint64_t sum = 0;

	if (layout->example_bytes.kind == DISTRIBUTION_CONSTANT)
		return count * drawn_bytes(layout, 0);
	for (uint32_t i = 0; i < count; i++)
		sum += drawn_bytes(layout, first + i);
	return sum;
}

static void computed_block(const struct layout *layout, uint64_t index,
			   struct layout_block *block)
{
	uint64_t shard = index / layout->blocks_per_shard;
	uint64_t place = index % layout->blocks_per_shard;
	uint64_t start = shard * layout->examples_per_shard;
	uint64_t end =
		least(start + layout->examples_per_shard, layout->examples);

	block->shard = (uint32_t)shard;
	block->first_example = start + place * layout->examples_per_block;
	block->examples = (uint32_t)least(layout->examples_per_block,
					  end - block->first_example);
	block->offset_bytes = place * layout->block_bytes_mean;
	block->stored_bytes =
		drawn_sum(layout, block->first_example, block->examples);
	block->content_bytes =
		(uint64_t)((double)block->stored_bytes * layout->content_ratio +
			   0.5);
}

/* The shard that holds a block. */
static uint64_t find_shard(const struct layout *layout, uint64_t block)
{
	uint64_t low = 0;
	uint64_t high = layout->shards;

	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (layout->shard_first_block[middle] <= block)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void table_block(const struct layout *layout, uint64_t index,
			struct layout_block *block)
{
	const struct layout_entry *entry = &layout->entries[index];
	uint64_t end = index + 1 < layout->blocks ? entry[1].first_example :
						    layout->examples;

	block->shard = (uint32_t)find_shard(layout, index);
	block->first_example = entry->first_example;
	block->examples = (uint32_t)(end - entry->first_example);
	block->offset_bytes = entry->offset_bytes;
	block->stored_bytes = entry->stored_bytes;
	block->content_bytes = entry->content_bytes;
}

void layout_block(const struct layout *layout, uint64_t index,
		  struct layout_block *block)
{
	CHECK(index < layout->blocks);
	if (layout->entries)
		table_block(layout, index, block);
	else
		computed_block(layout, index, block);
}

uint64_t layout_first_example(const struct layout *layout, uint64_t index)
{
	CHECK(index < layout->blocks);
	if (layout->entries)
		return layout->entries[index].first_example;
	return index / layout->blocks_per_shard * layout->examples_per_shard +
	       index % layout->blocks_per_shard * layout->examples_per_block;
}

uint64_t layout_position(const struct layout *layout, uint32_t shard,
			 uint64_t offset_bytes)
{
	uint64_t span = layout->shard_span_bytes;

	if (!layout->entries)
		span = layout->blocks_per_shard * layout->block_bytes_mean;
	return shard * span + offset_bytes;
}

uint64_t layout_shard_start(const struct layout *layout, uint64_t shard)
{
	CHECK(shard <= layout->shards);
	if (layout->entries)
		return layout->shard_first_block[shard];
	return least(shard * layout->blocks_per_shard, layout->blocks);
}

uint64_t layout_block_of(const struct layout *layout, uint64_t example)
{
	uint64_t low = 0;
	uint64_t high = layout->blocks;

	CHECK(example < layout->examples);
	if (!layout->entries) {
		uint64_t shard = example / layout->examples_per_shard;
		uint64_t within = example % layout->examples_per_shard;

		return shard * layout->blocks_per_shard +
		       within / layout->examples_per_block;
	}
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (layout->entries[middle].first_example <= example)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint64_t layout_example_bytes(const struct layout *layout,
			      const struct layout_block *block,
			      uint64_t example)
{
	if (layout->entries)
		return block->stored_bytes / block->examples;
	return drawn_bytes(layout, example);
}
