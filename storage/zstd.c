/* SPDX-License-Identifier: MIT */
#include "storage/zstd.h"

#include <errno.h>
#include <zstd.h>

#include "sim/check.h"
#include "storage/bytes.h"

/* Frame header: 4 bytes magic, then the descriptor with this flag; the
 * checksum is the last 4 bytes of the frame. */
#define DESCRIPTOR_OFFSET 4
#define DESCRIPTOR_CHECKSUM 0x04
#define CHECKSUM_BYTES 4
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
	return ZSTD_isError(result) ? ZSTD_getErrorName(result) : NULL;
}
