/* SPDX-License-Identifier: MIT */
/*
 * The block traces of MSR Cambridge (SNIA IOTTA):
 *
 *	Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime
 *	128166372003061629,src1,2,Read,7014609920,24576,41286
 *
 * Time and response time in units of 100 ns, the time since 1601, which in
 * nanoseconds is too much for 63 bits: it is counted from the first line's.
 */
#include <string.h>

#include "traces/import/row.h"
#include "traces/import/scan.h"

#define TICK_NS 100
#define TICKS_MAX (INT64_MAX / 16 / TICK_NS)
#define OBJECT_NAME_MAX 256

struct msr {
	bool started;
	int64_t first_ticks;
	uint64_t count;
};

struct row {
	int64_t ticks;
	struct scan_word host;
	struct scan_word disk;
	struct scan_word type;
	uint64_t offset_bytes;
	uint64_t bytes;
	int64_t response_ns;
};

static const char *take_row(const char *text, struct row *row)
{
	struct scan scan = { text };

	if (!scan_decimal(&scan, 0, &row->ticks) || row->ticks < 0 ||
	    !scan_text(&scan, ","))
		return "expected a timestamp in units of 100 ns";
	if (!scan_until(&scan, ",", &row->host) || !scan_text(&scan, ",") ||
	    !scan_until(&scan, ",", &row->disk) || !scan_text(&scan, ",") ||
	    row->host.length + row->disk.length >= OBJECT_NAME_MAX)
		return "expected a host and a disk";
	if (!scan_until(&scan, ",", &row->type) || !scan_text(&scan, ",") ||
	    (!scan_is(&row->type, "Read") && !scan_is(&row->type, "Write")))
		return "expected Read or Write";
	if (!scan_whole(&scan, &row->offset_bytes) || !scan_text(&scan, ","))
		return "expected an offset in bytes";
	if (!scan_whole(&scan, &row->bytes) || !scan_text(&scan, ","))
		return "expected a size in bytes";
	if (!scan_decimal(&scan, 2, &row->response_ns) || !scan_end(&scan))
		return "expected a response time in units of 100 ns, and "
		       "nothing behind it";
	if (row->response_ns < 0)
		return "a response time below 0";
	return NULL;
}

static bool is_row(const char *line)
{
	struct row row;

	return !take_row(line, &row);
}

static bool fits(const char *head, size_t size, bool whole)
{
	(void)whole;
	return import_head_has(head, size, 2, is_row);
}

static int take_line(struct import *import, void *state, char *text)
{
	struct trace_event event = import_event(TRACE_REQUEST);
	char object[OBJECT_NAME_MAX];
	struct msr *msr = state;
	const char *wrong;
	struct row row;
	int error;

	wrong = take_row(text, &row);
	if (wrong)
		return import_bad(import, "%s", wrong);
	if (!msr->started)
		msr->first_ticks = row.ticks;
	msr->started = true;
	row.ticks -= msr->first_ticks;
	if (row.ticks > TICKS_MAX || row.ticks < -TICKS_MAX ||
	    row.response_ns > TICKS_MAX * TICK_NS)
		return import_bad(import,
				  "over 18 years away from the first line");
	error = import_host(import, row.host.text, row.host.length,
			    &event.host);
	if (error)
		return error;
	memcpy(object, row.host.text, row.host.length);
	object[row.host.length] = ',';
	memcpy(object + row.host.length + 1, row.disk.text, row.disk.length);
	error = import_object(import, object,
			      row.host.length + 1 + row.disk.length,
			      &event.object);
	if (error)
		return error;
	event.issue_ns = row.ticks * TICK_NS;
	event.end_ns = event.issue_ns + row.response_ns;
	event.offset_bytes = row.offset_bytes;
	event.bytes = row.bytes;
	event.flags = scan_is(&row.type, "Write") ? TRACE_WRITE : 0;
	event.number = msr->count++;
	return import_put(import, &event);
}

static int read_msr(struct import *import)
{
	struct msr msr = { 0 };

	return import_lines(import, take_line, &msr);
}

const struct importer import_msr = {
	.name = "msr",
	.from = "MSR Cambridge block traces (SNIA IOTTA), CSV",
	.yields = "requests: host, disk, place, size, when they were asked "
		  "for, latency",
	.limits = "",
	.unit = "line",
	.absolute = true,
	.fits = fits,
	.read = read_msr,
};
