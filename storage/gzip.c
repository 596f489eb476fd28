/* SPDX-License-Identifier: MIT */
#include "storage/gzip.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "sim/check.h"

#define WINDOW_BITS_MAX 15
#define GZIP_ONLY 16 /* added to the bits: a gzip header is wanted */

int gzip_open(void **out)
{
	z_stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return -ENOMEM;
	if (inflateInit2(stream, WINDOW_BITS_MAX + GZIP_ONLY) != Z_OK) {
		free(stream);
		return -ENOMEM;
	}
	*out = stream;
	return 0;
}

void gzip_close(void *gzip)
{
	if (!gzip)
		return;
	inflateEnd(gzip);
	free(gzip);
}

static const char *wrong(const z_stream *stream, int result)
{
	if (stream->msg)
		return stream->msg;
	return result == Z_MEM_ERROR ? "no memory" : "is no gzip data";
}

const char *gzip_stream(void *gzip, const void *from, size_t size, size_t *used,
			void *to, size_t capacity, size_t *made, bool *ended)
{
	z_stream *stream = gzip;
	int result;

	CHECK(size <= UINT_MAX && capacity <= UINT_MAX);
	/* zlib does not write to what it reads. */
	stream->next_in = (unsigned char *)(uintptr_t)from;
	stream->avail_in = (unsigned int)size;
	stream->next_out = to;
	stream->avail_out = (unsigned int)capacity;
	result = inflate(stream, Z_NO_FLUSH);
	*used = size - stream->avail_in;
	*made = capacity - stream->avail_out;
	*ended = result == Z_STREAM_END;
	if (*ended)
		result = inflateReset(stream);
	/* No progress for want of bytes or room is no error. */
	if (result == Z_OK || result == Z_BUF_ERROR)
		return NULL;
	return wrong(stream, result);
}
