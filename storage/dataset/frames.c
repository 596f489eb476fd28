/* SPDX-License-Identifier: MIT */
#include "storage/dataset/frames.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "storage/bytes.h"
#include "storage/file.h"

#define MAGIC_FRAME 0xFD2FB528u
#define MAGIC_SKIPPABLE 0x184D2A50u
#define MAGIC_SKIPPABLE_MASK 0xFFFFFFF0u
#define SKIPPABLE_HEADER_BYTES 8u
/* Magic, descriptor, window, dictionary number, content size. */
#define HEADER_BYTES_MIN 6u
#define HEADER_BYTES_MAX 18u
#define DESCRIPTOR_SINGLE 0x20
#define DESCRIPTOR_RESERVED 0x08
#define DESCRIPTOR_CHECKSUM 0x04
#define DESCRIPTOR_DICTIONARY 0x03
#define BLOCK_HEADER_BYTES 3u
#define BLOCK_RLE 1u
#define BLOCK_RESERVED 3u
#define BLOCK_BYTES_MAX (128u << 10)
#define CHECKSUM_BYTES 4u

bool frames_recognise(const uint8_t head[FRAMES_HEAD_BYTES])
{
	uint32_t magic = bytes_get_le32(head);

	return magic == MAGIC_FRAME ||
	       (magic & MAGIC_SKIPPABLE_MASK) == MAGIC_SKIPPABLE;
}

void frames_start(struct frames *frames, int fd, uint64_t file_bytes,
		  const char *name)
{
	frames->fd = fd;
	frames->file_bytes = file_bytes;
	frames->name = name;
	frames->at_bytes = 0;
	frames->window_at_bytes = 0;
	frames->window_bytes = 0;
}

static int refuse(const struct frames *frames, uint64_t frame, const char *what,
		  struct fault *fault)
{
	fault_set(fault, NULL, 0, "%s: zstd frame at byte %" PRIu64 ": %s",
		  frames->name, frame, what);
	return -EBADMSG;
}

/* At most `size` bytes at a place: *got of them, fewer at the file's end. */
static int look(struct frames *frames, uint64_t at, uint32_t size,
		const uint8_t **bytes, uint32_t *got, struct fault *fault)
{
	uint64_t left = at < frames->file_bytes ? frames->file_bytes - at : 0;
	uint64_t end = frames->window_at_bytes + frames->window_bytes;
	uint32_t fill = FRAMES_WINDOW_BYTES;
	int error;

	*got = left < size ? (uint32_t)left : size;
	if (at < frames->window_at_bytes || at + *got > end) {
		if (left < fill)
			fill = (uint32_t)left;
		frames->window_bytes = 0;
		error = file_read_at(frames->fd, frames->window, fill, at);
		if (error) {
			fault_set(fault, NULL, 0, "%s: cannot be read: %s",
				  frames->name, strerror(-error));
			return error;
		}
		frames->window_at_bytes = at;
		frames->window_bytes = fill;
	}
	*bytes = frames->window + (at - frames->window_at_bytes);
	return 0;
}

/* Reads the header of a frame; returns its size, 0 when it is none. */
static uint32_t read_header(const uint8_t *bytes, uint32_t got,
			    struct frame_place *place)
{
	static const uint8_t dictionary_bytes[] = { 0, 1, 2, 4 };
	static const uint8_t content_bytes[] = { 0, 2, 4, 8 };
	uint8_t descriptor = bytes[4];
	bool single = descriptor & DESCRIPTOR_SINGLE;
	uint32_t size = (single ? 5u : 6u) +
			dictionary_bytes[descriptor & DESCRIPTOR_DICTIONARY];
	uint32_t field = content_bytes[descriptor >> 6];

	if (single && !field)
		field = 1;
	if (descriptor & DESCRIPTOR_RESERVED || size + field > got)
		return 0;
	place->has_checksum = descriptor & DESCRIPTOR_CHECKSUM;
	place->content_known = field > 0;
	place->content_bytes = 0;
	for (uint32_t index = 0; index < field; index++)
		place->content_bytes |= (uint64_t)bytes[size + index]
					<< index * 8;
	if (field == 2)
		place->content_bytes += 256;
	return size + field;
}

/* From the first block's header to behind the last block. */
static int pass_blocks(struct frames *frames, uint64_t frame, uint64_t *at,
		       struct fault *fault)
{
	const uint8_t *bytes;
	uint32_t header = 0;
	uint32_t got;
	int error;

	while (!(header & 1)) {
		uint32_t size;

		error = look(frames, *at, BLOCK_HEADER_BYTES, &bytes, &got,
			     fault);
		if (error)
			return error;
		if (got < BLOCK_HEADER_BYTES)
			return refuse(frames, frame,
				      "the file ends before it does", fault);
		header = bytes[0] | (uint32_t)bytes[1] << 8 |
			 (uint32_t)bytes[2] << 16;
		size = header >> 3;
		if ((header >> 1 & 3) == BLOCK_RESERVED ||
		    size > BLOCK_BYTES_MAX)
			return refuse(frames, frame,
				      "no block where one "
				      "should be",
				      fault);
		*at += BLOCK_HEADER_BYTES;
		*at += (header >> 1 & 3) == BLOCK_RLE ? 1 : size;
	}
	return 0;
}

static int pass_frame(struct frames *frames, const uint8_t *bytes, uint32_t got,
		      struct frame_place *place, struct fault *fault)
{
	uint64_t frame = frames->at_bytes;
	uint64_t at = frame;
	uint32_t header;
	int error;

	if (got < HEADER_BYTES_MIN)
		return refuse(frames, frame, "the file ends before it does",
			      fault);
	if (bytes[4] & DESCRIPTOR_DICTIONARY)
		return refuse(frames, frame,
			      "wants a dictionary, which is not at hand",
			      fault);
	header = read_header(bytes, got, place);
	if (!header)
		return refuse(frames, frame, "its header is damaged", fault);
	at += header;
	error = pass_blocks(frames, frame, &at, fault);
	if (error)
		return error;
	if (place->has_checksum)
		at += CHECKSUM_BYTES;
	if (at > frames->file_bytes)
		return refuse(frames, frame, "the file ends before it does",
			      fault);
	place->offset_bytes = frame;
	place->stored_bytes = at - frame;
	frames->at_bytes = at;
	return 1;
}

static int skip_frame(struct frames *frames, const uint8_t *bytes, uint32_t got,
		      struct fault *fault)
{
	uint64_t at = frames->at_bytes + SKIPPABLE_HEADER_BYTES;

	if (got >= SKIPPABLE_HEADER_BYTES)
		at += bytes_get_le32(bytes + 4);
	if (got < SKIPPABLE_HEADER_BYTES || at > frames->file_bytes)
		return refuse(frames, frames->at_bytes,
			      "the file ends before it does", fault);
	frames->at_bytes = at;
	return 0;
}

int frames_next(struct frames *frames, struct frame_place *place,
		struct fault *fault)
{
	const uint8_t *bytes;
	uint32_t got;
	int error;

	while (frames->at_bytes < frames->file_bytes) {
		error = look(frames, frames->at_bytes, HEADER_BYTES_MAX, &bytes,
			     &got, fault);
		if (error)
			return error;
		if (got < FRAMES_HEAD_BYTES || !frames_recognise(bytes))
			return refuse(frames, frames->at_bytes, "there is none",
				      fault);
		if (bytes_get_le32(bytes) == MAGIC_FRAME)
			return pass_frame(frames, bytes, got, place, fault);
		error = skip_frame(frames, bytes, got, fault);
		if (error)
			return error;
	}
	return 0;
}
