/* SPDX-License-Identifier: MIT */
#include "traces/import/lookalike.h"

#include <stdio.h>
#include <string.h>

#include "traces/import/row.h"
#include "traces/import/scan.h"

#define HEAD_LINES 400

/* fio's logs have the same columns whatever they hold; all that tells them
 * apart is what fio puts behind the name that it was given. */
static bool is_fio_log(const char *head, size_t size, const char *name,
		       char *text, size_t room)
{
	static const char *const logs[][2] = {
		{ "_bw", "bandwidths" },
		{ "_iops", "operations a second" },
		{ "_slat", "how long submitting took" },
	};
	const char *last = name ? strrchr(name, '/') : NULL;
	size_t i;

	last = last ? last + 1 : name;
	for (i = 0; i < sizeof(logs) / sizeof(logs[0]) && last; i++) {
		const char *mark = strstr(last, logs[i][0]);

		if (!mark || mark[strlen(logs[i][0])] != '.' ||
		    !import_fio_latency.fits(head, size, false))
			continue;
		snprintf(text, room,
			 "is fio's log of %s by its name (%s), which holds no "
			 "latencies; those are in the logs _lat and _clat, "
			 "which --write_lat_log writes (--from fio-latency: "
			 "its name is wrong)",
			 logs[i][1], logs[i][0]);
		return true;
	}
	return false;
}

static bool is_trace_of_darshan(const char *line)
{
	return !strncmp(line, "# DXT", 5);
}

static bool is_counter(const char *line)
{
	static const char *const modules[] = { "POSIX\t", "STDIO\t", "MPI-IO\t",
					       "MPIIO\t" };
	size_t i;

	for (i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (!strncmp(line, modules[i], strlen(modules[i])))
			return true;
	return false;
}

static bool is_darshan_counters(const char *head, size_t size, const char *name,
				char *text, size_t room)
{
	(void)name;
	if (!import_head_has(head, size, HEAD_LINES, is_counter) ||
	    import_head_has(head, size, HEAD_LINES, is_trace_of_darshan))
		return false;
	snprintf(text, room,
		 "is what darshan-parser prints: counters, without a time for "
		 "each read; darshan-dxt-parser prints the trace, of a job "
		 "that ran with DXT_ENABLE_IO_TRACE=1");
	return true;
}

/* 15:16:42[.879776] */
static bool take_clock(struct scan *scan)
{
	struct scan at = *scan;
	uint64_t number;
	int64_t seconds;

	if (!scan_whole(&at, &number) || !scan_text(&at, ":") ||
	    !scan_whole(&at, &number) || !scan_text(&at, ":") ||
	    !scan_decimal(&at, 9, &seconds))
		return false;
	scan_blanks(&at);
	*scan = at;
	return true;
}

/* A call, perhaps behind a thread and the time of day: what strace prints
 * when it is not asked for seconds. */
static bool is_clockless_call(const char *line)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	struct scan scan = { line };
	uint64_t thread;
	size_t length;

	if (scan_text(&scan, "[pid")) {
		scan_blanks(&scan);
		if (!scan_whole(&scan, &thread) || !scan_text(&scan, "]"))
			return false;
	} else if (strspn(line, "0123456789") && line[2] != ':') {
		scan_whole(&scan, &thread);
	}
	scan_blanks(&scan);
	take_clock(&scan);
	length = strspn(scan.at, letters);
	return length && *scan.at >= 'a' && scan.at[length] == '(' &&
	       (strstr(scan.at, ") = ") || strstr(scan.at, "<unfinished ...>"));
}

/* Does the line end with <seconds>, which -T asks for? */
static bool has_duration(const char *line)
{
	const char *angle = strrchr(line, '<');
	struct scan scan = { angle ? angle + 1 : "" };
	int64_t duration_ns;

	return scan_decimal(&scan, 9, &duration_ns) && scan_text(&scan, ">") &&
	       scan_end(&scan);
}

static bool has_path(const char *line)
{
	return strstr(line, "</") != NULL;
}

static bool is_strace(const char *head, size_t size, const char *name,
		      char *text, size_t room)
{
	bool timed, pathed;

	(void)name;
	if (!import_head_has(head, size, 8, is_clockless_call))
		return false;
	timed = import_head_has(head, size, HEAD_LINES, has_duration);
	pathed = import_head_has(head, size, HEAD_LINES, has_path);
	snprintf(text, room,
		 "is strace's, written without -ttt%s%s; expected what "
		 "strace -f -ttt -T -yy writes",
		 timed	? "" :
		 pathed ? " and -T" :
			  ", -T",
		 pathed ? "" : " and -yy");
	return true;
}

bool lookalike_find(const char *head, size_t size, const char *name, char *text,
		    size_t room)
{
	static bool (*const rows[])(const char *head, size_t size,
				    const char *name, char *text,
				    size_t room) = {
		is_fio_log,
		is_darshan_counters,
		is_strace,
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i](head, size, name, text, room))
			return true;
	return false;
}
