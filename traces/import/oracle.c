/* SPDX-License-Identifier: MIT */
/*
 * libCacheSim's oracleGeneral and oracleGeneralOpNS: records of 24 and of 27
 * bytes, little-endian, without a header.
 *
 *	u32 time s, u64 object, u32 size, i64 request that has it next
 *	u32 time s, u64 object, u32 size, u8 operation, u16 name space, i64 next
 *
 * An object is the same in every name space, as libCacheSim has it.
 *
 * The clock has one tick a second. The arrivals of a second are spread evenly
 * over it; of a second with more than SECOND_MAX, the first SECOND_MAX over
 * its first half, the next over half of the rest, and so on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/import/row.h"

#define RECORD_BYTES 24
#define RECORD_OPERATION_BYTES 27
#define SECOND_MAX 16384
#define FITS_RECORDS 64
#define SIZE_LIKELY_MAX (1u << 30)

/* What is done to an object, by libCacheSim's number of it. */
enum effect { READS, WRITES, NOTHING };

static const enum effect effects[] = {
	READS,	 /* nop: it was not recorded */
	READS,	 /* get */
	READS,	 /* gets */
	WRITES,	 /* set */
	WRITES,	 /* add */
	WRITES,	 /* cas */
	WRITES,	 /* replace */
	WRITES,	 /* append */
	WRITES,	 /* prepend */
	NOTHING, /* delete */
	WRITES,	 /* incr */
	WRITES,	 /* decr */
	READS,	 /* read */
	WRITES,	 /* write */
	WRITES,	 /* update */
};

#define OPERATIONS (sizeof(effects) / sizeof(effects[0]))

struct arrival {
	uint32_t object;
	uint32_t bytes;
	bool writes;
};

struct oracle {
	uint64_t count;
	int64_t begin_ns; /* of what is left of the second */
	int64_t end_ns;
	uint32_t second;
	size_t held;
	struct arrival arrivals[SECOND_MAX];
};

struct record {
	uint32_t second;
	uint64_t object;
	uint32_t bytes;
	uint8_t operation;
	int64_t next;
};

static uint64_t whole(const char *bytes, size_t size)
{
	uint64_t value = 0;

	while (size--)
		value = value << 8 | (unsigned char)bytes[size];
	return value;
}

static struct record take_record(const char *bytes, size_t size)
{
	bool has_operation = size == RECORD_OPERATION_BYTES;

	return (struct record){
		.second = (uint32_t)whole(bytes, 4),
		.object = whole(bytes + 4, 8),
		.bytes = (uint32_t)whole(bytes + 12, 4),
		.operation = has_operation ? (uint8_t)bytes[16] : 0,
		.next = (int64_t)whole(bytes + size - 8, 8),
	};
}

/* There is no mark: all that can be asked is whether the numbers make sense
 * as such. */
static bool fit(const char *head, size_t size, bool whole_head,
		size_t record_bytes)
{
	struct record record, last = { 0 };
	size_t i;

	if (size < record_bytes || (whole_head && size % record_bytes))
		return false;
	for (i = 0; i < size / record_bytes && i < FITS_RECORDS; i++) {
		record = take_record(head + i * record_bytes, record_bytes);
		if (record.operation >= OPERATIONS ||
		    record.second < last.second ||
		    record.bytes > SIZE_LIKELY_MAX)
			return false;
		if (!record.bytes && effects[record.operation] != NOTHING)
			return false;
		if (record.next != -1 && record.next <= (int64_t)i)
			return false;
		last = record;
	}
	return true;
}

static bool fits(const char *head, size_t size, bool whole_head)
{
	return fit(head, size, whole_head, RECORD_BYTES);
}

static bool fits_operations(const char *head, size_t size, bool whole_head)
{
	return fit(head, size, whole_head, RECORD_OPERATION_BYTES);
}

/* Hands on what is held, over the first part of what is left of the second,
 * or over all of it. */
