/* SPDX-License-Identifier: MIT */
/*
 * Dataset formats: how blocks lie in files. One row per format in one table,
 * a format is one file.
 *
 * A packed format knows how to write blocks and how to find them again;
 * manifest, catalogue, packing, checking and reading are common to all. A
 * foreign format is one that others write: it is recognised by what is there
 * (storage/dataset/place.h), and finds the blocks by itself
 * (storage/dataset/foreign.h).
 */
#ifndef STORAGE_FORMAT_H
#define STORAGE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"
#include "storage/dataset/catalogue.h"
#include "storage/dataset/dataset.h"
#include "storage/dataset/manifest.h"
#include "storage/dataset/names.h"
#include "storage/dataset/place.h"

/* One file of an open dataset. */
struct dataset_file {
	int fd;
	uint64_t bytes;
};

struct format;

struct dataset {
	const struct format *format;
	char *path;
	int folder;	      /* AT_FDCWD: it is a single file */
	bool direct;	      /* asked for; facts.direct is what came of it */
	const char *database; /* asked for, while it is opened; or NULL */
	struct manifest manifest;
	struct catalogue_tables tables;
	struct dataset_file *files; /* one per shard; NULL: opens_each */
	struct dataset_facts facts;
	struct names names; /* foreign: of the files, by shard */
	uint64_t room;	    /* foreign: for blocks in the tables */
	bool compressed;    /* a block is a zstd frame */
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

	/* Foreign: is it this one? Loads names, tables and counts. */
	const char *unit; /* what is taken for an example */
	bool (*detect)(const struct place *place);
	int (*load)(struct dataset *dataset, struct fault *fault);

	/* Packed. Name of the file that holds a shard. */
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
extern const struct format format_environment;
extern const struct format format_seekable;
extern const struct format format_frames;
extern const struct format format_files;

/* All formats, the default for packing first; ends with NULL. */
extern const struct format *const formats[];

/* The packed format of that name; NULL when there is none. */
const struct format *format_find(const char *name);

/* The foreign format of what is there; NULL and a fault that says what was
 * found, and what could be, when it is none. */
const struct format *format_detect(const struct place *place,
				   struct fault *fault);

/* Is it a name that a dataset of any format has at the top of its folder? */
bool format_owns(const char *name);

#endif
