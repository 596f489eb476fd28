/* SPDX-License-Identifier: MIT */
/*
 * A file of zstd frames without an index, from hostile bytes: frames that are
 * found lie one behind the other inside the file; measured and unpacked, they
 * stay within what they were measured to hold.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/dataset/frames.h"
#include "storage/zstd.h"

#define CONTENT_MAX (1u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void unpack(int fd, const uint8_t *bytes,
		   const struct frame_place *place)
{
	struct decompressor *decompressor;
	uint64_t measured;
	uint8_t *content;

	if (frame_measure(fd, place->offset_bytes, place->stored_bytes,
			  &measured))
		return;
	if (measured > CONTENT_MAX)
		return;
	content = malloc(measured ? measured : 1);
	CHECK(content);
	CHECK(!decompressor_open(&decompressor));
	/* zstd lets a stream end with an empty block that it refuses in a
	 * frame as a whole; whichever it is, it stays in its bounds. */
	(void)!decompressor_run_any(decompressor, bytes + place->offset_bytes,
				    place->stored_bytes, content, measured);
	decompressor_close(decompressor);
	free(content);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct frames frames;
	struct frame_place place;
	struct fault fault = { 0 };
	uint64_t end = 0;
	int got;
	int fd;

	fd = memfd_create("frames", MFD_CLOEXEC);
	CHECK(fd >= 0);
	CHECK(write(fd, bytes, size) == (ssize_t)size);
	frames_start(&frames, fd, size, "fuzz");
	while ((got = frames_next(&frames, &place, &fault)) > 0) {
		CHECK(place.offset_bytes >= end);
		CHECK(place.stored_bytes > 0);
		CHECK(place.stored_bytes <= size - place.offset_bytes);
		end = place.offset_bytes + place.stored_bytes;
		unpack(fd, bytes, &place);
	}
	CHECK(got == 0 || fault.text[0]);
	close(fd);
	return 0;
}
