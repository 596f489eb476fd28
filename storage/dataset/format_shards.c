/* SPDX-License-Identifier: MIT */
/*
 * The format `shards`: shard-00000.zst, shard-00001.zst, ...: zstd seekable
 * files of one frame per block. The catalogue has the same sizes and
 * checksums; the seek table is there for everybody else's tools.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/file.h"
#include "storage/dataset/format.h"
#include "storage/dataset/seekable.h"

#define BUFFER_BYTES ((size_t)1 << 20)
/* Bounds the seek table that is gathered while a shard is written. */
#define SHARD_BLOCKS_MAX 1000000u

struct writer {
	struct writer_options options;
	FILE *file;
	uint32_t shard; /* being written, or next */
	uint64_t offset_bytes;
	uint64_t examples; /* in this shard */
	uint32_t blocks;
	uint32_t room;
	struct seekable_entry *entries;
};

static void file_name(char name[FORMAT_NAME_BYTES], uint32_t shard)
{
	snprintf(name, FORMAT_NAME_BYTES, "shard-%05" PRIu32 ".zst", shard);
}

/* The seek table says the same as the catalogue? */
static bool same_blocks(const struct seekable *seekable,
			const struct dataset *dataset, uint64_t first)
{
	for (uint32_t index = 0; index < seekable->frames; index++) {
		struct seekable_entry entry = seekable_entry(seekable, index);
		const struct layout_entry *block =
			&dataset->tables.entries[first + index];
		uint64_t checksum = dataset->tables.checksums[first + index];

		if (entry.stored_bytes != block->stored_bytes ||
		    entry.content_bytes != block->content_bytes ||
		    entry.checksum != (uint32_t)checksum)
			return false;
	}
	return true;
}

static int check_table(struct dataset *dataset, uint32_t shard,
		       const uint8_t *table, uint64_t size, uint64_t file_bytes,
		       struct fault *fault)
{
	uint64_t first = dataset->tables.shard_first_block[shard];
	uint64_t end = dataset->tables.shard_first_block[shard + 1];
	struct fault detail = { 0 };
	struct seekable seekable;
	char name[FORMAT_NAME_BYTES];
	int error;

	file_name(name, shard);
	error = seekable_parse(&seekable, table, size, file_bytes, &detail);
	if (error) {
		fault_set(fault, NULL, 0, "%s/%s: %.200s", dataset->path, name,
			  detail.text);
		return error;
	}
	if (seekable.frames == end - first &&
	    same_blocks(&seekable, dataset, first))
		return 0;
	fault_set(fault, NULL, 0,
		  "%s/%s: its seek table does not say what the catalogue says",
		  dataset->path, name);
	return -EBADMSG;
}

/* Blocks follow one another from the start of the file; *end is where. */
static int check_places(const struct dataset *dataset, uint32_t shard,
			uint64_t *end, struct fault *fault)
{
	const uint64_t *first = &dataset->tables.shard_first_block[shard];

	*end = 0;
	for (uint64_t block = first[0]; block < first[1]; block++) {
		const struct layout_entry *entry =
			&dataset->tables.entries[block];

		if (entry->offset_bytes != *end) {
			fault_set(fault, NULL, 0,
				  "%s: catalogue: block %" PRIu64
				  " is at byte %" PRIu64 " of shard %" PRIu32
				  ", not behind the block before it",
				  dataset->path, block, entry->offset_bytes,
				  shard);
			return -EBADMSG;
		}
		*end += entry->stored_bytes;
	}
	return 0;
}

static int check(struct dataset *dataset, uint32_t shard, int fd,
		 uint64_t file_bytes, struct fault *fault)
{
	const uint64_t *first = &dataset->tables.shard_first_block[shard];
	uint64_t frames = first[1] - first[0];
	uint64_t payload;
	uint64_t size;
	uint8_t *table;
	int error;

	error = check_places(dataset, shard, &payload, fault);
	if (error)
		return error;
	if (frames > SEEKABLE_FRAMES_MAX)
		return -EBADMSG;
	size = seekable_table_bytes((uint32_t)frames);
	if (payload + size != file_bytes) {
		char name[FORMAT_NAME_BYTES];

		file_name(name, shard);
		fault_set(fault, NULL, 0,
			  "%s/%s: has %" PRIu64
			  " bytes, the catalogue says %" PRIu64,
			  dataset->path, name, file_bytes, payload + size);
		return -EBADMSG;
	}
	table = malloc(size);
	if (!table)
		return -ENOMEM;
	error = file_read_at(fd, table, size, payload);
	if (!error)
		error = check_table(dataset, shard, table, size, file_bytes,
				    fault);
	free(table);
	return error;
}

static int refuse(struct writer *writer, int error, struct fault *fault)
{
	char name[FORMAT_NAME_BYTES];

	file_name(name, writer->shard);
	fault_set(fault, NULL, 0, "%s: cannot be written: %s", name,
		  strerror(-error));
	return error;
}

