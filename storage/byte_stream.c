/* SPDX-License-Identifier: MIT */
#include "storage/byte_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "storage/gzip.h"
#include "storage/zstd.h"

#define STORED_BYTES ((size_t)256 << 10)
#define CONTENT_BYTES ((size_t)1 << 20)

/* A way of packing: how it begins and how it is undone. */
struct packing {
	const char *name;
	const char *piece; /* what it consists of */
	unsigned char magic[BYTE_STREAM_MAGIC_BYTES];
	size_t magic_bytes;
	bool whole; /* pieces are given whole or not at all */
	int (*open)(void **out);
	void (*close)(void *unpacker);
	const char *(*unpack)(void *unpacker, const void *from, size_t size,
			      size_t *used, void *to, size_t capacity,
			      size_t *made, bool *ended);
};

static int zstd_open(void **out)
{
	struct decompressor *decompressor = NULL;
	int error = decompressor_open(&decompressor);

	*out = decompressor;
	return error;
}

static void zstd_close(void *unpacker)
{
	decompressor_close(unpacker);
}

static const struct packing packings[] = {
	{ "zstd",
	  "frame",
	  { 0x28, 0xb5, 0x2f, 0xfd },
	  4,
	  true,
	  zstd_open,
	  zstd_close,
	  decompressor_stream },
	{ "gzip",
	  "member",
	  { 0x1f, 0x8b },
	  2,
	  false,
	  gzip_open,
	  gzip_close,
	  gzip_stream },
};

struct byte_stream {
	const char *path;
	int fd;
	const struct packing *packing; /* NULL: none */
	void *unpacker;
	bool stored_ended;
	bool within; /* a frame or member has begun and not ended */
	size_t stored_at, stored_end;
	size_t content_at, content_end;
	uint64_t taken_bytes;
	unsigned char stored[STORED_BYTES];
	unsigned char content[CONTENT_BYTES];
};

static const struct packing *packing_of(const unsigned char *start, size_t size)
{
	for (size_t i = 0; i < sizeof(packings) / sizeof(packings[0]); i++)
		if (size >= packings[i].magic_bytes &&
		    !memcmp(start, packings[i].magic, packings[i].magic_bytes))
			return &packings[i];
	return NULL;
}

bool byte_stream_unpacks(const unsigned char start[BYTE_STREAM_MAGIC_BYTES])
{
	return packing_of(start, BYTE_STREAM_MAGIC_BYTES);
}

/* Moves what is left to the front and reads behind it. */
static int fill_stored(struct byte_stream *stream, struct fault *fault)
{
	size_t left = stream->stored_end - stream->stored_at;
	ssize_t got;

	memmove(stream->stored, stream->stored + stream->stored_at, left);
	stream->stored_at = 0;
	stream->stored_end = left;
	do {
		got = read(stream->fd, stream->stored + left,
			   STORED_BYTES - left);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		int error = -errno;

		fault_set(fault, stream->path, 0, "cannot read: %s",
			  strerror(-error));
		return error;
	}
	stream->stored_ended = got == 0;
	stream->stored_end += (size_t)got;
	return 0;
}

/* Reads until there are enough bytes to tell, and tells how it is packed. */
static int find_packing(struct byte_stream *stream, struct fault *fault)
{
	int error = 0;

	while (!error && !stream->stored_ended &&
	       stream->stored_end < BYTE_STREAM_MAGIC_BYTES)
		error = fill_stored(stream, fault);
	stream->packing = packing_of(stream->stored, stream->stored_end);
	if (error || !stream->packing)
		return error;
	error = stream->packing->open(&stream->unpacker);
	if (error)
		fault_set(fault, stream->path, 0, "no memory to unpack it");
	return error;
}

int byte_stream_open(struct byte_stream **out, const char *path,
		     struct fault *fault)
{
	bool piped = !strcmp(path, "-");
	struct byte_stream *stream = calloc(1, sizeof(*stream));
	int error;

	if (!stream) {
		fault_set(fault, path, 0, "no memory to read it");
		return -ENOMEM;
	}
	stream->path = piped ? "stdin" : path;
	stream->fd = piped ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (stream->fd < 0) {
		error = -errno;
		fault_set(fault, path, 0, "cannot open: %s", strerror(-error));
		free(stream);
		return error;
	}
	error = find_packing(stream, fault);
	if (error) {
		byte_stream_close(stream);
		return error;
	}
	*out = stream;
	return 0;
}

