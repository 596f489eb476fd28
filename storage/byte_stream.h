/* SPDX-License-Identifier: MIT */
/*
 * A file as a stream of bytes from its beginning to its end, with constant
 * memory: as it is, or unpacked when it begins as gzip or zstd files do.
 *
 * A zstd frame of up to a mebibyte is given when it was read whole and its
 * checksum was right, and not at all otherwise: what was appended to a file
 * until a crash is so read up to its last whole frame.
 */
#ifndef STORAGE_BYTE_STREAM_H
#define STORAGE_BYTE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"

struct byte_stream;

#define BYTE_STREAM_MAGIC_BYTES 4
/* Does a file that starts with these bytes get unpacked? */
bool byte_stream_unpacks(const unsigned char start[BYTE_STREAM_MAGIC_BYTES]);

/* Opens a file, or what is piped into the program where the path is "-".
 * Faults name the file; the path outlives the stream. */
int byte_stream_open(struct byte_stream **out, const char *path,
		     struct fault *fault) __attribute__((warn_unused_result));
void byte_stream_close(struct byte_stream *stream);

/* What it is packed with: "gzip", "zstd" or "nothing". */
const char *byte_stream_packing(const struct byte_stream *stream);

/* Bytes taken from the file so far. */
uint64_t byte_stream_taken(const struct byte_stream *stream);

/* The read function of a source of bytes: gives up to `size` of them, none at
 * the end. -ENODATA: the packed file is cut short, all before was given;
 * -EBADMSG: its bytes are damaged; others: it cannot be read. */
int byte_stream_read(void *stream, void *bytes, size_t size, size_t *count,
		     struct fault *fault) __attribute__((warn_unused_result));

#endif
