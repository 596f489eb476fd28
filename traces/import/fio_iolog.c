/* SPDX-License-Identifier: MIT */
/*
 * fio's iolog, versions 2 and 3: what --write_iolog writes.
 *
 *	fio version 2 iolog		fio version 3 iolog
 *	/d/a add			0 /d/a add
 *	/d/a read 65536 131072		576 /d/a read 65536 131072
 *
 * Version 3 begins each line with microseconds since the start. Version 2 has
 * no times but `wait`: a request is asked for when the last wait is over.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "traces/import/row.h"
#include "traces/import/scan.h"

struct iolog {
	bool timed;	/* version 3 */
	int64_t now_ns; /* version 2: when the last wait was over */
	uint64_t count;
	uint64_t waits;
};

static bool is_head(const char *line)
{
	return !strncmp(line, "fio version ", 12);
}

static bool fits(const char *head, size_t size, bool whole)
{
	(void)whole;
	return import_head_has(head, size, 1, is_head);
}

/* wait N */
static int take_wait(struct import *import, struct iolog *iolog,
		     struct scan *scan)
{
	bool absolute = import->options->wait == IMPORT_WAIT_MS_ABSOLUTE;
	int64_t wait_ns;

	scan_blanks(scan);
	if (!scan_decimal(scan, absolute ? 6 : 3, &wait_ns) || wait_ns < 0)
		return import_bad(import, "expected `wait` and a time");
	if (!absolute &&
	    __builtin_add_overflow(iolog->now_ns, wait_ns, &wait_ns))
		return import_bad(import, "the waits add up to over 292 years");
	if (wait_ns > iolog->now_ns)
		iolog->now_ns = wait_ns;
	iolog->waits++;
	import_skip(import);
	return 0;
}

static int take_request(struct import *import, struct iolog *iolog,
			struct scan *scan, const struct scan_word *file,
			bool write)
{
	struct trace_event event = import_event(TRACE_REQUEST);
	int error;

	scan_blanks(scan);
	if (!scan_whole(scan, &event.offset_bytes))
		return import_bad(import, "expected an offset in bytes");
	scan_blanks(scan);
	if (!scan_whole(scan, &event.bytes) || !scan_end(scan))
		return import_bad(import, "expected a length in bytes, and "
					  "nothing behind it");
	if (!import_wants(import, file->text, file->length)) {
		import_leave_out(import);
		return 0;
	}
	error = import_object(import, file->text, file->length, &event.object);
	if (error)
		return error;
	event.issue_ns = iolog->now_ns;
	event.flags = write ? TRACE_WRITE : 0;
	event.number = iolog->count++;
	return import_put(import, &event);
}

static int take_line(struct import *import, void *state, char *text)
{
	static const char *const silent[] = { "add",  "open",	  "close",
					      "sync", "datasync", "trim" };
	struct iolog *iolog = state;
	struct scan scan = { text };
	struct scan_word file, action;
	size_t i;

	if (iolog->timed &&
	    (!scan_decimal(&scan, 3, &iolog->now_ns) || iolog->now_ns < 0))
		return import_bad(import, "expected a time in microseconds");
	if (!scan_word(&scan, &file) || !scan_word(&scan, &action)) {
		return import_bad(import, "expected a file and an action");
	}
	if (scan_is(&action, "read") || scan_is(&action, "write"))
		return take_request(import, iolog, &scan, &file,
				    scan_is(&action, "write"));
	if (!iolog->timed && scan_is(&file, "wait")) {
		scan.at = action.text;
		return take_wait(import, iolog, &scan);
	}
	if (!iolog->timed && scan_is(&action, "wait"))
		return take_wait(import, iolog, &scan);
	for (i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
		if (scan_is(&action, silent[i])) {
			import_skip(import);
			return 0;
		}
	return import_bad(import,
			  "unknown action \"%.*s\"; expected read, write, add, "
			  "open, close, sync, datasync, trim or wait",
			  (int)(action.length < 40 ? action.length : 40),
			  action.text);
}

static int take_head(struct import *import, struct iolog *iolog)
{
	struct line line;
	struct scan scan;
	uint64_t version;
	int got = lines_next(&import->lines, &line);

	if (got <= 0)
		return got;
	scan.at = line.text;
	if (!scan_text(&scan, "fio version ") || !scan_whole(&scan, &version) ||
	    !scan_text(&scan, " iolog") || !scan_end(&scan)) {
		fault_set(import->fault, NULL, 1,
			  "expected \"fio version 2 iolog\" or \"fio version 3 "
			  "iolog\"");
		return -EINVAL;
	}
	if (version != 2 && version != 3) {
		fault_set(import->fault, NULL, 1,
			  "an iolog of version %llu; versions 2 and 3 are "
			  "known",
			  (unsigned long long)version);
		return -EINVAL;
	}
	iolog->timed = version == 3;
	return 0;
}

static int read_iolog(struct import *import)
{
	struct iolog iolog = { 0 };
	int error = take_head(import, &iolog);

	if (!error)
		error = import_lines(import, take_line, &iolog);
	if (!error && !iolog.timed && !iolog.waits && iolog.count)
		import_note(import, "an iolog of version 2 without waits: "
				    "requests in their order, all at time 0");
	return error;
}

const struct importer import_fio_iolog = {
	.name = "fio-iolog",
	.from = "fio --write_iolog, versions 2 and 3",
	.yields = "requests: file, place, size and when they were asked for "
		  "(version 2: after which wait); no latencies",
	.limits = "",
	.unit = "line",
	.names_files = true,
	.fits = fits,
	.read = read_iolog,
};
