/* SPDX-License-Identifier: MIT */
/* What people see of runs (private to report.c and report_views.c). */
#ifndef ANALYSIS_REPORT_VIEWS_H
#define ANALYSIS_REPORT_VIEWS_H

#include "analysis/report.h"

/* What the document is about. */
struct subject {
	struct document *document;
	const struct report *report;
	struct node *runs;
	size_t lead; /* the run to look at first: the best, or the first */
	bool both;   /* runs of both modes */
	bool varied; /* of several variants */
	bool settings_differ; /* and not all have the same accelerators */
	bool judged;	      /* a law says what echo is worth */
	bool explained;	      /* it is known what idling is due to */
	bool burst; /* ranks go by what is sustained, not by the start */
};

void report_views(const struct subject *subject);

#endif
