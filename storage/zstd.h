/* SPDX-License-Identifier: MIT */
/*
 * Single zstd frames: what a block of a dataset is stored as. Every frame
 * that is written says its content size and carries a checksum, and a frame
 * without either is refused when read.
 *
 * Frames are decompressed in one piece straight into the caller's buffer, so
 * neither a window nor anything else is allocated on the say-so of a frame.
 */
#ifndef STORAGE_ZSTD_H
#define STORAGE_ZSTD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_LEVEL_MAX 19
/* What is wrong with a frame whose window is larger than that. */
#define FRAME_WINDOW_TOO_LARGE                                                 \
	"wants a window of more than 128 MiB to be unpacked; zstd with "       \
	"--long=27 or less writes one that is readable"
/* Seekable files may not hold more in one frame. */
#define FRAME_CONTENT_MAX ((uint64_t)1 << 30)

/* Bytes that a frame of that much content needs at most. */
size_t frame_bound(size_t content_bytes);

struct compressor;

/* level 1 .. FRAME_LEVEL_MAX. */
int compressor_open(struct compressor **out, int level);
void compressor_close(struct compressor *compressor);

/* Writes one frame to `to`, which has room for frame_bound(size). */
int compressor_run(struct compressor *compressor, const void *from, size_t size,
		   void *to, size_t capacity, size_t *stored)
	__attribute__((warn_unused_result));

struct decompressor;
int decompressor_open(struct decompressor **out);
void decompressor_close(struct decompressor *decompressor);

/*
 * Unpacks exactly one frame of exactly `content_bytes` whose checksum field is
 * the low half of `checksum`. Returns NULL, or what is wrong with the bytes.
 * No allocation.
 */
const char *decompressor_run(struct decompressor *decompressor,
			     const void *from, size_t size, void *to,
			     size_t content_bytes, uint64_t checksum)
	__attribute__((warn_unused_result));

/* The same for frames of other writers, with a checksum or without, which may
 * leave out their content size. */
const char *decompressor_run_any(struct decompressor *decompressor,
				 const void *from, size_t size, void *to,
				 size_t content_bytes)
	__attribute__((warn_unused_result));

/* Has a frame of at least 5 bytes a checksum, which unpacking it checks? */
bool frame_has_checksum(const uint8_t *frame);

/* Unpacks a frame that lies in an open file, through a window of at most 128
 * MiB, to see how much it holds; NULL, or what is wrong with it. */
const char *frame_measure(int fd, uint64_t offset_bytes, uint64_t stored_bytes,
			  uint64_t *content_bytes)
	__attribute__((warn_unused_result));

/* Unpacks frames of any size piece by piece: takes *used of the bytes, makes
 * *made, and says whether a frame has *ended with them, its checksum being
 * right; it then takes the first of the next. Returns NULL, or what is wrong
 * with the bytes. Allocates the window that a frame asks for, at most 128
 * MiB. */
const char *decompressor_stream(void *decompressor, const void *from,
				size_t size, size_t *used, void *to,
				size_t capacity, size_t *made, bool *ended)
	__attribute__((warn_unused_result));

#endif
