/* SPDX-License-Identifier: MIT */
/*
 * Foreign traces: what other programs wrote about a job, as a stream of
 * events in the order in which a recording tells them (sim/trace_event.h). An
 * importer is a file import_FORMAT.c and a row of the table in import.c. It
 * yields what its format truly holds: a time that is not in the trace is
 * TIME_UNKNOWN, not a guess.
 *
 * Memory does not grow with the trace: one line of at most LINE_BYTES_MAX
 * (traces/import/lines.h), the window in which events are put in order
 * (traces/import/order.h), a number for each file (traces/import/objects.h),
 * and what an importer says in its limits.
 *
 * A line that cannot be read is counted and the first one is told; with
 * `strict` it ends the import. A trace of which nothing could be read is
 * refused.
 */
#ifndef TRACES_IMPORT_H
#define TRACES_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"
#include "sim/trace_event.h"
#include "traces/byte_source.h"

#define IMPORT_HEAD_BYTES 65536 /* a format is found from the first ones */
#define IMPORT_TEXT_MAX 240
#define IMPORT_NOTES_MAX 6

/* What a number behind `wait` means in fio's iolog of version 2: the code
 * says milliseconds since the start, its documentation microseconds since the
 * line before. */
enum import_wait {
	IMPORT_WAIT_MS_ABSOLUTE,
	IMPORT_WAIT_US_RELATIVE,
	IMPORT_WAITS
};

extern const char *const import_wait_names[IMPORT_WAITS + 1]; /* ends: NULL */

struct import_options {
	bool strict;
	enum import_wait wait;
	size_t window;	  /* events held to be put in order; 0: the default */
	const char *name; /* of the file, for what that alone tells; or NULL */
	/* Only requests of files whose path begins so; NULL: all. Refused for
	 * importers without `names_files`. */
	const char *only;
};

/* Takes what comes out; not 0 ends the import with that. */
struct import_sink {
	void *context;
	int (*put)(void *context, const struct trace_event *event);
};

struct importer;

struct import_report {
	const struct importer *importer; /* NULL: none fits */
	uint64_t events[TRACE_KINDS];
	uint64_t lines;	  /* or records */
	uint64_t skipped; /* understood, and nothing that an event is made of */
	uint64_t unwanted; /* requests of other files than were asked for */
	uint64_t bad;	   /* could not be read */
	uint64_t bad_line; /* the first of these */
	char bad_text[IMPORT_TEXT_MAX];
	char notes[IMPORT_NOTES_MAX][IMPORT_TEXT_MAX];
	size_t note_count;
};

struct import; /* traces/import/row.h: for importers */

struct importer {
	const char *name;   /* for --from */
	const char *from;   /* what writes it */
	const char *yields; /* what is in it, and what is not */
	const char *limits; /* "" or a sentence: what it keeps, and how much */
	const char *unit;   /* "line" or "record" */
	/* Times are of some clock, and count instead from the first event, or
	 * the first of those that the window holds; only what begins before
	 * and ends behind a whole window begins below 0. */
	bool absolute;
	bool names_files; /* the paths of files are in it */
	/* Do these first bytes look like it? `whole`: there are no more. */
	bool (*fits)(const char *head, size_t size, bool whole);
	int (*read)(struct import *import);
};

extern const struct importer *const importer_table[];
extern const size_t importer_count;

/* By its name; NULL when there is none. */
const struct importer *importer_find(const char *name);

/*
 * Reads everything there is into the sink. `importer` NULL: the format is
 * found from the bytes. What could be read before an error is in the sink and
 * in the report. 0; -EINVAL and a fault when this is no such trace, when its
 * times go back further than the window reaches, or a line cannot be read and
 * `strict` is set; what the source or the sink returned; -ENOMEM.
 */
int import_run(const struct importer *importer,
	       const struct import_options *options,
	       const struct byte_source *source, const struct import_sink *sink,
	       struct import_report *report, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
