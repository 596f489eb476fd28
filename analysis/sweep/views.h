/* SPDX-License-Identifier: MIT */
/* What people see of a sweep (private to report.c and charts.c). */
#ifndef ANALYSIS_SWEEP_VIEWS_H
#define ANALYSIS_SWEEP_VIEWS_H

#include "analysis/sweep/data.h"

/* Where a point is on an axis, as a column. */
struct view_column sweep_axis_column(struct document *document,
				     const struct vary *axis);

/* Does a law say of some point what its repeats are worth? */
bool sweep_is_judged(const struct sweep *sweep);

/* The section of charts: of useful AU where points are judged. */
void sweep_charts(struct document *document, const struct sweep *sweep,
		  bool judged);

#endif