static int create(struct writer **out, const struct writer_options *options,
		  struct fault *fault)
{
	struct writer *writer;

	(void)fault;
	writer = calloc(1, sizeof(*writer));
	if (!writer)
		return -ENOMEM;
	writer->options = *options;
	*out = writer;
	return 0;
}

static int start_shard(struct writer *writer, struct fault *fault)
{
	char name[FORMAT_NAME_BYTES];
	char *path;

	if (writer->shard == DATASET_SHARDS_MAX) {
		fault_set(fault, NULL, 0,
			  "more than %u shards; a shard must hold more "
			  "examples",
			  DATASET_SHARDS_MAX);
		return -EINVAL;
	}
	file_name(name, writer->shard);
	path = file_path(writer->options.folder, name);
	if (!path)
		return -ENOMEM;
	writer->file = fopen(path, "wxe");
	free(path);
	if (!writer->file)
		return refuse(writer, -errno, fault);
	if (setvbuf(writer->file, NULL, _IOFBF, BUFFER_BYTES) != 0)
		return refuse(writer, -ENOMEM, fault);
	return 0;
}

static int put(struct writer *writer, const void *data, size_t size,
	       struct fault *fault)
{
	errno = 0;
	if (fwrite(data, 1, size, writer->file) != size)
		return refuse(writer, errno ? -errno : -EIO, fault);
	return 0;
}

static int put_table(struct writer *writer, struct fault *fault)
{
	size_t size = seekable_table_bytes(writer->blocks);
	uint8_t *table;
	int error;

	table = malloc(size);
	if (!table)
		return -ENOMEM;
	seekable_write(table, writer->entries, writer->blocks);
	error = put(writer, table, size, fault);
	free(table);
	return error;
}

static int end_shard(struct writer *writer, struct fault *fault)
{
	FILE *file = writer->file;
	int error;

	error = put_table(writer, fault);
	if (error)
		return error;
	if (fflush(file) != 0 || fsync(fileno(file)) != 0)
		return refuse(writer, -errno, fault);
	writer->file = NULL;
	if (fclose(file) != 0)
		return refuse(writer, -errno, fault);
	writer->shard++;
	writer->offset_bytes = 0;
	writer->examples = 0;
	writer->blocks = 0;
	return 0;
}

static bool is_full(const struct writer *writer)
{
	if (writer->options.shard_examples)
		return writer->examples >= writer->options.shard_examples;
	return writer->offset_bytes >= writer->options.shard_bytes ||
	       writer->blocks == SHARD_BLOCKS_MAX;
}

static int note_entry(struct writer *writer,
		      const struct catalogue_record *record,
		      struct fault *fault)
{
	if (writer->blocks == SHARD_BLOCKS_MAX) {
		fault_set(fault, NULL, 0,
			  "more than %u blocks in a shard; blocks must be "
			  "larger or shards smaller",
			  SHARD_BLOCKS_MAX);
		return -EINVAL;
	}
	if (writer->blocks == writer->room) {
		uint32_t room = writer->room ? writer->room * 2 : 1024;
		void *entries = realloc(writer->entries,
					room * sizeof(*writer->entries));

		if (!entries)
			return -ENOMEM;
		writer->entries = entries;
		writer->room = room;
	}
	writer->entries[writer->blocks++] = (struct seekable_entry){
		.stored_bytes = record->stored_bytes,
		.content_bytes = record->content_bytes,
		.checksum = (uint32_t)record->checksum,
	};
	return 0;
}

static int write_block(struct writer *writer, struct packed_block *block,
		       struct fault *fault)
{
	struct catalogue_record *record = &block->record;
	int error = 0;

	if (writer->file && is_full(writer))
		error = end_shard(writer, fault);
	if (!error && !writer->file)
		error = start_shard(writer, fault);
	if (!error)
		error = note_entry(writer, record, fault);
	if (!error)
		error = put(writer, block->stored, record->stored_bytes, fault);
	if (error)
		return error;
	record->shard = writer->shard;
	record->offset_bytes = writer->offset_bytes;
	writer->offset_bytes += record->stored_bytes;
	writer->examples += record->examples;
	return catalogue_append(writer->options.catalogue, record,
				block->lengths, fault);
}

static int finish(struct writer *writer, uint64_t *shards, struct fault *fault)
{
	int error = 0;

	if (writer->file)
		error = end_shard(writer, fault);
	*shards = writer->shard;
	return error;
}

static void close_writer(struct writer *writer)
{
	if (!writer)
		return;
	if (writer->file)
		fclose(writer->file);
	free(writer->entries);
	free(writer);
}

const struct format format_shards = {
	.name = "shards",
	.help = "zstd seekable shards of blocks, with an LMDB catalogue",
	.level_min = 1,
	.file_name = file_name,
	.check = check,
	.create = create,
	.write = write_block,
	.finish = finish,
	.close = close_writer,
};
