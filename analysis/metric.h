/* SPDX-License-Identifier: MIT */
/*
 * The metric table: one row per figure a run can report. JSON keys, CSV
 * header, text tables, `list metrics` and --require are loops over it.
 * A figure that is not known is null in every format, never zero.
 *
 * What a run has several of, stages and epochs, has tables of its own
 * (analysis/part.h); a row of kind METRIC_PART stands for each.
 */
#ifndef ANALYSIS_METRIC_H
#define ANALYSIS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/result.h"
#include "analysis/value.h"

struct metric {
	const char *name; /* the JSON path: "au", "storage.latency_s.p50" */
	enum metric_kind kind;
	const char *unit; /* "", "s", "B", "B/s", "1/s" */
	bool live_only;
	const char *help; /* one sentence */
	struct metric_value (*get)(const struct result *result);
};

extern const struct metric metric_table[];
extern const size_t metric_count;

/* The row of a name; NULL when there is none. */
const struct metric *metric_find(const char *name);

/* The value by name of a row that exists. */
struct metric_value metric_get(const char *name, const struct result *result);

/* The known name nearest to a misspelt one; NULL when nothing is near. */
const char *metric_nearest(const char *name);

#endif
