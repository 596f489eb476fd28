/* SPDX-License-Identifier: MIT */
/*
 * Which examples share a block: decided from their sizes alone, so that an
 * estimate and the packing that follows decide the same.
 */
#ifndef STORAGE_PLAN_H
#define STORAGE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fault.h"
#include "storage/dataset/format.h"
#include "storage/pack/pack.h"
#include "storage/pack/source.h"

/* The block being filled. */
struct plan {
	uint64_t block_bytes;
	uint64_t shard_examples; /* 0: shards end by size */
	bool one_example_per_block;
	uint64_t content_bytes;
	uint32_t examples;
	uint64_t shard_used; /* examples in the shard so far */
};

void plan_init(struct plan *plan, const struct pack_options *options,
	       const struct format *format);

/* Does an example of that size belong to the block? Always to an empty one. */
bool plan_takes(const struct plan *plan, uint64_t bytes);
void plan_add(struct plan *plan, uint64_t bytes);

/* Starts the next block. */
void plan_next(struct plan *plan);

/* What a packing will need, from the sizes of all examples. */
struct estimate {
	uint64_t examples;
	uint64_t skipped; /* by the source */
	uint64_t blocks;
	uint64_t content_bytes;
	uint64_t disk_bytes_max;
	uint64_t shard_bytes; /* at which a shard ends by size */
};

/* Opens the source that the options name. */
int plan_source(struct source **out, const struct pack_options *options,
		struct fault *fault) __attribute__((warn_unused_result));

/* Refuses options that make no sense; *format is the one they name. */
int plan_check(const struct pack_options *options, const struct format **format,
	       struct fault *fault) __attribute__((warn_unused_result));

/* Goes through all sizes; -EINTR when progress says so. Options must be
 * checked. */
int plan_estimate(const struct pack_options *options,
		  const struct format *format, struct estimate *estimate,
		  struct fault *fault) __attribute__((warn_unused_result));

#endif
