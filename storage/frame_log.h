/* SPDX-License-Identifier: MIT */
/*
 * A file of zstd frames, each with a checksum, that grows while something
 * runs. The owner copies bytes into one of a ring of buffers; a thread of its
 * own compresses each full one into a frame and appends it. So the owner
 * neither allocates nor makes a system call but to wake the thread once for a
 * buffer, and waits only when the whole ring is full. `zstd -d` reads the
 * file, and after a crash at any moment all frames but the last are whole.
 */
#ifndef STORAGE_FRAME_LOG_H
#define STORAGE_FRAME_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"

/* Content of a frame at most. */
#define FRAME_LOG_BUFFER_BYTES ((size_t)256 << 10)

struct frame_log;

/* Makes the file, or empties it. A buffer is handed over when it is full, or
 * when a byte comes `flush_ns` or more after its first; 0: only when full. */
int frame_log_create(struct frame_log **out, const char *path, int64_t flush_ns,
		     struct fault *fault) __attribute__((warn_unused_result));

/* Room for `size` bytes, at most FRAME_LOG_BUFFER_BYTES, that the caller fills
 * before the next call; they stand in one frame. */
unsigned char *frame_log_room(struct frame_log *frames, size_t size,
			      int64_t now_ns);

/* Hands over what there is. */
void frame_log_flush(struct frame_log *frames);

/* How often the owner had to wait for the thread. */
uint64_t frame_log_waits(const struct frame_log *frames);

/* Hands over the rest, waits until all is in the file and the file on its
 * device, and frees everything. The first error of all the writing. */
int frame_log_close(struct frame_log *frames, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
