/* SPDX-License-Identifier: MIT */
/*
 * Darshan's extended traces as darshan-dxt-parser prints them, a part for
 * each file and rank:
 *
 *	# DXT, file_id: 123, file_name: /d/train_00.npz
 *	# DXT, rank: 0, hostname: node1
 *	module  rank op segment offset length start end [OST] ...
 *	X_POSIX 0    read 0     0      1048576 0.1021 0.1043
 *
 * Seconds since the job began, with four decimals. What MPI-IO did is told
 * again as what POSIX did, so only the latter is taken.
 */
#include <string.h>

#include "traces/import/row.h"
#include "traces/import/scan.h"

struct darshan {
	bool named; /* a file was named */
	bool wanted;
	uint32_t object;
	uint32_t host;
	uint64_t count;
	uint64_t doubles; /* rows of MPI-IO */
};

static bool is_mark(const char *line)
{
	return !strncmp(line, "# DXT", 5) ||
	       !strncmp(line, "# darshan log", 13);
}

static bool fits(const char *head, size_t size, bool whole)
{
	(void)whole;
	return import_head_has(head, size, 400, is_mark);
}

/* What stands behind `key` in a comment. */
static bool value_of(const char *text, const char *key, struct scan_word *word)
{
	struct scan scan = { strstr(text, key) };

	if (!scan.at)
		return false;
	scan.at += strlen(key);
	scan_blanks(&scan);
	return scan_until(&scan, "\n", word);
}

static int take_comment(struct import *import, struct darshan *darshan,
			const char *text)
{
	struct scan_word word;

	import_skip(import);
	if (value_of(text, "file_name:", &word)) {
		darshan->named = true;
		darshan->wanted = import_wants(import, word.text, word.length);
		if (!darshan->wanted)
			return 0;
		return import_object(import, word.text, word.length,
				     &darshan->object);
	}
	if (value_of(text, "hostname:", &word))
		return import_host(import, word.text, word.length,
				   &darshan->host);
	return 0;
}

static const char *take_numbers(struct scan *scan, struct trace_event *event)
{
	uint64_t segment;

	scan_blanks(scan);
	if (!scan_whole(scan, &segment))
		return "expected a segment's number";
	scan_blanks(scan);
	if (!scan_whole(scan, &event->offset_bytes))
		return "expected an offset in bytes";
	scan_blanks(scan);
	if (!scan_whole(scan, &event->bytes))
		return "expected a length in bytes";
	scan_blanks(scan);
	if (!scan_decimal(scan, 9, &event->issue_ns))
		return "expected when it began, in seconds";
	scan_blanks(scan);
	if (!scan_decimal(scan, 9, &event->end_ns))
		return "expected when it ended, in seconds";
	return NULL;
}

static int take_line(struct import *import, void *state, char *text)
{
	struct trace_event event = import_event(TRACE_REQUEST);
	struct darshan *darshan = state;
	struct scan_word module, rank, action;
	struct scan scan = { text };
	const char *wrong;

	scan_blanks(&scan);
	if (*scan.at == '#')
		return take_comment(import, darshan, scan.at);
	if (!scan_word(&scan, &module))
		return 0;
	if (scan_is(&module, "X_MPIIO")) {
		darshan->doubles++;
		import_skip(import);
		return 0;
	}
	if (!scan_is(&module, "X_POSIX") || !scan_word(&scan, &rank) ||
	    !scan_word(&scan, &action))
		return import_bad(import, "expected \"X_POSIX rank read|write "
					  "segment offset length start end\"");
	if (!scan_is(&action, "read") && !scan_is(&action, "write"))
		return import_bad(import, "expected read or write");
	if (!darshan->named)
		return import_bad(import, "no \"# DXT, ... file_name:\" before "
					  "it");
	wrong = take_numbers(&scan, &event);
	if (wrong)
		return import_bad(import, "%s", wrong);
	if (!darshan->wanted) {
		import_leave_out(import);
		return 0;
	}
	event.flags = scan_is(&action, "write") ? TRACE_WRITE : 0;
	event.object = darshan->object;
	event.host = darshan->host;
	event.number = darshan->count++;
	return import_put(import, &event);
}

static int read_darshan(struct import *import)
{
	struct darshan darshan = { 0 };
	int error = import_lines(import, take_line, &darshan);

	if (!error && darshan.doubles)
		import_note(import,
			    "%llu rows of MPI-IO are left out: POSIX "
			    "tells of the same bytes",
			    (unsigned long long)darshan.doubles);
	return error;
}

const struct importer import_darshan = {
	.name = "darshan",
	.from = "darshan-dxt-parser",
	.yields = "requests: file, place, size, begin and end to 0.1 ms, host",
	.limits = "Rows come file by file: --window must hold about all of "
		  "them.",
	.unit = "line",
	.names_files = true,
	.fits = fits,
	.read = read_darshan,
};
