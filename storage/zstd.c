/* SPDX-License-Identifier: MIT */
#include "storage/zstd.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "sim/check.h"
#include "storage/bytes.h"
#include "storage/file.h"

/* Frame header: 4 bytes magic, then the descriptor with this flag; the
 * checksum is the last 4 bytes of the frame. */
#define DESCRIPTOR_OFFSET 4
#define DESCRIPTOR_CHECKSUM 0x04
#define CHECKSUM_BYTES 4
/* Of the pieces in which a frame is measured. */
#define MEASURE_BYTES (128u << 10)
#define FRAME_BYTES_MIN (DESCRIPTOR_OFFSET + 1 + CHECKSUM_BYTES)

/* The types are the library's own under our names, so that nobody else has
 * to see its header. */
static ZSTD_CCtx *compression(struct compressor *compressor)
{
	return (ZSTD_CCtx *)compressor;
}

static ZSTD_DCtx *decompression(struct decompressor *decompressor)
{
	return (ZSTD_DCtx *)decompressor;
}

size_t frame_bound(size_t content_bytes)
{
	return ZSTD_compressBound(content_bytes);
}

int compressor_open(struct compressor **out, int level)
{
	ZSTD_CCtx *context;
	size_t result;

	CHECK(level >= 1);
	CHECK(level <= FRAME_LEVEL_MAX);
	context = ZSTD_createCCtx();
	if (!context)
		return -ENOMEM;
	result =
		ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
	CHECK(!ZSTD_isError(result));
	result = ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	CHECK(!ZSTD_isError(result));
	*out = (struct compressor *)context;
	return 0;
}

void compressor_close(struct compressor *compressor)
{
	ZSTD_freeCCtx(compression(compressor));
}

int compressor_run(struct compressor *compressor, const void *from, size_t size,
		   void *to, size_t capacity, size_t *stored)
{
	size_t result;

	result = ZSTD_compress2(compression(compressor), to, capacity, from,
				size);
	/* With room for the bound, memory is all that can be lacking. */
	if (ZSTD_isError(result))
		return -ENOMEM;
	*stored = result;
	return 0;
}

int decompressor_open(struct decompressor **out)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();

	if (!context)
		return -ENOMEM;
	*out = (struct decompressor *)context;
	return 0;
}

void decompressor_close(struct decompressor *decompressor)
{
	ZSTD_freeDCtx(decompression(decompressor));
}

const char *decompressor_run(struct decompressor *decompressor,
			     const void *from, size_t size, void *to,
			     size_t content_bytes, uint64_t checksum)
{
	const uint8_t *bytes = from;
	size_t result;

	if (size < FRAME_BYTES_MIN)
		return "is too short for a zstd frame";
	if (ZSTD_findFrameCompressedSize(from, size) != size)
		return "is not one whole zstd frame";
	if (ZSTD_getFrameContentSize(from, size) != content_bytes)
		return "has another content size than the catalogue says";
	if (!(bytes[DESCRIPTOR_OFFSET] & DESCRIPTOR_CHECKSUM))
		return "has no checksum";
	if (bytes_get_le32(bytes + size - CHECKSUM_BYTES) != (uint32_t)checksum)
		return "has another checksum than the catalogue says";
	result = ZSTD_decompressDCtx(decompression(decompressor), to,
				     content_bytes, from, size);
	if (ZSTD_isError(result))
		return ZSTD_getErrorName(result);
	if (result != content_bytes)
		return "has less content than it says";
	return NULL;
}

bool frame_has_checksum(const uint8_t *frame)
{
	return frame[DESCRIPTOR_OFFSET] & DESCRIPTOR_CHECKSUM;
}

const char *decompressor_run_any(struct decompressor *decompressor,
				 const void *from, size_t size, void *to,
				 size_t content_bytes)
{
	unsigned long long said;
	size_t result;

	if (ZSTD_findFrameCompressedSize(from, size) != size)
		return "is not one whole zstd frame";
	said = ZSTD_getFrameContentSize(from, size);
	if (said != ZSTD_CONTENTSIZE_UNKNOWN && said != content_bytes)
		return "has another content size than was found first";
	result = ZSTD_decompressDCtx(decompression(decompressor), to,
				     content_bytes, from, size);
	if (ZSTD_isError(result))
		return ZSTD_getErrorName(result);
	if (result != content_bytes)
		return "has another content size than was found first";
	return NULL;
}

const char *decompressor_stream(void *decompressor, const void *from,
				size_t size, size_t *used, void *to,
				size_t capacity, size_t *made, bool *ended)
{
	ZSTD_inBuffer input = { from, size, 0 };
	ZSTD_outBuffer output = { to, capacity, 0 };
	size_t result = ZSTD_decompressStream(decompressor, &output, &input);

	*used = input.pos;
	*made = output.pos;
	*ended = result == 0;
	if (ZSTD_getErrorCode(result) ==
	    ZSTD_error_frameParameter_windowTooLarge)
		return FRAME_WINDOW_TOO_LARGE;
	return ZSTD_isError(result) ? ZSTD_getErrorName(result) : NULL;
}

/* The window of a frame, the pieces it goes through. */
struct measure {
	struct decompressor *decompressor;
	uint8_t from[MEASURE_BYTES];
	uint8_t to[MEASURE_BYTES];
};

static const char *measure_piece(struct measure *measure, size_t size,
				 uint64_t *content_bytes, bool *ended)
{
	size_t at = 0, used, made;
	const char *what;

	do {
		what = decompressor_stream(measure->decompressor,
					   measure->from + at, size - at, &used,
					   measure->to, sizeof(measure->to),
					   &made, ended);
		if (what)
			return what;
		at += used;
		*content_bytes += made;
		if (*content_bytes > FRAME_CONTENT_MAX)
			return "holds more than 1 GiB";
		if (*ended)
			return at == size ? NULL : "ends early";
	} while (made || used);
	return at == size ? NULL : "does not go on";
}

const char *frame_measure(int fd, uint64_t offset_bytes, uint64_t stored_bytes,
			  uint64_t *content_bytes)
{
	struct measure *measure = malloc(sizeof(*measure));
	const char *what = "no memory to unpack it";
	uint64_t end = offset_bytes + stored_bytes;
	bool ended = false;

	*content_bytes = 0;
	if (!measure)
		return what;
	if (decompressor_open(&measure->decompressor))
		goto free_measure;
	what = NULL;
	while (offset_bytes < end && !what) {
		size_t size = end - offset_bytes < MEASURE_BYTES ?
				      (size_t)(end - offset_bytes) :
				      MEASURE_BYTES;

		if (file_read_at(fd, measure->from, size, offset_bytes))
			what = "cannot be read";
		else
			what = measure_piece(measure, size, content_bytes,
					     &ended);
		offset_bytes += size;
	}
	if (!what && !ended)
		what = "is not whole";
	decompressor_close(measure->decompressor);
free_measure:
	free(measure);
	return what;
}
