/* SPDX-License-Identifier: MIT */
/*
 * The seek table at the end of a shard, from hostile bytes: taken as the end
 * of a file whose size is in the first eight of them. A table that is found
 * sound is written again and must be found the same.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "storage/bytes.h"
#include "storage/dataset/seekable.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A table without checksums comes back with them, all 0: the sizes of the
 * table and the file grow by 4 bytes for each frame. */
static void write_again(const struct seekable *seekable, uint64_t file_bytes)
{
	uint64_t grown =
		(uint64_t)seekable->frames * (12 - seekable->entry_bytes);
	uint64_t table_bytes = seekable_table_bytes(seekable->frames);
	struct seekable_entry *entries =
		calloc(seekable->frames + 1, sizeof(*entries));
	uint8_t *table = malloc(table_bytes);
	struct fault fault = { 0 };
	struct seekable again;

	CHECK(entries);
	CHECK(table);
	for (uint32_t index = 0; index < seekable->frames; index++)
		entries[index] = seekable_entry(seekable, index);
	seekable_write(table, entries, seekable->frames);
	CHECK(seekable_parse(&again, table, table_bytes, file_bytes + grown,
			     &fault) == 0);
	CHECK(again.frames == seekable->frames);
	for (uint32_t index = 0; index < seekable->frames; index++) {
		struct seekable_entry entry = seekable_entry(&again, index);

		CHECK(memcmp(&entry, &entries[index], sizeof(entry)) == 0);
	}
	free(table);
	free(entries);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fault fault = { 0 };
	struct seekable seekable;
	uint64_t file_bytes;

	if (size < 8)
		return 0;
	file_bytes = bytes_get_le64(bytes) & INT64_MAX;
	bytes += 8;
	size -= 8;
	if (size >= SEEKABLE_FOOTER_BYTES)
		CHECK(seekable_find(bytes + size - SEEKABLE_FOOTER_BYTES,
				    file_bytes) <= file_bytes);
	if (seekable_parse(&seekable, bytes, size, file_bytes, &fault) == 0)
		write_again(&seekable, file_bytes);
	else
		CHECK(fault.text[0]);
	return 0;
}
