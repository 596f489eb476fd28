/* SPDX-License-Identifier: MIT */
/*
 * Foreign traces out of memory, for tests: what an importer makes of a text,
 * in a few events that are kept and a count of all.
 */
#ifndef TESTS_SUPPORT_IMPORTED_H
#define TESTS_SUPPORT_IMPORTED_H

#include <stddef.h>

#include "traces/import/import.h"

#define IMPORTED_EVENTS_MAX 64

/* Bytes that are given out `piece` at a time. */
struct memory_source {
	const char *bytes;
	size_t size;
	size_t at;
	size_t piece;
	int end_error; /* instead of the end */
};

struct byte_source memory_source_open(struct memory_source *memory,
				      const void *bytes, size_t size,
				      size_t piece);

struct imported {
	struct import_options options; /* set before */
	int end_error;		       /* set before: of the source */
	struct trace_event events[IMPORTED_EVENTS_MAX]; /* the first ones */
	size_t count;					/* of all */
	struct import_report report;
	struct fault fault;
};

/* Imports as the named format, or as what it looks like (NULL). Also checks
 * that events come in the order of a recording, that none ends before it
 * begins, and that what is refused says why. */
int imported_from(struct imported *imported, const char *from,
		  const void *bytes, size_t size);
int imported_text(struct imported *imported, const char *from,
		  const char *text);

#endif
