/* SPDX-License-Identifier: MIT */
/*
 * The format `lmdb`: data.mdb in the folder itself, one value per example,
 * which is its block: a zstd frame, or the bytes as they are at level 0.
 *
 * Where a value lies in the file is asked of LMDB when the dataset is opened;
 * the map is closed again before anything is read. Small values lie inside
 * the tree's pages, in no particular order within a page, large ones on pages
 * of their own.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "storage/dataset/format.h"
#include "storage/lmdb.h"

struct writer {
	struct store *store;
	struct catalogue *catalogue;
};

static void file_name(char name[FORMAT_NAME_BYTES], uint32_t shard)
{
	(void)shard;
	snprintf(name, FORMAT_NAME_BYTES, "%s", STORE_DATA_NAME);
}

static int find_values(struct dataset *dataset, struct store *store,
		       struct fault *fault)
{
	struct store_value value;
	uint64_t block = 0;
	int got;

	while ((got = store_next(store, &value, fault)) > 0) {
		struct layout_entry *entry = &dataset->tables.entries[block];

		if (entry->stored_bytes != value.size) {
			fault_set(fault, NULL, 0,
				  "%s/" STORE_DATA_NAME ": example %" PRIu64
				  " has %zu bytes, the catalogue says %" PRIu32,
				  dataset->path, block, value.size,
				  entry->stored_bytes);
			return -EBADMSG;
		}
		entry->offset_bytes = value.offset_bytes;
		block++;
	}
	return got;
}

static int check(struct dataset *dataset, uint32_t shard, int fd,
		 uint64_t file_bytes, struct fault *fault)
{
	struct store *store;
	int error;

	(void)shard;
	(void)fd;
	(void)file_bytes;
	if (dataset->manifest.shards != 1 ||
	    dataset->manifest.blocks != dataset->manifest.examples) {
		fault_set(fault, NULL, 0,
			  "%s/" MANIFEST_NAME
			  ": the format lmdb has one shard and one block for "
			  "each example",
			  dataset->path);
		return -EBADMSG;
	}
	error = store_open(&store, dataset->path, fault);
	if (error)
		return error;
	if (store_count(store) == dataset->manifest.examples) {
		error = find_values(dataset, store, fault);
	} else {
		fault_set(fault, NULL, 0,
			  "%s/" STORE_DATA_NAME ": has %" PRIu64
			  " examples, the catalogue says %" PRIu64,
			  dataset->path, store_count(store),
			  dataset->manifest.examples);
		error = -EBADMSG;
	}
	store_close(store);
	return error;
}

static int create(struct writer **out, const struct writer_options *options,
		  struct fault *fault)
{
	struct writer *writer;
	int error;

	writer = calloc(1, sizeof(*writer));
	if (!writer)
		return -ENOMEM;
	writer->catalogue = options->catalogue;
	error = store_create(&writer->store, options->folder,
			     options->bytes_max, fault);
	if (error) {
		free(writer);
		return error;
	}
	*out = writer;
	return 0;
}

static int write_block(struct writer *writer, struct packed_block *block,
		       struct fault *fault)
{
	int error;

	error = store_append(writer->store, block->stored,
			     block->record.stored_bytes, fault);
	if (error)
		return error;
	block->record.shard = 0;
	block->record.offset_bytes = 0;
	return catalogue_append(writer->catalogue, &block->record,
				block->lengths, fault);
}

static int finish(struct writer *writer, uint64_t *shards, struct fault *fault)
{
	*shards = 1;
	return store_finish(writer->store, fault);
}

static void close_writer(struct writer *writer)
{
	if (!writer)
		return;
	store_close(writer->store);
	free(writer);
}

const struct format format_lmdb = {
	.name = "lmdb",
	.help = "one LMDB file, one value per example: zstd, or raw at level 0",
	.level_min = 0,
	.one_example_per_block = true,
	.file_name = file_name,
	.check = check,
	.create = create,
	.write = write_block,
	.finish = finish,
	.close = close_writer,
};
