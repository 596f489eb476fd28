/* SPDX-License-Identifier: MIT */
/* The files of an open dataset, by shard: their descriptors, sizes, names. */
#ifndef STORAGE_DATASET_FILES_H
#define STORAGE_DATASET_FILES_H

#include <stdint.h>

struct dataset;

/* File descriptor that holds a shard, and its size. Not when opens_each. */
int dataset_fd(const struct dataset *dataset, uint32_t shard);

/* The same for whichever dataset: opened now when opens_each, to be released
 * after the read. Negative errno when it cannot be opened. No allocation. */
int dataset_take_fd(const struct dataset *dataset, uint32_t shard)
	__attribute__((warn_unused_result));
void dataset_release_fd(const struct dataset *dataset, int fd);
uint64_t dataset_file_bytes(const struct dataset *dataset, uint32_t shard);

/* Writes the path of a shard's file, cut to the room; returns it. */
#define DATASET_NAME_BYTES 256
const char *dataset_file_name(const struct dataset *dataset, uint32_t shard,
			      char name[DATASET_NAME_BYTES]);

#endif
