/* SPDX-License-Identifier: MIT */
/*
 * Alibaba's block traces of 2020, of a thousand virtual disks:
 *
 *	device,opcode,offset,length,timestamp
 *	0,R,126703644672,4096,1577808000000626
 *
 * Bytes, and microseconds since 1970.
 */
#include "traces/import/row.h"
#include "traces/import/scan.h"

#define US_TO_NS 3 /* digits */

struct row {
	struct scan_word device;
	struct scan_word opcode;
	uint64_t offset_bytes;
	uint64_t bytes;
	int64_t issue_ns;
};

static const char *take_row(const char *text, struct row *row)
{
	struct scan scan = { text };

	if (!scan_until(&scan, ",", &row->device) || !scan_text(&scan, ","))
		return "expected a device";
	if (!scan_until(&scan, ",", &row->opcode) || !scan_text(&scan, ",") ||
	    (!scan_is(&row->opcode, "R") && !scan_is(&row->opcode, "W")))
		return "expected R or W";
	if (!scan_whole(&scan, &row->offset_bytes) || !scan_text(&scan, ","))
		return "expected an offset in bytes";
	if (!scan_whole(&scan, &row->bytes) || !scan_text(&scan, ","))
		return "expected a length in bytes";
	if (!scan_decimal(&scan, US_TO_NS, &row->issue_ns) ||
	    row->issue_ns < 0 || !scan_end(&scan))
		return "expected a time in microseconds, and nothing behind it";
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
	uint64_t *count = state;
	const char *wrong;
	struct row row;
	int error;

	wrong = take_row(text, &row);
	if (wrong)
		return import_bad(import, "%s", wrong);
	error = import_object(import, row.device.text, row.device.length,
			      &event.object);
	if (error)
		return error;
	event.issue_ns = row.issue_ns;
	event.offset_bytes = row.offset_bytes;
	event.bytes = row.bytes;
	event.flags = scan_is(&row.opcode, "W") ? TRACE_WRITE : 0;
	event.number = (*count)++;
	return import_put(import, &event);
}

static int read_alibaba(struct import *import)
{
	uint64_t count = 0;

	return import_lines(import, take_line, &count);
}

const struct importer import_alibaba = {
	.name = "alibaba",
	.from = "Alibaba block traces of 2020, CSV",
	.yields = "requests: disk, place, size, when they were asked for; no "
		  "latencies",
	.limits = "",
	.unit = "line",
	.absolute = true,
	.fits = fits,
	.read = read_alibaba,
};
