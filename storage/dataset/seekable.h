/* SPDX-License-Identifier: MIT */
/*
 * The zstd seekable format: ordinary frames, then one skippable frame with a
 * table of their sizes, so that any frame can be found without reading those
 * before it. Any zstd reads such a file from end to end.
 *
 *   skippable frame magic, u32 0x184D2A5E | u32 size of what follows
 *   per frame: u32 stored bytes | u32 content bytes | u32 low half of XXH64
 *   u32 number of frames | u8 descriptor | u32 0x8F92EAB1
 *
 * all little-endian; descriptor bit 7 says that the checksums are there (they
 * may be left out by others), bits 2 to 6 must be 0.
 */
#ifndef STORAGE_SEEKABLE_H
#define STORAGE_SEEKABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"

#define SEEKABLE_FOOTER_BYTES 9
#define SEEKABLE_FRAMES_MAX 0x8000000u

struct seekable_entry {
	uint32_t stored_bytes;
	uint32_t content_bytes;
	uint32_t checksum; /* 0 when the table has none */
};

/* Size of a table with checksums. */
uint64_t seekable_table_bytes(uint32_t frames);

/* Writes the table; `to` has room for seekable_table_bytes(frames). */
void seekable_write(uint8_t *to, const struct seekable_entry *entries,
		    uint32_t frames);

/* A table in memory that was found sound; borrows the bytes. */
struct seekable {
	const uint8_t *entries;
	uint32_t frames;
	uint32_t entry_bytes;
	bool has_checksums;
};

/*
 * Size of the whole table from the last SEEKABLE_FOOTER_BYTES of a file of
 * file_bytes, 0 when they are no such footer or the file is too small for it.
 */
uint64_t seekable_find(const uint8_t *footer, uint64_t file_bytes);

/*
 * Checks a table of `size` bytes that ends a file of file_bytes: magic
 * numbers, sizes, and that frames and table fill the file exactly. -EBADMSG
 * with a fault otherwise. No allocation.
 */
int seekable_parse(struct seekable *out, const uint8_t *table, uint64_t size,
		   uint64_t file_bytes, struct fault *fault)
	__attribute__((warn_unused_result));

struct seekable_entry seekable_entry(const struct seekable *seekable,
				     uint32_t index);

#endif
