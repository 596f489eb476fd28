/* SPDX-License-Identifier: MIT */
/*
 * A run as data, and the views that runs have in common, whichever command
 * made them.
 */
#ifndef ANALYSIS_RUN_DATA_H
#define ANALYSIS_RUN_DATA_H

#include "analysis/document/document.h"
#include "analysis/result.h"

/* Every figure of the metric table, and the details where there are some. The
 * name tells runs of a document apart. */
void run_data(struct document *document, struct node *object, const char *name,
	      const struct result *result);

/* The same alone, without a name; NULL: no memory. */
struct node *run_tree(const struct result *result);

/* The columns of every figure, of runs that lie at `prefix` within an item: "",
 * or "run." in a point of a sweep; returns how many, metric_count at most. */
size_t run_figures(struct document *document, const char *prefix,
		   struct view_column *columns);

/* Those of a run itself, with what runs have several of where every run has
 * the same of it; of runs of variants their "variant" first. Returns how
 * many. */
size_t run_columns(struct document *document, bool varied,
		   const struct view_column **columns);

#endif
