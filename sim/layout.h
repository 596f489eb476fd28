/* SPDX-License-Identifier: MIT */
/*
 * Where examples lie in storage: a dataset is shards of blocks of examples.
 * A layout is either computed (a few numbers describe any size of dataset, no
 * memory per example) or a table (a packed dataset that was opened).
 *
 * Blocks are numbered through all shards in storage order, examples through
 * all blocks. A block is read and decompressed whole.
 */
#ifndef SIM_LAYOUT_H
#define SIM_LAYOUT_H

#include <stdint.h>

#include "sim/distribution.h"
#include "sim/random.h"

/* One block of a packed dataset. */
struct layout_entry {
	uint64_t first_example;
	uint64_t offset_bytes; /* of the stored bytes within the shard's file */
	uint32_t stored_bytes;
	uint32_t content_bytes; /* after decompression */
};

struct layout {
	uint64_t examples;
	uint64_t blocks;
	uint64_t shards;
	/* Every read is widened to multiples of this (direct I/O); 1: none. */
	uint32_t alignment_bytes;

	/* Computed layout. */
	uint64_t examples_per_block;
	uint64_t examples_per_shard; /* the last shard may have fewer */
	uint64_t blocks_per_shard;
	uint64_t block_bytes_mean;
	struct distribution example_bytes; /* stored size */
	double content_ratio;		   /* content bytes / stored bytes */
	struct random_stream size_stream;

	/* Table layout; borrowed; NULL when computed. shard_first_block has
	 * shards + 1 entries, the last one equal to blocks. */
	const struct layout_entry *entries;
	const uint64_t *shard_first_block;
	uint64_t shard_span_bytes; /* size of the largest shard */
};

/* A block as the engine sees it. */
struct layout_block {
	uint64_t first_example;
	uint32_t examples;
	uint32_t shard;
	uint64_t offset_bytes;
	uint64_t stored_bytes;
	uint64_t content_bytes;
};

/* Fills the counts of a computed layout. examples > 0; shard_examples > 0;
 * a block holds as many examples of mean size as fit block_bytes, at least 1;
 * a shard starts a new block. */
void layout_compute(struct layout *layout, uint64_t examples,
		    const struct distribution *example_bytes,
		    double content_ratio, uint64_t block_bytes,
		    uint64_t shard_examples, uint64_t seed);

/* The index-th block, index < layout->blocks. The offset of a computed block
 * is that of a shard whose blocks all have mean size. */
void layout_block(const struct layout *layout, uint64_t index,
		  struct layout_block *block);

/* Number of the first example of a block; index < layout->blocks. */
uint64_t layout_first_example(const struct layout *layout, uint64_t index);

/* Place on the device of an offset in a shard, all shards laid end to end. */
uint64_t layout_position(const struct layout *layout, uint32_t shard,
			 uint64_t offset_bytes);

/* Number of the first block of a shard; shard <= layout->shards. */
uint64_t layout_shard_start(const struct layout *layout, uint64_t shard);

/* The block that holds an example (binary search in a table). */
uint64_t layout_block_of(const struct layout *layout, uint64_t example);

/* Stored size of one example of a block: drawn, or the block's mean. */
uint64_t layout_example_bytes(const struct layout *layout,
			      const struct layout_block *block,
			      uint64_t example);

#endif
