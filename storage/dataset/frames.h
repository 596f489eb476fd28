/* SPDX-License-Identifier: MIT */
/*
 * Where the frames of a zstd file lie, found from the first byte to the last
 * without an index and without unpacking: a frame's header says what follows,
 * then each block of it says its size (RFC 8878). Memory is one window of
 * 64 KiB, whatever a frame claims.
 *
 *   u32 0xFD2FB528 | descriptor | window, dictionary, content size: as it says
 *   per block u24: bit 0 the last one, bits 1-2 its kind, the rest its size
 *   u32 checksum if the descriptor says so
 *
 * Skippable frames (u32 0x184D2A50 to 0x184D2A5F | u32 size) are passed over.
 */
#ifndef STORAGE_FRAMES_H
#define STORAGE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fault.h"

/* Bytes that tell a zstd file from others, at its very start. */
#define FRAMES_HEAD_BYTES 4
bool frames_recognise(const uint8_t head[FRAMES_HEAD_BYTES])
	__attribute__((warn_unused_result));

#define FRAMES_WINDOW_BYTES 65536u

/* A walk through a file that is open. */
struct frames {
	int fd;
	uint64_t file_bytes;
	const char *name; /* for faults */
	uint64_t at_bytes;
	uint64_t window_at_bytes;
	uint32_t window_bytes;
	uint8_t window[FRAMES_WINDOW_BYTES];
};

struct frame_place {
	uint64_t offset_bytes;
	uint64_t stored_bytes;
	bool content_known; /* its size; not all writers say it */
	uint64_t content_bytes;
	bool has_checksum;
};

void frames_start(struct frames *frames, int fd, uint64_t file_bytes,
		  const char *name);

/* The next frame: 1, or 0 at the end of the file, or negative errno:
 * -EBADMSG for what is no frame, or ends before it is whole. */
int frames_next(struct frames *frames, struct frame_place *place,
		struct fault *fault) __attribute__((warn_unused_result));

#endif
