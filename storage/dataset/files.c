/* SPDX-License-Identifier: MIT */
#include "storage/dataset/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/dataset/format.h"
#include "storage/file.h"

int dataset_fd(const struct dataset *dataset, uint32_t shard)
{
	CHECK(shard < dataset->facts.shards);
	CHECK(dataset->files);
	return dataset->files[shard].fd;
}

int dataset_take_fd(const struct dataset *dataset, uint32_t shard)
{
	uint64_t bytes;

	if (!dataset->facts.opens_each)
		return dataset_fd(dataset, shard);
	return file_open(dataset->folder, names_at(&dataset->names, shard),
			 dataset->facts.direct ? O_DIRECT : 0, &bytes);
}

void dataset_release_fd(const struct dataset *dataset, int fd)
{
	if (dataset->facts.opens_each && fd >= 0)
		close(fd);
}

uint64_t dataset_file_bytes(const struct dataset *dataset, uint32_t shard)
{
	CHECK(shard < dataset->facts.shards);
	/* A file that is opened for its read is its only block. */
	return dataset->files ? dataset->files[shard].bytes :
				dataset->tables.entries[shard].stored_bytes;
}

const char *dataset_file_name(const struct dataset *dataset, uint32_t shard,
			      char name[DATASET_NAME_BYTES])
{
	char packed[FORMAT_NAME_BYTES];
	const char *file = packed;

	if (dataset->facts.foreign)
		file = names_at(&dataset->names, shard);
	else
		dataset->format->file_name(packed, shard);
	if (dataset->folder == AT_FDCWD)
		snprintf(name, DATASET_NAME_BYTES, "%s", dataset->path);
	else
		snprintf(name, DATASET_NAME_BYTES, "%s/%s", dataset->path,
			 file);
	return name;
}
