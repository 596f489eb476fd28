/* SPDX-License-Identifier: MIT */
/*
 * Recordings for other programs. An exporter is a file export_FORMAT.c and a
 * row of the table in export.c: it is given one event after the other, in the
 * order of the recording, and writes as it goes.
 */
#ifndef ANALYSIS_EXPORT_H
#define ANALYSIS_EXPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/fault.h"
#include "sim/trace_event.h"

struct exporter;

struct export_options {
	/* Names of the first objects; the others are object-NUMBER. */
	const char *const *names;
	size_t name_count;
};

struct exporting {
	const struct exporter *exporter;
	const struct export_options *options;
	FILE *out;
	uint64_t written; /* events */
	uint64_t left;	  /* events that the format has no place for */
	void *state;	  /* the exporter's own */
};

struct exporter {
	const char *name; /* for --to */
	const char *help; /* what it is, and what is in it */
	/* 0 or negative errno, with a fault where a person can do something
	 * about it. `end` frees the state, also after an error. */
	int (*begin)(struct exporting *export);
	int (*put)(struct exporting *export, const struct trace_event *event,
		   struct fault *fault);
	int (*end)(struct exporting *export, struct fault *fault);
};

extern const struct exporter *const exporter_table[];
extern const size_t exporter_count;

/* By its name; NULL when there is none. */
const struct exporter *exporter_find(const char *name);

/* What the stream refuses is left in ferror(). */
int export_begin(struct exporting *export, const struct exporter *exporter,
		 const struct export_options *options, FILE *out)
	__attribute__((warn_unused_result));
int export_put(struct exporting *export, const struct trace_event *event,
	       struct fault *fault) __attribute__((warn_unused_result));

/* After export_begin() has succeeded, always: writes what comes last and frees
 * everything. */
int export_end(struct exporting *export, struct fault *fault)
	__attribute__((warn_unused_result));

/* The rows. */
extern const struct exporter export_iolog;
extern const struct exporter export_csv;
extern const struct exporter export_perfetto;

#endif
