/* SPDX-License-Identifier: MIT */
/*
 * What blktrace writes, little-endian: records of 48 bytes, each followed by
 * so many more as its last member says.
 *
 *	u32 magic | 7, u32 sequence, u64 time ns, u64 sector, u32 bytes,
 *	u32 action, u32 pid, u32 device, u32 cpu, u16 error, u16 more
 *
 * The action's low half says what happened, its high half is a set of kinds.
 * Times are of the machine's clock. The kernel's tracer `blk` gives the same
 * records through tracefs, with the options bin and nocontext-info.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/import/block_pairs.h"
#include "traces/import/row.h"

#define RECORD_BYTES 48
#define MAGIC 0x65617400u
#define VERSION 7
#define VERSION_TRACEFS 0 /* of the same records, as Linux 6.18 gives them */
#define ACTION_MASK 0xff  /* without the flag for cgroups */

enum kind {
	KIND_READ = 1 << 16,
	KIND_WRITE = 1 << 17,
	KIND_NOTIFY = 1 << 26,
	KIND_DISCARD = 1 << 29,
};

static uint32_t whole32(const char *bytes)
{
	const unsigned char *at = (const unsigned char *)bytes;

	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

static uint64_t whole64(const char *bytes)
{
	return whole32(bytes) | (uint64_t)whole32(bytes + 4) << 32;
}

static bool is_magic(const char *bytes)
{
	return (whole32(bytes) & 0xffffff00u) == MAGIC;
}

static bool fits(const char *head, size_t size, bool whole)
{
	(void)whole;
	return size >= 4 && is_magic(head);
}

static int take_record(struct import *import, struct block_pairs *pairs,
		       const char *record)
{
	static const char names[] = {
		[1] = 'Q', [2] = 'M', [7] = 'D', [8] = 'C'
	};
	uint32_t action = whole32(record + 28);
	struct block_action taken = {
		.sector = whole64(record + 16),
		.bytes = whole32(record + 24),
		.device = whole32(record + 36),
		.write = action & KIND_WRITE,
		.failed = record[44] || record[45],
	};
	uint64_t time_ns = whole64(record + 8);

	action &= ~(uint32_t)0xffff | ACTION_MASK;
	if (action & (KIND_NOTIFY | KIND_DISCARD) ||
	    !(action & (KIND_READ | KIND_WRITE)) ||
	    (action & 0xffff) >= sizeof(names) || !names[action & 0xffff]) {
		import_skip(import);
		return 0;
	}
	if (time_ns > INT64_MAX)
		return import_bad(import, "a time of more than 292 years");
	if (taken.sector > UINT64_MAX / BLOCK_SECTOR_BYTES)
		return import_bad(import, "a sector beyond 16 EiB");
	taken.action = names[action & 0xffff];
	taken.time_ns = (int64_t)time_ns;
	return block_pairs_take(import, pairs, &taken);
}

/* Goes on at the next record there is behind bytes that are none. */
static int find_record(struct import *import)
{
	const char *bytes;
	size_t size, at;
	int error;

	error = import_bad(import, "expected a record of blktrace");
	while (!error) {
		error = lines_peek(&import->lines, RECORD_BYTES, &bytes, &size);
		if (error || size < 4) {
			lines_skip(&import->lines, error ? 0 : size);
			return error;
		}
		for (at = 1; at + 4 <= size; at++)
			if (is_magic(bytes + at))
				break;
		lines_skip(&import->lines, at);
		if (at + 4 <= size)
			return 0;
	}
	return error;
}

static int take_version(struct import *import, const char *record)
{
	unsigned version = (unsigned char)record[0];

	if (version == VERSION || version == VERSION_TRACEFS)
		return 0;
	fault_set(import->fault, NULL, 0,
		  "record %llu: blktrace of version %u; version %d is known",
		  (unsigned long long)import->lines.number, version, VERSION);
	return -EINVAL;
}

static int take_records(struct import *import, struct block_pairs *pairs)
{
	const char *record;
	size_t size, more;
	int error;

	for (;;) {
		error = lines_peek(&import->lines, RECORD_BYTES, &record,
				   &size);
		if (error || !size)
			return error;
		import->lines.number++;
		if (size < RECORD_BYTES) {
			lines_skip(&import->lines, size);
			return import_bad(import, "cut short: %zu bytes of %d",
					  size, RECORD_BYTES);
		}
		if (!is_magic(record)) {
			error = find_record(import);
			if (error)
				return error;
			continue;
		}
		error = take_version(import, record);
		if (!error)
			error = take_record(import, pairs, record);
		if (error)
			return error;
		more = whole32(record + 44) >> 16;
		lines_skip(&import->lines, RECORD_BYTES);
		error = lines_peek(&import->lines, more, &record, &size);
		if (error)
			return error;
		lines_skip(&import->lines, size < more ? size : more);
	}
}

static int read_blktrace(struct import *import)
{
	struct block_pairs *pairs = calloc(1, sizeof(*pairs));
	int error;

	if (!pairs)
		return -ENOMEM;
	error = take_records(import, pairs);
	block_pairs_end(import, pairs);
	free(pairs);
	return error;
}

const struct importer import_blktrace = {
	.name = "blktrace",
	.from = "blktrace -o -, or blkparse -d",
	.yields = "requests: device, place, size, when they were queued, "
		  "issued (begun) and completed",
	.limits = "At most 32768 requests under way.",
	.unit = "record",
	.absolute = true,
	.fits = fits,
	.read = read_blktrace,
};
