/* SPDX-License-Identifier: MIT */
/* What each change comes to (private to report.c and changes.c). */
#ifndef ANALYSIS_PLAN_CHANGES_H
#define ANALYSIS_PLAN_CHANGES_H

#include "analysis/plan/report.h"

#define PLAN_ROWS_MAX (3 * PLAN_KNOBS_MAX)

/* One knob of one answer. */
struct plan_row {
	const struct plan_result *result;
	size_t knob;
	char now[48];
	char to[48];
};

struct plan_rows {
	struct plan_row rows[PLAN_ROWS_MAX];
	size_t count;
	const struct plan_result *best;
};

/* A row for each knob of each answer that is known. */
void plan_rows_find(struct plan_rows *rows, const struct plan_report *report);

/* The list of answers in the data; the tables and charts of it for people; the
 * table for spreadsheets. */
void plan_answers(struct document *document, const struct plan_rows *rows);
void plan_changes_views(struct document *document,
			const struct plan_report *report,
			const struct plan_rows *rows);
void plan_chief(struct document *document);

/* Of "" unknown. */
struct metric_value plan_words(const char *text);

#endif
