/* SPDX-License-Identifier: MIT */
/*
 * What a command hands out: the scenario as it was understood, one result per
 * run, and facts about the host. Everything that may differ between two equal
 * runs is a host fact or a note; the rest is a function of the input.
 */
#ifndef ANALYSIS_REPORT_H
#define ANALYSIS_REPORT_H

#include <stddef.h>

#include "analysis/document/document.h"
#include "analysis/result.h"
#include "analysis/value.h"
#include "traces/scenario.h"
#include "traces/variant.h"

#define NOTES_MAX 24
#define NOTE_TEXT_MAX 600

/* Sentences for the person, each said once. */
struct notes {
	size_t count;
	char text[NOTES_MAX][NOTE_TEXT_MAX];
};

/* Adds a sentence; one too many, or one that stands there already, is
 * dropped. */
void notes_add(struct notes *notes, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct host_fact {
	const char *name;
	enum metric_kind kind;
	struct metric_value value;
};

#define CHANGES_TEXT_MAX 600

/* One of several that are compared. */
struct report_variant {
	const char *name;
	const char
		*changes; /* as --set takes them; NULL: a scenario of its own */
	const struct scenario *scenario; /* as understood */
};

struct report {
	const struct scenario *scenario; /* of variants: the first one's */
	const struct report_variant *variants;
	size_t variant_count; /* 0: one scenario, as it is */
	const struct result *const *runs;
	size_t run_count;
	const struct host_fact *host;
	size_t host_count;
	const struct notes *notes; /* of whoever ran it */
};

/* The document of it: one run, or strategies side by side. */
struct document *report_document(const struct report *report);

/* Host facts and the notes of whoever ran it, as the member "host". */
void host_data(struct document *document, const struct host_fact *facts,
	       size_t count, const struct notes *notes);

/* The name of a strategy in the form of --echo: "batch:2",
 * "batch:when-starved:4". */
#define STRATEGY_TEXT_MAX 64
const char *strategy_name(const struct echo *echo, char *text, size_t size);

/* The same of a run, behind the variant that it is of: "pytorch, batch:2". */
#define RUN_TEXT_MAX (STRATEGY_TEXT_MAX + VARIANT_NAME_MAX + 2)
const char *run_name(const struct result *result, char *text, size_t size);

/* Adds what the figures themselves say a reader must know: runs that were
 * interrupted, too short, or not held to their device. */
void report_notes(const struct report *report, struct notes *notes);

#endif
