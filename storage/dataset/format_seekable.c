/* SPDX-License-Identifier: MIT */
/*
 * The format `zstd-seekable`: files of frames with a seek table behind them,
 * by whatever writer. A frame is a block and one example; one without content
 * is none. Where the table has checksums they are checked.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "storage/dataset/files.h"
#include "storage/file.h"
#include "storage/dataset/foreign.h"
#include "storage/dataset/seekable.h"

static bool detect(const struct place *place)
{
	return place->kind == PLACE_ZSTD && place->seekable;
}

static int add_frames(struct dataset *dataset, const struct seekable *seekable,
		      struct fault *fault)
{
	uint64_t offset_bytes = 0;
	int error = 0;

	for (uint32_t index = 0; index < seekable->frames && !error; index++) {
		struct seekable_entry entry = seekable_entry(seekable, index);
		struct layout_entry place = {
			.offset_bytes = offset_bytes,
			.stored_bytes = entry.stored_bytes,
			.content_bytes = entry.content_bytes,
		};

		error = foreign_add(dataset, &place,
				    seekable->has_checksums ? &entry.checksum :
							      NULL,
				    fault);
		offset_bytes += entry.stored_bytes;
	}
	return error;
}

static int parse(struct dataset *dataset, uint64_t shard, const uint8_t *table,
		 uint64_t size, struct fault *fault)
{
	struct fault detail = { 0 };
	char name[DATASET_NAME_BYTES];
	struct seekable seekable;
	int error;

	error = seekable_parse(&seekable, table, size,
			       dataset->names.sizes[shard], &detail);
	if (!error)
		return add_frames(dataset, &seekable, fault);
	fault_set(fault, NULL, 0, "%s: %.200s",
		  dataset_file_name(dataset, (uint32_t)shard, name),
		  detail.text);
	return error;
}

static int scan(struct dataset *dataset, uint64_t shard, int fd,
		struct fault *fault)
{
	uint64_t file_bytes = dataset->names.sizes[shard];
	uint8_t footer[SEEKABLE_FOOTER_BYTES];
	uint64_t size;
	uint8_t *table;
	int error;

	error = file_read_at(fd, footer, sizeof(footer),
			     file_bytes - sizeof(footer));
	size = error ? 0 : seekable_find(footer, file_bytes);
	if (!size)
		return error ? error : -EBADMSG;
	table = malloc(size);
	if (!table)
		return -ENOMEM;
	error = file_read_at(fd, table, size, file_bytes - size);
	if (!error)
		error = parse(dataset, shard, table, size, fault);
	free(table);
	return error;
}

static int load(struct dataset *dataset, struct fault *fault)
{
	dataset->compressed = true;
	return foreign_scan(dataset, scan, fault);
}

const struct format format_seekable = {
	.name = "zstd-seekable",
	.help = "zstd seekable files",
	.unit = "frame",
	.detect = detect,
	.load = load,
};
