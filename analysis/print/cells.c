/* SPDX-License-Identifier: MIT */
#include "analysis/print/cells.h"

#include <string.h>

bool is_for(enum audience view, enum audience audience)
{
	return view == SEEN_BY_ALL || (view & audience) != 0;
}

static const struct node *list_of(const struct document *document,
				  const struct view *view)
{
	const struct node *data = document_data_of(document);

	return view->path ? node_at(data, view->path) : NULL;
}

/* Is the item one that the view is of? */
static bool is_wanted(const struct view *view, const struct node *item)
{
	const char *text = view->where ? node_text(item, view->where) : NULL;

	return !view->where || (text && view->is && !strcmp(text, view->is));
}

struct cells cells_of(const struct document *document, const struct view *view,
		      enum audience audience)
{
	struct cells cells = { .view = view, .rows = list_of(document, view) };
	size_t i;

	for (i = 0; i < node_count(cells.rows); i++)
		cells.row_count += is_wanted(view, node_item(cells.rows, i));
	for (i = 0; i < view->column_count; i++)
		if (is_for(view->columns[i].audience, audience) &&
		    cells.column_count < CELLS_COLUMNS_MAX)
			cells.columns[cells.column_count++] = &view->columns[i];
	if (!cells.column_count)
		cells.row_count = 0;
	return cells;
}

const struct node *cells_item(const struct cells *cells, size_t row)
{
	size_t at;

	if (!cells->view->where)
		return node_item(cells->rows, row);
	for (at = 0; at < node_count(cells->rows); at++)
		if (is_wanted(cells->view, node_item(cells->rows, at)) &&
		    !row--)
			return node_item(cells->rows, at);
	return NULL;
}

static struct metric_value value_at(const struct node *item,
				    const struct view_column *at)
{
	const struct node *node = node_at(item, at->path);
	struct metric_value value = node_value(node, at->kind);

	return value.known ? value : node_value(node, node_kind(node));
}

struct metric_value cells_value(const struct cells *cells, size_t row,
				size_t column)
{
	return value_at(cells_item(cells, row), cells->columns[column]);
}

const char *node_human(const struct node *item, const struct view_column *at,
		       char text[VALUE_TEXT_MAX])
{
	const struct node *node = node_at(item, at->path);
	enum metric_kind kind =
		node_value(node, at->kind).known ? at->kind : node_kind(node);

	return value_human(kind, at->unit, node_value(node, kind), text,
			   VALUE_TEXT_MAX);
}

/* Marks stand under no heading, and mean something only where there is one. */
static bool is_mark(const struct view_column *column)
{
	const char *heading = cells_heading(column);

	return !heading[strspn(heading, "\n")];
}

const char *cells_text(const struct cells *cells, size_t row, size_t column,
		       char text[VALUE_TEXT_MAX])
{
	if (is_mark(cells->columns[column]) &&
	    !cells_value(cells, row, column).known)
		return "";
	return node_human(cells_item(cells, row), cells->columns[column], text);
}

/* Is the text one of those that the list names, "not held;native, paused"? */
static bool is_listed(const char *text, const char *list)
{
	size_t length;

	for (; *list; list += length + (list[length] == ';')) {
		length = strcspn(list, ";");
		if (strlen(text) == length && !strncmp(text, list, length))
			return true;
	}
	return false;
}

static bool is_best(const struct view *view, const struct node *item)
{
	const struct node *node = view->best ? node_at(item, view->best) : NULL;
	const char *text = node_value(node, METRIC_TEXT).text;

	return node_value(node, METRIC_BOOL).real > 0 ||
	       (text && !strcmp(text, "best"));
}

enum text_tone cells_tone(const struct cells *cells, size_t row, size_t column)
{
	const struct node *item = cells_item(cells, row);
	const struct view_column *at = cells->columns[column];
	const char *text = node_text(item, at->path);

	if (at->warning && text && is_listed(text, at->warning))
		return TONE_WARNING;
	return !column && is_best(cells->view, item) ? TONE_BEST : TONE_PLAIN;
}

bool cells_is_words(const struct view_column *column)
{
	return column->kind == METRIC_TEXT || column->kind == METRIC_BOOL ||
	       !strcmp(column->unit, "bar");
}

const char *cells_name(const struct view_column *column)
{
	return column->name ? column->name : column->path;
}

const char *cells_heading(const struct view_column *column)
{
	return column->heading ? column->heading : cells_name(column);
}
