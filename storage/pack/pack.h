/* SPDX-License-Identifier: MIT */
/*
 * Packing: from a folder of files (each file an example, in sorted path
 * order), tars or a synthetic generator to a dataset folder. Memory is constant
 * whatever the size. The folder is written beside its target under a
 * temporary name, synced, given its manifest last and renamed: it is visible
 * only when whole, and an error or interrupt leaves nothing behind.
 */
#ifndef STORAGE_PACK_H
#define STORAGE_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/distribution.h"
#include "sim/fault.h"

struct pack_options {
	const char *source; /* folder (of tars, too) or tar; NULL: synthetic */
	const char *const *more; /* tars after the first */
	size_t more_count;
	const char *target; /* folder to be made */
	const char *format; /* "shards" or "lmdb" */
	uint64_t synthetic_examples;
	struct distribution synthetic_bytes; /* content size of an example */
	double synthetic_ratio;		     /* aimed content / stored, >= 1 */
	uint64_t seed;
	uint64_t block_bytes;	 /* content bytes per block aimed at */
	uint64_t shard_examples; /* 0: chosen so that a shard is ~64 MiB */
	int level;		 /* zstd; 0: raw frames are not allowed for
				    shards, level 0 is stored raw in lmdb */
	bool force;		 /* replace an existing dataset */
	/* NULL, or called once the sizes are known, before anything is made:
	 * with an upper bound of what it will take on disk. */
	void (*estimated)(void *context, uint64_t examples,
			  uint64_t content_bytes, uint64_t disk_bytes_max);
	/* NULL or called now and then; false stops with -EINTR. The total is 0
	 * while sizes are still being looked at. */
	bool (*progress)(void *context, uint64_t done_bytes,
			 uint64_t total_bytes);
	void *context;
};

struct pack_result {
	uint64_t examples;
	uint64_t skipped; /* things in the source that are no files */
	uint64_t blocks;
	uint64_t shards;
	uint64_t content_bytes;
	uint64_t stored_bytes;
	uint64_t disk_bytes; /* of the whole folder */
	int64_t elapsed_ns;
};

int pack_run(const struct pack_options *options, struct pack_result *result,
	     struct fault *fault) __attribute__((warn_unused_result));

#endif