static int spread(struct import *import, struct oracle *oracle, bool all)
{
	int64_t length_ns = oracle->end_ns - oracle->begin_ns;
	struct trace_event event;
	int error = 0;
	size_t i;

	if (!all)
		length_ns /= 2;
	for (i = 0; i < oracle->held && !error; i++) {
		event = import_event(TRACE_REQUEST);
		event.issue_ns = oracle->begin_ns +
				 length_ns * (int64_t)i / (int64_t)oracle->held;
		event.object = oracle->arrivals[i].object;
		event.bytes = oracle->arrivals[i].bytes;
		event.flags = oracle->arrivals[i].writes ? TRACE_WRITE : 0;
		event.number = oracle->count++;
		error = import_put(import, &event);
	}
	oracle->begin_ns += length_ns;
	oracle->held = 0;
	return error;
}

static int take(struct import *import, struct oracle *oracle,
		const struct record *record)
{
	struct arrival *arrival;
	int error = 0;

	if (oracle->held && record->second != oracle->second)
		error = spread(import, oracle, true);
	else if (oracle->held == SECOND_MAX)
		error = spread(import, oracle, false);
	if (error)
		return error;
	if (record->second != oracle->second || !oracle->end_ns) {
		oracle->second = record->second;
		oracle->begin_ns = record->second * NS_PER_S;
		oracle->end_ns = oracle->begin_ns + NS_PER_S;
	}
	arrival = &oracle->arrivals[oracle->held];
	error = import_object(import, &record->object, sizeof(record->object),
			      &arrival->object);
	if (error)
		return error;
	arrival->bytes = record->bytes;
	arrival->writes = effects[record->operation] == WRITES;
	oracle->held++;
	return 0;
}

static int judge(struct import *import, struct oracle *oracle,
		 const struct record *record)
{
	if (record->next < -1)
		return import_bad(import,
				  "next request %lld; expected one from 0 on, "
				  "or -1",
				  (long long)record->next);
	if (record->operation >= OPERATIONS)
		return import_bad(import,
				  "operation %u; expected one of 0 to %zu",
				  record->operation, OPERATIONS - 1);
	if (effects[record->operation] != NOTHING)
		return take(import, oracle, record);
	import_skip(import);
	return 0;
}

static int take_records(struct import *import, struct oracle *oracle,
			size_t record_bytes)
{
	struct record record;
	const char *bytes;
	size_t size;
	int error;

	for (;;) {
		error = lines_peek(&import->lines, record_bytes, &bytes, &size);
		if (error || !size)
			return error;
		import->lines.number++;
		if (size < record_bytes) {
			lines_skip(&import->lines, size);
			return import_bad(import, "cut short: %zu bytes of %zu",
					  size, record_bytes);
		}
		record = take_record(bytes, record_bytes);
		lines_skip(&import->lines, record_bytes);
		error = judge(import, oracle, &record);
		if (error)
			return error;
	}
}

static int read_all(struct import *import, size_t record_bytes)
{
	struct oracle *oracle = calloc(1, sizeof(*oracle));
	int error, refused;

	if (!oracle)
		return -ENOMEM;
	error = take_records(import, oracle, record_bytes);
	refused = import->refused ? 0 : spread(import, oracle, true);
	error = error ? error : refused;
	free(oracle);
	return error;
}

static int read_oracle(struct import *import)
{
	return read_all(import, RECORD_BYTES);
}

static int read_operations(struct import *import)
{
	return read_all(import, RECORD_OPERATION_BYTES);
}

const struct importer import_oracle = {
	.name = "oracle",
	.from = "libCacheSim, oracleGeneral",
	.yields = "requests: object, size, when they were asked for, to a "
		  "second; whole objects, no latencies",
	.limits = "",
	.unit = "record",
	.absolute = true,
	.fits = fits,
	.read = read_oracle,
};

const struct importer import_oracle_operations = {
	.name = "oracle-op",
	.from = "libCacheSim, oracleGeneralOpNS",
	.yields = "requests: object, size, read or written, when they were "
		  "asked for, to a second; whole objects, no latencies, no "
		  "deletions",
	.limits = "",
	.unit = "record",
	.absolute = true,
	.fits = fits_operations,
	.read = read_operations,
};
