/* SPDX-License-Identifier: MIT */
/*
 * The manifest of a dataset folder: a small text file of `key value` lines,
 * written last, so that a folder without one is no dataset. Its first line
 * says the version, its last line is the XXH64 of all lines before it.
 */
#ifndef STORAGE_MANIFEST_H
#define STORAGE_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"

#define MANIFEST_NAME "echosim.dataset"
/* Room for any manifest's text. */
#define MANIFEST_BYTES_MAX 1024

/* Limits of every dataset: what an opened one's tables may cost. */
#define DATASET_BLOCKS_MAX 200000000u
#define DATASET_SHARDS_MAX 100000u

struct manifest {
	char format[16];
	uint64_t examples;
	uint64_t blocks;
	uint64_t shards;
	uint64_t content_bytes;
	uint64_t stored_bytes;
	uint64_t level;		     /* of zstd; 0: stored raw */
	uint64_t block_bytes;	     /* as asked for when it was packed */
	uint64_t shard_examples;     /* the same; 0: shards by size */
	uint64_t catalogue_checksum; /* of all its records */
};

/* Writes the text, at most MANIFEST_BYTES_MAX bytes; returns its size. */
size_t manifest_print(char *text, const struct manifest *manifest);

/* Reads the text of a manifest: -EBADMSG, or -ENOTSUP for another version,
 * with a fault that names the line. */
int manifest_parse(struct manifest *out, const char *text, size_t size,
		   const char *name, struct fault *fault)
	__attribute__((warn_unused_result));

/* Does the text start like a manifest of any version? */
bool manifest_recognise(const char *text, size_t size);

#endif
