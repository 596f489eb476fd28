/* SPDX-License-Identifier: MIT */
/*
 * A grid is anything with rows and columns on its way into a document: the
 * devices of the catalogue, the points of a probe. It is read cell by cell
 * through one function and holds nothing itself.
 */
#ifndef ANALYSIS_DOCUMENT_GRID_H
#define ANALYSIS_DOCUMENT_GRID_H

#include "analysis/document/document.h"

struct grid {
	const char *name;  /* of the list of rows, and of the view */
	const char *title; /* as of a view */
	const char *about;
	const struct view_column *columns;
	size_t column_count;
	size_t row_count;
	const void *context;
	/* What it gives is copied before it is asked again. */
	struct metric_value (*cell)(const void *context, size_t row,
				    size_t column);
};

/* Adds the rows as a list of the data. */
void document_rows(struct document *document, const struct grid *grid);

/* The same, and the view of it. The columns and texts must live as long as the
 * document. */
void document_grid(struct document *document, const struct grid *grid);

/* A document that is one grid. */
struct document *grid_document(const struct grid *grid);

#endif
