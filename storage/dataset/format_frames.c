/* SPDX-License-Identifier: MIT */
/*
 * The format `zstd-frames`: .zst files of frames one behind the other without
 * an index, as `zstd` and `cat` make them. A frame is a block and one example;
 * one without content is none. They are found by a walk from header to header
 * (storage/dataset/frames.h); a frame that does not say how much it holds is
 * unpacked once for that, through a bounded window.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "storage/dataset/files.h"
#include "storage/dataset/foreign.h"
#include "storage/dataset/frames.h"
#include "storage/zstd.h"

static bool detect(const struct place *place)
{
	return place->kind == PLACE_ZSTD;
}

static int refuse(const struct frames *frames, const struct frame_place *frame,
		  const char *what, struct fault *fault)
{
	fault_set(fault, NULL, 0, "%s: zstd frame at byte %llu: %s",
		  frames->name, (unsigned long long)frame->offset_bytes, what);
	return -EBADMSG;
}

static int add_frame(struct dataset *dataset, const struct frames *frames,
		     struct frame_place *frame, struct fault *fault)
{
	struct layout_entry place = { .offset_bytes = frame->offset_bytes };
	const char *what;

	if (frame->stored_bytes > frame_bound(FRAME_CONTENT_MAX))
		return refuse(frames, frame, "more than 1 GiB", fault);
	if (!frame->content_known) {
		what = frame_measure(frames->fd, frame->offset_bytes,
				     frame->stored_bytes,
				     &frame->content_bytes);
		if (what)
			return refuse(frames, frame, what, fault);
	}
	if (frame->content_bytes > FRAME_CONTENT_MAX)
		return refuse(frames, frame, "holds more than 1 GiB", fault);
	place.stored_bytes = (uint32_t)frame->stored_bytes;
	place.content_bytes = (uint32_t)frame->content_bytes;
	return foreign_add(dataset, &place, NULL, fault);
}

static int scan(struct dataset *dataset, uint64_t shard, int fd,
		struct fault *fault)
{
	char name[DATASET_NAME_BYTES];
	struct frame_place frame;
	struct frames *frames;
	int got;

	frames = malloc(sizeof(*frames));
	if (!frames)
		return -ENOMEM;
	frames_start(frames, fd, dataset->names.sizes[shard],
		     dataset_file_name(dataset, (uint32_t)shard, name));
	while ((got = frames_next(frames, &frame, fault)) > 0) {
		got = add_frame(dataset, frames, &frame, fault);
		if (got)
			break;
	}
	free(frames);
	return got;
}

static int load(struct dataset *dataset, struct fault *fault)
{
	dataset->compressed = true;
	return foreign_scan(dataset, scan, fault);
}

const struct format format_frames = {
	.name = "zstd-frames",
	.help = ".zst files",
	.unit = "frame",
	.detect = detect,
	.load = load,
};
