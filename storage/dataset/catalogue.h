/* SPDX-License-Identifier: MIT */
/*
 * The catalogue of a dataset: an LMDB folder with one record per block, in
 * storage order, that says where the block is, what is in it and what its
 * content's checksum is. A record's value, little-endian:
 *
 *   u32 shard | u32 examples | u64 offset | u64 first example
 *   u32 stored bytes | u32 content bytes | u64 XXH64 of the content
 *   and, in a block of several examples, u32 length of each
 *
 * The offset is 0 where the format finds the block by another way.
 */
#ifndef STORAGE_CATALOGUE_H
#define STORAGE_CATALOGUE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"
#include "sim/layout.h"
#include "storage/dataset/manifest.h"

#define CATALOGUE_NAME "catalogue"
#define CATALOGUE_RECORD_BYTES 40
/* Examples in a block at most: bounds a record. */
#define CATALOGUE_EXAMPLES_MAX 65536u

struct catalogue_record {
	uint64_t first_example;
	uint64_t offset_bytes;
	uint64_t checksum;
	uint32_t shard;
	uint32_t examples;
	uint32_t stored_bytes;
	uint32_t content_bytes;
};

/* Size of a record's value. */
size_t catalogue_record_bytes(uint32_t examples);

/* Writes a value of catalogue_record_bytes(record->examples); lengths has one
 * entry per example. */
void catalogue_encode(uint8_t *to, const struct catalogue_record *record,
		      const uint32_t *lengths);

/* Reads and checks a value: -EBADMSG when a number in it is impossible. */
int catalogue_decode(struct catalogue_record *record, const uint8_t *from,
		     size_t size) __attribute__((warn_unused_result));

/* Writing. */
struct catalogue;
int catalogue_create(struct catalogue **out, const char *folder,
		     uint64_t bytes_max, struct fault *fault)
	__attribute__((warn_unused_result));
int catalogue_append(struct catalogue *catalogue,
		     const struct catalogue_record *record,
		     const uint32_t *lengths, struct fault *fault)
	__attribute__((warn_unused_result));
/* Makes it durable; *checksum gets the checksum of all records. */
int catalogue_finish(struct catalogue *catalogue, uint64_t *checksum,
		     struct fault *fault) __attribute__((warn_unused_result));
void catalogue_close(struct catalogue *catalogue);

/* Reading: a whole catalogue as tables, with shard_first_block of
 * shards + 1 entries. */
struct catalogue_tables {
	struct layout_entry *entries;
	uint64_t *checksums;
	uint64_t *shard_first_block;
};

/* Loads the catalogue in the folder `path` and checks it against the
 * manifest: counts, sums, checksum, and that examples and shards follow one
 * another without a gap. */
int catalogue_load(struct catalogue_tables *out, const char *path,
		   const struct manifest *manifest, struct fault *fault)
	__attribute__((warn_unused_result));
void catalogue_release(struct catalogue_tables *tables);

#endif