void byte_stream_close(struct byte_stream *stream)
{
	if (!stream)
		return;
	if (stream->packing && stream->unpacker)
		stream->packing->close(stream->unpacker);
	if (stream->fd != STDIN_FILENO)
		close(stream->fd);
	free(stream);
}

const char *byte_stream_packing(const struct byte_stream *stream)
{
	return stream->packing ? stream->packing->name : "nothing";
}

uint64_t byte_stream_taken(const struct byte_stream *stream)
{
	return stream->taken_bytes;
}

static int cut_short(struct byte_stream *stream, struct fault *fault)
{
	const struct packing *packing = stream->packing;

	if (packing->whole && stream->content_end < CONTENT_BYTES)
		stream->content_end = 0;
	fault_set(fault, stream->path, 0,
		  "is cut short: it ends within a %s %s, after %llu bytes",
		  packing->name, packing->piece,
		  (unsigned long long)stream->taken_bytes);
	return -ENODATA;
}

static int damaged(struct byte_stream *stream, const char *wrong,
		   struct fault *fault)
{
	const struct packing *packing = stream->packing;

	if (packing->whole)
		stream->content_end = 0;
	fault_set(fault, stream->path, 0,
		  "is damaged: the %s %s at byte %llu: %s", packing->name,
		  packing->piece, (unsigned long long)stream->taken_bytes,
		  wrong);
	return -EBADMSG;
}

/* One step of unpacking; *ended with a piece or with the file. */
static int unpack_some(struct byte_stream *stream, bool *ended,
		       struct fault *fault)
{
	size_t used = 0, made = 0;
	const char *wrong;
	int error = 0;

	if (stream->stored_at == stream->stored_end && !stream->stored_ended)
		error = fill_stored(stream, fault);
	if (error)
		return error;
	*ended = stream->stored_at == stream->stored_end && !stream->within;
	if (*ended)
		return 0;
	wrong = stream->packing->unpack(
		stream->unpacker, stream->stored + stream->stored_at,
		stream->stored_end - stream->stored_at, &used,
		stream->content + stream->content_end,
		CONTENT_BYTES - stream->content_end, &made, ended);
	if (wrong)
		return damaged(stream, wrong, fault);
	/* Nothing is left to be read, nor held back for want of room. */
	if (stream->stored_at == stream->stored_end && !made && !*ended &&
	    !used)
		return cut_short(stream, fault);
	stream->within = !*ended;
	stream->stored_at += used;
	stream->taken_bytes += used;
	stream->content_end += made;
	return 0;
}

/* Makes content, at least a byte unless the file has ended. What was made
 * before an error is given first; the error comes again. */
static int fill_content(struct byte_stream *stream, struct fault *fault)
{
	bool ended = false;
	int error = 0;

	stream->content_at = 0;
	stream->content_end = 0;
	while (!error && !ended && stream->content_end < CONTENT_BYTES) {
		error = unpack_some(stream, &ended, fault);
		/* A piece may be empty. */
		if (ended && !stream->content_end &&
		    stream->stored_at < stream->stored_end)
			ended = false;
	}
	return stream->content_end ? 0 : error;
}

static int read_plain(struct byte_stream *stream, struct fault *fault)
{
	int error = 0;

	if (stream->stored_at == stream->stored_end && !stream->stored_ended)
		error = fill_stored(stream, fault);
	stream->taken_bytes += stream->stored_end - stream->stored_at;
	memcpy(stream->content, stream->stored + stream->stored_at,
	       stream->stored_end - stream->stored_at);
	stream->content_at = 0;
	stream->content_end = stream->stored_end - stream->stored_at;
	stream->stored_at = stream->stored_end;
	return error;
}

int byte_stream_read(void *context, void *bytes, size_t size, size_t *count,
		     struct fault *fault)
{
	struct byte_stream *stream = context;
	size_t there;
	int error = 0;

	*count = 0;
	if (stream->content_at == stream->content_end)
		error = stream->packing ? fill_content(stream, fault) :
					  read_plain(stream, fault);
	if (error)
		return error;
	there = stream->content_end - stream->content_at;
	*count = there < size ? there : size;
	memcpy(bytes, stream->content + stream->content_at, *count);
	stream->content_at += *count;
	return 0;
}
