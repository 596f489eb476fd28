/* SPDX-License-Identifier: MIT */
/*
 * What the formats of others have in common: their blocks are found when the
 * dataset is opened and gathered into the tables that a packed dataset has its
 * catalogue for. Each block is one example. Memory: 24 bytes for each block,
 * 8 more where a seek table has checksums, and 12 and its path for each file.
 */
#ifndef STORAGE_FOREIGN_H
#define STORAGE_FOREIGN_H

#include "storage/dataset/format.h"

/* Set in the table beside the low half of a block's checksum, where there is
 * one to check. */
#define FOREIGN_CHECKSUM (UINT64_C(1) << 32)

/* Before the first block. */
int foreign_start(struct dataset *dataset) __attribute__((warn_unused_result));

/* Adds the next block of the current shard; one without content is left out
 * and counted. checksum is the low half of the content's XXH64. */
int foreign_add(struct dataset *dataset, const struct layout_entry *place,
		const uint32_t *checksum, struct fault *fault)
	__attribute__((warn_unused_result));

/* The current shard ends; one without a block is refused. */
int foreign_end_shard(struct dataset *dataset, struct fault *fault)
	__attribute__((warn_unused_result));

/* Opens the file of a shard, which must have the size it had when it was
 * found; returns its descriptor. */
int foreign_open(const struct dataset *dataset, uint64_t shard,
		 struct fault *fault) __attribute__((warn_unused_result));

/* Does `scan` for each file, open, and its shard. */
int foreign_scan(struct dataset *dataset,
		 int (*scan)(struct dataset *dataset, uint64_t shard, int fd,
			     struct fault *fault),
		 struct fault *fault) __attribute__((warn_unused_result));

#endif
