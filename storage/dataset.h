/* SPDX-License-Identifier: MIT */
/*
 * A packed dataset, opened for reading: a folder with a manifest and either
 *   shards: shard-*.zst (zstd seekable files, one frame per block) and
 *           catalogue/ (LMDB: block number -> place, sizes, checksums), or
 *   lmdb:   data.mdb (LMDB: example number -> a zstd frame or raw bytes).
 * Which is which is one row per format in the format table.
 *
 * Opening checks everything that can be checked without reading the payload:
 * a truncated file is refused here, so that a later read is never a SIGBUS.
 */
#ifndef STORAGE_DATASET_H
#define STORAGE_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"
#include "sim/layout.h"

struct dataset;

struct dataset_facts {
	const char *format; /* "shards" or "lmdb" */
	uint64_t examples;
	uint64_t blocks;
	uint64_t shards;
	uint64_t stored_bytes;	      /* payload as stored */
	uint64_t content_bytes;	      /* after decompression */
	uint64_t block_bytes_max;     /* largest stored block */
	uint64_t content_bytes_max;   /* largest block after decompression */
	bool direct;		      /* files are open with O_DIRECT */
	uint32_t alignment_bytes;     /* of offsets, lengths and buffers */
	const char *alignment_source; /* "statx", "fallback" or "buffered" */
};

/* Opens the folder `path`; `direct` asks for O_DIRECT and falls back to
 * buffered where the file system refuses (facts.direct tells). */
int dataset_open(struct dataset **out, const char *path, bool direct,
		 struct fault *fault) __attribute__((warn_unused_result));
void dataset_close(struct dataset *dataset);

const struct dataset_facts *dataset_facts(const struct dataset *dataset);

/* The layout for the engine, with the files' alignment; its tables are valid
 * while the dataset is open. */
struct layout dataset_layout(const struct dataset *dataset);

/* File descriptor that holds a shard, and its size. */
int dataset_fd(const struct dataset *dataset, uint32_t shard);
uint64_t dataset_file_bytes(const struct dataset *dataset, uint32_t shard);

/* One decompressor: private to a thread, made before the run. */
struct unpacker;
int unpacker_open(struct unpacker **out, const struct dataset *dataset);
void unpacker_close(struct unpacker *unpacker);

/* Decompresses a block from its stored bytes into the unpacker's own buffer,
 * checks sizes and checksum, and drops the content. *content_bytes gets the
 * size. -EBADMSG and a fault naming shard, block and first example when the
 * bytes are wrong. No allocation. */
int unpacker_check(struct unpacker *unpacker, uint64_t block,
		   const void *stored, size_t size, uint64_t *content_bytes,
		   struct fault *fault) __attribute__((warn_unused_result));

/* Reads everything back, checks every checksum and count. progress may be
 * NULL; returning false from it stops with -EINTR. */
int dataset_verify(const char *path,
		   bool (*progress)(void *context, uint64_t done_bytes,
				    uint64_t total_bytes),
		   void *context, struct dataset_facts *facts,
		   struct fault *fault) __attribute__((warn_unused_result));

#endif
