/* SPDX-License-Identifier: MIT */
#include "storage/dataset/seekable.h"

#include <errno.h>
#include <stdio.h>

#include "sim/check.h"
#include "storage/bytes.h"
#include "storage/zstd.h"

#define HEADER_BYTES 8u
#define HEADER_MAGIC 0x184D2A5Eu
#define FOOTER_MAGIC 0x8F92EAB1u
#define DESCRIPTOR_CHECKSUMS 0x80
#define DESCRIPTOR_RESERVED 0x7C
#define ENTRY_BYTES_PLAIN 8u
#define ENTRY_BYTES_CHECKSUM 12u

static uint64_t table_bytes(uint32_t frames, uint32_t entry_bytes)
{
	return HEADER_BYTES + (uint64_t)frames * entry_bytes +
	       SEEKABLE_FOOTER_BYTES;
}

uint64_t seekable_table_bytes(uint32_t frames)
{
	return table_bytes(frames, ENTRY_BYTES_CHECKSUM);
}

void seekable_write(uint8_t *to, const struct seekable_entry *entries,
		    uint32_t frames)
{
	CHECK(frames <= SEEKABLE_FRAMES_MAX);
	bytes_put_le32(to, HEADER_MAGIC);
	bytes_put_le32(to + 4,
		       (uint32_t)(seekable_table_bytes(frames) - HEADER_BYTES));
	to += HEADER_BYTES;
	for (uint32_t index = 0; index < frames; index++) {
		bytes_put_le32(to, entries[index].stored_bytes);
		bytes_put_le32(to + 4, entries[index].content_bytes);
		bytes_put_le32(to + 8, entries[index].checksum);
		to += ENTRY_BYTES_CHECKSUM;
	}
	bytes_put_le32(to, frames);
	to[4] = DESCRIPTOR_CHECKSUMS;
	bytes_put_le32(to + 5, FOOTER_MAGIC);
}

static uint32_t entry_bytes_of(const uint8_t *footer)
{
	return footer[4] & DESCRIPTOR_CHECKSUMS ? ENTRY_BYTES_CHECKSUM :
						  ENTRY_BYTES_PLAIN;
}

uint64_t seekable_find(const uint8_t *footer, uint64_t file_bytes)
{
	uint32_t frames = bytes_get_le32(footer);
	uint64_t size;

	if (bytes_get_le32(footer + 5) != FOOTER_MAGIC)
		return 0;
	if (footer[4] & DESCRIPTOR_RESERVED)
		return 0;
	if (frames > SEEKABLE_FRAMES_MAX)
		return 0;
	size = table_bytes(frames, entry_bytes_of(footer));
	return size <= file_bytes ? size : 0;
}

struct seekable_entry seekable_entry(const struct seekable *seekable,
				     uint32_t index)
{
	const uint8_t *from;
	struct seekable_entry entry;

	CHECK(index < seekable->frames);
	from = seekable->entries + (size_t)index * seekable->entry_bytes;
	entry.stored_bytes = bytes_get_le32(from);
	entry.content_bytes = bytes_get_le32(from + 4);
	entry.checksum = 0;
	if (seekable->has_checksums)
		entry.checksum = bytes_get_le32(from + 8);
	return entry;
}

static int check_sums(const struct seekable *seekable, uint64_t frames_bytes,
		      struct fault *fault)
{
	uint64_t sum = 0;

	for (uint32_t index = 0; index < seekable->frames; index++) {
		struct seekable_entry entry = seekable_entry(seekable, index);

		if (entry.content_bytes > FRAME_CONTENT_MAX) {
			fault_set(fault, NULL, 0,
				  "seek table: frame %u has %u bytes of "
				  "content, more than 1 GiB",
				  index, entry.content_bytes);
			return -EBADMSG;
		}
		sum += entry.stored_bytes;
	}
	if (sum != frames_bytes) {
		fault_set(fault, NULL, 0,
			  "seek table: the frames have %llu bytes in all, the "
			  "file has room for %llu",
			  (unsigned long long)sum,
			  (unsigned long long)frames_bytes);
		return -EBADMSG;
	}
	return 0;
}

int seekable_parse(struct seekable *out, const uint8_t *table, uint64_t size,
		   uint64_t file_bytes, struct fault *fault)
{
	const uint8_t *footer;

	if (size < HEADER_BYTES + SEEKABLE_FOOTER_BYTES || size > file_bytes) {
		fault_set(fault, NULL, 0, "seek table: too short");
		return -EBADMSG;
	}
	footer = table + size - SEEKABLE_FOOTER_BYTES;
	if (seekable_find(footer, file_bytes) != size) {
		fault_set(fault, NULL, 0,
			  "seek table: not found at the end of the file");
		return -EBADMSG;
	}
	if (bytes_get_le32(table) != HEADER_MAGIC ||
	    bytes_get_le32(table + 4) != size - HEADER_BYTES) {
		fault_set(fault, NULL, 0,
			  "seek table: not a skippable frame of %llu bytes",
			  (unsigned long long)size);
		return -EBADMSG;
	}
	out->entries = table + HEADER_BYTES;
	out->frames = bytes_get_le32(footer);
	out->entry_bytes = entry_bytes_of(footer);
	out->has_checksums = out->entry_bytes == ENTRY_BYTES_CHECKSUM;
	return check_sums(out, file_bytes - size, fault);
}
