/* SPDX-License-Identifier: MIT */
/*
 * Cells are those of a view as a printer of tables asks for them: those of the
 * columns for its audience, of each item of the list that the view names.
 */
#ifndef ANALYSIS_PRINT_CELLS_H
#define ANALYSIS_PRINT_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/document/document.h"
#include "analysis/print/style.h"

#define CELLS_COLUMNS_MAX 128

struct cells {
	const struct view *view;
	const struct node *rows;
	size_t row_count;
	const struct view_column *columns[CELLS_COLUMNS_MAX];
	size_t column_count;
};

/* Of a table's view, for SEEN_IN_TEXT or SEEN_IN_PAGE; columns that do not fit
 * in are left out. */
struct cells cells_of(const struct document *document, const struct view *view,
		      enum audience audience);

/* The item of a row. */
const struct node *cells_item(const struct cells *cells, size_t row);

/* The value of a cell, of the column's kind: a number of another kind than the
 * column's is taken as it is. */
struct metric_value cells_value(const struct cells *cells, size_t row,
				size_t column);

/* The same as people read it: "-" when unknown. The text is borrowed from the
 * document, or made in `text`. */
const char *cells_text(const struct cells *cells, size_t row, size_t column,
		       char text[VALUE_TEXT_MAX]);

/* The value of an item at a path as people read it. */
const char *node_human(const struct node *item, const struct view_column *at,
		       char text[VALUE_TEXT_MAX]);

enum text_tone cells_tone(const struct cells *cells, size_t row, size_t column);

/* Does the column hold words? They stand to the left. */
bool cells_is_words(const struct view_column *column);

/* What a column is called by programs, and by people. */
const char *cells_name(const struct view_column *column);
const char *cells_heading(const struct view_column *column);

/* Is a view, or a column, for this audience? */
bool is_for(enum audience view, enum audience audience);

#endif
