/* SPDX-License-Identifier: MIT */
/*
 * A dataset, opened for reading. A packed one is a folder with a manifest and
 *   shards: shard-*.zst (zstd seekable files, one frame per block) and
 *           catalogue/ (LMDB: block number -> place, sizes, checksums), or
 *   lmdb:   data.mdb (LMDB: example number -> a zstd frame or raw bytes).
 * One that others made is told by what is there:
 *   lmdb-environment: each value an example,
 *   zstd-seekable, zstd-frames: each frame an example,
 *   files: each file below a folder an example.
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
	const char *format; /* its name in the format table */
	const char *unit;   /* what is taken for an example in a dataset that
			       others made; NULL: packed, it is known */
	bool foreign;	    /* not packed by us: no catalogue of ours */
	bool opens_each;    /* more files than can be held open: each is
			       opened for its read */
	uint64_t left_out;  /* empty files, values or frames: no examples */
	uint64_t checked;   /* blocks whose checksum dataset_verify() checked */
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

/* Opens what is at `path`; `database` is the one by that name in an LMDB
 * environment, NULL otherwise. `direct` asks for O_DIRECT and falls back to
 * buffered where the file system refuses (facts.direct tells). */
int dataset_open(struct dataset **out, const char *path, const char *database,
		 bool direct, struct fault *fault)
	__attribute__((warn_unused_result));
void dataset_close(struct dataset *dataset);

/* Tells the names of the databases in an LMDB environment, each `length`
 * bytes; none where that cannot be seen. */
void dataset_databases(const char *path,
		       void (*tell)(void *context, const char *name,
				    size_t length),
		       void *context);

const struct dataset_facts *dataset_facts(const struct dataset *dataset);

/* The layout for the engine, with the files' alignment; its tables are valid
 * while the dataset is open. */
struct layout dataset_layout(const struct dataset *dataset);

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

/* Reads everything back, checks every checksum and count there is. progress
 * may be NULL; returning false from it stops with -EINTR. */
int dataset_verify(const char *path, const char *database,
		   bool (*progress)(void *context, uint64_t done_bytes,
				    uint64_t total_bytes),
		   void *context, struct dataset_facts *facts,
		   struct fault *fault) __attribute__((warn_unused_result));

#endif
