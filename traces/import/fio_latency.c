/* SPDX-License-Identifier: MIT */
/*
 * fio's latency logs: what --write_lat_log writes.
 *
 *	time ms, latency ns, direction, size, [offset,] priority [, issued ns]
 *	15, 35027, 0, 65536, 720896, 0
 *
 * The offset is there with --log_offset=1, which has six columns or more.
 * The time is that of the completion, in whole milliseconds, so that what was
 * asked for at the very start may seem to have been asked for before it:
 * such a request is taken to have begun at 0.
 */
#include <string.h>

#include "traces/import/row.h"
#include "traces/import/scan.h"

enum column { TIME, LATENCY, DIRECTION, SIZE, OFFSET, COLUMNS_MAX = 7 };

struct latency_log {
	uint64_t count;
	uint64_t placed; /* with an offset */
};

static bool is_row(const char *line)
{
	struct scan scan = { line };
	uint64_t number;
	size_t i;

	for (i = TIME; i <= SIZE; i++)
		if (!scan_whole(&scan, &number) || !scan_text(&scan, ", "))
			return false;
	return scan_whole(&scan, &number);
}

static bool fits(const char *head, size_t size, bool whole)
{
	(void)whole;
	return import_head_has(head, size, 1, is_row);
}

/* The numbers of a line; 0 when there is something else. */
static size_t take_columns(const char *text, uint64_t columns[COLUMNS_MAX])
{
	struct scan scan = { text };
	size_t count = 0;

	do {
		scan_blanks(&scan);
		if (count == COLUMNS_MAX || !scan_whole(&scan, &columns[count]))
			return 0;
		count++;
	} while (scan_text(&scan, ","));
	return scan_end(&scan) ? count : 0;
}

static int take_line(struct import *import, void *state, char *text)
{
	struct trace_event event = import_event(TRACE_REQUEST);
	uint64_t columns[COLUMNS_MAX] = { 0 };
	size_t count = take_columns(text, columns);
	struct latency_log *log = state;
	int64_t latency_ns, end_ns;

	if (count < 4)
		return import_bad(import, "expected \"ms, latency ns, "
					  "direction, size[, offset], "
					  "priority\" in whole numbers");
	if (columns[TIME] > INT64_MAX / 1000000 || columns[LATENCY] > INT64_MAX)
		return import_bad(import, "a time of more than 292 years");
	if (columns[DIRECTION] > 2)
		return import_bad(import,
				  "direction %llu; expected 0 (read), "
				  "1 (write) or 2 (trim)",
				  (unsigned long long)columns[DIRECTION]);
	if (columns[DIRECTION] == 2) {
		import_skip(import);
		return 0;
	}
	if (!columns[SIZE])
		return import_bad(import, "an average over a window "
					  "(log_avg_msec), not a request");
	latency_ns = (int64_t)columns[LATENCY];
	end_ns = (int64_t)columns[TIME] * 1000000;
	event.end_ns = end_ns > latency_ns ? end_ns : latency_ns;
	event.issue_ns = event.end_ns - latency_ns;
	event.bytes = columns[SIZE];
	event.flags = columns[DIRECTION] ? TRACE_WRITE : 0;
	event.number = log->count++;
	if (count > OFFSET + 1) {
		event.offset_bytes = columns[OFFSET];
		log->placed++;
	}
	return import_put(import, &event);
}

static int read_log(struct import *import)
{
	struct latency_log log = { 0 };
	int error = import_lines(import, take_line, &log);

	if (!error && log.placed < log.count)
		import_note(import,
			    "%llu requests have no offset and are at "
			    "0; fio writes offsets with log_offset=1",
			    (unsigned long long)(log.count - log.placed));
	return error;
}

const struct importer import_fio_latency = {
	.name = "fio-latency",
	.from = "fio --write_lat_log (the log called _lat or _clat)",
	.yields = "requests: size, latency, completion to a millisecond, and "
		  "the offset with log_offset=1; no file",
	.limits = "",
	.unit = "line",
	.fits = fits,
	.read = read_log,
};
