/* SPDX-License-Identifier: MIT */
/*
 * The metric table: one row per figure a run can report. JSON keys, CSV
 * header, text tables, `list metrics` and --require are loops over it.
 * A figure that is not known is null in every format, never zero.
 */
#ifndef ANALYSIS_METRIC_H
#define ANALYSIS_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/result.h"

enum metric_kind {
	METRIC_BOOL,
	METRIC_COUNT, /* whole number */
	METRIC_REAL,
	METRIC_TEXT,
};

struct metric_value {
	bool known;
	double real;	  /* METRIC_REAL and METRIC_BOOL */
	uint64_t count;	  /* METRIC_COUNT */
	const char *text; /* METRIC_TEXT */
};

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

const struct metric *metric_find(const char *name);
const char *metric_nearest(const char *name);

#endif
