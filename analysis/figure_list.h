/* SPDX-License-Identifier: MIT */
/*
 * What a command found out, as a list of named figures with tables behind it:
 * lines and tables for people, one JSON object, or, as CSV, the figures alone.
 */
#ifndef ANALYSIS_FIGURE_LIST_H
#define ANALYSIS_FIGURE_LIST_H

#include <stdio.h>

#include "analysis/format.h"
#include "analysis/grid.h"

#define FIGURES_LISTED_MAX 64

struct listed_figure {
	const char *name; /* dotted: nested JSON */
	enum metric_kind kind;
	const char *unit; /* of value_human() */
	struct metric_value value;
};

struct figure_list {
	size_t count;
	struct listed_figure figures[FIGURES_LISTED_MAX];
};

void figure_list_add(struct figure_list *list, const char *name,
		     enum metric_kind kind, const char *unit,
		     struct metric_value value);

/* 0 or -ENOMEM; what the stream refuses is left in ferror(). */
int figure_list_write(FILE *out, const struct report_format *format,
		      const struct figure_list *list, const struct grid *grids,
		      size_t grid_count) __attribute__((warn_unused_result));

#endif
