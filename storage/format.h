/* SPDX-License-Identifier: MIT */
/*
 * Dataset formats: how blocks lie in files. One row per format in one table;
 * a format is one file that knows how to write blocks and how to find them
 * again. Manifest, catalogue, packing, checking and reading are common to
 * all.
 */
#ifndef STORAGE_FORMAT_H
#define STORAGE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"
#include "storage/catalogue.h"
#include "storage/dataset.h"
#include "storage/manifest.h"

/* One file of an open dataset. */
struct dataset_file {
	int fd;
	uint64_t bytes;
};

struct format;

struct dataset {
	const struct format *format;
	char *path;
	int folder;
	bool direct; /* asked for; facts.direct is what came of it */
	struct manifest manifest;
	struct catalogue_tables tables;
	struct dataset_file *files; /* one per shard */
	struct dataset_facts facts;
};

/* A block on its way to its file. The buffers belong to the packer. */
struct packed_block {
	const void *stored;
	const uint32_t *lengths;	/* of the examples' contents */
	struct catalogue_record record; /* place filled in by the format */
};

struct writer;

struct writer_options {
	const char *folder; /* exists, is empty */
	struct catalogue *catalogue;
	uint64_t shard_examples; /* 0: by size */
	uint64_t shard_bytes;	 /* the size */
	uint64_t bytes_max;	 /* bounds each file */
};

#define FORMAT_NAME_BYTES 24

struct format {
	const char *name;
	const char *help;
	int level_min;		    /* of zstd; 0 stores raw bytes */
	bool one_example_per_block; /* block_bytes does not apply */
	/* Name of the file that holds a shard. */
	void (*file_name)(char name[FORMAT_NAME_BYTES], uint32_t shard);

	/* Checks the shard's file, open without O_DIRECT, against the
	 * dataset's tables, and completes their offsets. */
	int (*check)(struct dataset *dataset, uint32_t shard, int fd,
		     uint64_t file_bytes, struct fault *fault);

	int (*create)(struct writer **out, const struct writer_options *options,
		      struct fault *fault);
	/* Writes the next block and its catalogue record. */
	int (*write)(struct writer *writer, struct packed_block *block,
		     struct fault *fault);
	/* Makes everything durable; *shards is how many there are. */
	int (*finish)(struct writer *writer, uint64_t *shards,
		      struct fault *fault);
	void (*close)(struct writer *writer);
};

extern const struct format format_shards;
extern const struct format format_lmdb;

/* All formats, the default first; ends with NULL. */
extern const struct format *const formats[];

/* NULL when there is none of that name. */
const struct format *format_find(const char *name);

/* Is it a name that a dataset of any format has at the top of its folder? */
bool format_owns(const char *name);

#endif
