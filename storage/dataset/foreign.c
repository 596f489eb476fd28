/* SPDX-License-Identifier: MIT */
#include "storage/dataset/foreign.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "storage/dataset/files.h"
#include "storage/file.h"
#include "storage/zstd.h"

#define ROOM_FIRST 1024u

int foreign_start(struct dataset *dataset)
{
	struct catalogue_tables *tables = &dataset->tables;

	snprintf(dataset->manifest.format, sizeof(dataset->manifest.format),
		 "%s", dataset->format->name);
	tables->shard_first_block = calloc(dataset->names.count + 1,
					   sizeof(*tables->shard_first_block));
	return tables->shard_first_block ? 0 : -ENOMEM;
}

static int grow(struct dataset *dataset)
{
	struct catalogue_tables *tables = &dataset->tables;
	uint64_t room = dataset->room * 2 + ROOM_FIRST;
	void *grown;

	grown = realloc(tables->entries, room * sizeof(*tables->entries));
	if (!grown)
		return -ENOMEM;
	tables->entries = grown;
	if (tables->checksums) {
		grown = realloc(tables->checksums,
				room * sizeof(*tables->checksums));
		if (!grown)
			return -ENOMEM;
		tables->checksums = grown;
	}
	dataset->room = room;
	return 0;
}

/* Blocks before the first with a checksum have none. */
static int make_room(struct dataset *dataset, bool checksum)
{
	struct catalogue_tables *tables = &dataset->tables;
	int error = 0;

	if (dataset->manifest.blocks == dataset->room)
		error = grow(dataset);
	if (!error && checksum && !tables->checksums) {
		tables->checksums =
			calloc(dataset->room, sizeof(*tables->checksums));
		error = tables->checksums ? 0 : -ENOMEM;
	}
	return error;
}

static int refuse(const struct dataset *dataset, const char *what,
		  struct fault *fault)
{
	char name[DATASET_NAME_BYTES];

	fault_set(fault, NULL, 0, "%s: %s",
		  dataset_file_name(dataset, (uint32_t)dataset->manifest.shards,
				    name),
		  what);
	return -EBADMSG;
}

int foreign_add(struct dataset *dataset, const struct layout_entry *place,
		const uint32_t *checksum, struct fault *fault)
{
	struct manifest *manifest = &dataset->manifest;
	struct layout_entry *entry;
	int error;

	if (!place->content_bytes) {
		dataset->facts.left_out++;
		return 0;
	}
	if (place->content_bytes > FRAME_CONTENT_MAX)
		return refuse(dataset, "an example of more than 1 GiB", fault);
	if (manifest->blocks == DATASET_BLOCKS_MAX)
		return refuse(dataset, "more than 200 million examples", fault);
	error = make_room(dataset, checksum);
	if (error)
		return error;
	entry = &dataset->tables.entries[manifest->blocks];
	*entry = *place;
	entry->first_example = manifest->examples;
	if (dataset->tables.checksums)
		dataset->tables.checksums[manifest->blocks] =
			checksum ? FOREIGN_CHECKSUM | *checksum : 0;
	manifest->blocks++;
	manifest->examples++;
	manifest->stored_bytes += place->stored_bytes;
	manifest->content_bytes += place->content_bytes;
	return 0;
}

int foreign_end_shard(struct dataset *dataset, struct fault *fault)
{
	struct manifest *manifest = &dataset->manifest;
	uint64_t *first = dataset->tables.shard_first_block;

	if (manifest->blocks == first[manifest->shards])
		return refuse(dataset, "there is no example in it", fault);
	first[++manifest->shards] = manifest->blocks;
	return 0;
}

int foreign_open(const struct dataset *dataset, uint64_t shard,
		 struct fault *fault)
{
	char name[DATASET_NAME_BYTES];
	uint64_t bytes;
	int fd;

	fd = file_open(dataset->folder, names_at(&dataset->names, shard), 0,
		       &bytes);
	if (fd < 0) {
		fault_set(fault, NULL, 0, "%s: cannot be opened: %s",
			  dataset_file_name(dataset, (uint32_t)shard, name),
			  strerror(-fd));
		return fd;
	}
	if (bytes == dataset->names.sizes[shard])
		return fd;
	close(fd);
	fault_set(fault, NULL, 0,
		  "%s: has %" PRIu64 " bytes, a moment ago it had %" PRIu64,
		  dataset_file_name(dataset, (uint32_t)shard, name), bytes,
		  dataset->names.sizes[shard]);
	return -EBADMSG;
}

int foreign_scan(struct dataset *dataset,
		 int (*scan)(struct dataset *dataset, uint64_t shard, int fd,
			     struct fault *fault),
		 struct fault *fault)
{
	int error;

	error = foreign_start(dataset);
	for (uint64_t shard = 0; shard < dataset->names.count && !error;
	     shard++) {
		int fd = foreign_open(dataset, shard, fault);

		if (fd < 0)
			return fd;
		error = scan(dataset, shard, fd, fault);
		close(fd);
		if (!error)
			error = foreign_end_shard(dataset, fault);
	}
	return error;
}
