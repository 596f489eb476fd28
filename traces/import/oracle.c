/* SPDX-License-Identifier: MIT */
/*
 * libCacheSim's oracleGeneral: records of 24 bytes, little-endian, without a
 * header.
 *
 *	u32 time s, u64 object, u32 size, i64 request that has it next
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
#define SECOND_MAX 16384
#define FITS_RECORDS 64
#define SIZE_LIKELY_MAX (1u << 30)

struct arrival {
	uint32_t object;
	uint32_t bytes;
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
	int64_t next;
};

static uint64_t whole(const char *bytes, size_t size)
{
	uint64_t value = 0;

	while (size--)
		value = value << 8 | (unsigned char)bytes[size];
	return value;
}

static struct record take_record(const char *bytes)
{
	return (struct record){ (uint32_t)whole(bytes, 4), whole(bytes + 4, 8),
				(uint32_t)whole(bytes + 12, 4),
				(int64_t)whole(bytes + 16, 8) };
}

/* There is no mark: all that can be asked is whether the numbers make sense
 * as such. */
static bool fits(const char *head, size_t size, bool whole_head)
{
	struct record record, last = { 0 };
	size_t i;

	if (size < RECORD_BYTES || (whole_head && size % RECORD_BYTES))
		return false;
	for (i = 0; i < size / RECORD_BYTES && i < FITS_RECORDS; i++) {
		record = take_record(head + i * RECORD_BYTES);
		if (record.second < last.second || !record.bytes ||
		    record.bytes > SIZE_LIKELY_MAX)
			return false;
		if (record.next != -1 && record.next <= (int64_t)i)
			return false;
		last = record;
	}
	return true;
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
	oracle->held++;
	return 0;
}

static int take_records(struct import *import, struct oracle *oracle)
{
	struct record record;
	const char *bytes;
	size_t size;
	int error;

	for (;;) {
		error = lines_peek(&import->lines, RECORD_BYTES, &bytes, &size);
		if (error || !size)
			return error;
		import->lines.number++;
		if (size < RECORD_BYTES) {
			lines_skip(&import->lines, size);
			return import_bad(import, "cut short: %zu bytes of %d",
					  size, RECORD_BYTES);
		}
		record = take_record(bytes);
		lines_skip(&import->lines, RECORD_BYTES);
		if (record.next < -1)
			error = import_bad(import,
					   "next request %lld; expected one "
					   "from 0 on, or -1",
					   (long long)record.next);
		else
			error = take(import, oracle, &record);
		if (error)
			return error;
	}
}

static int read_oracle(struct import *import)
{
	struct oracle *oracle = calloc(1, sizeof(*oracle));
	int error, refused;

	if (!oracle)
		return -ENOMEM;
	error = take_records(import, oracle);
	refused = import->refused ? 0 : spread(import, oracle, true);
	error = error ? error : refused;
	free(oracle);
	return error;
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
