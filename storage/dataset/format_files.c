/* SPDX-License-Identifier: MIT */
/*
 * The format `files`: a folder of files as they are, each an example and a
 * shard of its own, in the order of their paths. There may be a million of
 * them, so each is opened when it is read and closed again behind it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "storage/dataset/foreign.h"
#include "storage/zstd.h"

static bool detect(const struct place *place)
{
	return place->kind == PLACE_FILES;
}

static int load(struct dataset *dataset, struct fault *fault)
{
	struct names *names = &dataset->names;
	int error;

	dataset->facts.opens_each = true;
	dataset->facts.left_out = names_drop_empty(names);
	if (names->count == 0) {
		fault_set(fault, NULL, 0, "%s: all files are empty",
			  dataset->path);
		return -EINVAL;
	}
	error = foreign_start(dataset);
	for (uint64_t shard = 0; shard < names->count && !error; shard++) {
		uint64_t bytes = names->sizes[shard];
		struct layout_entry place = {
			.stored_bytes = (uint32_t)bytes,
			.content_bytes = (uint32_t)bytes,
		};

		if (bytes > FRAME_CONTENT_MAX) {
			fault_set(fault, NULL, 0,
				  "%s/%.200s: has %" PRIu64
				  " bytes; an example can have at most 1 GiB",
				  dataset->path, names_at(names, shard), bytes);
			return -EINVAL;
		}
		error = foreign_add(dataset, &place, NULL, fault);
		if (!error)
			error = foreign_end_shard(dataset, fault);
	}
	return error;
}

const struct format format_files = {
	.name = "files",
	.help = "a folder of files",
	.unit = "file",
	.detect = detect,
	.load = load,
};
