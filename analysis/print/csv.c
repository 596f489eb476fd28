/* SPDX-License-Identifier: MIT */
/*
 * A document's chief table as comma-separated values (RFC 4180, lines ended by
 * a newline). A document without one has a row for each of its facts.
 */
#include <string.h>

#include "analysis/print/cells.h"
#include "analysis/print/print.h"

static void write_field(FILE *out, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void write_value(FILE *out, const struct node *node)
{
	enum metric_kind kind = node_kind(node);
	char text[VALUE_TEXT_MAX];

	write_field(out, value_exact(kind, node_value(node, kind), text,
				     sizeof(text)));
}

static void write_table(FILE *out, const struct cells *cells)
{
	size_t row, column;

	for (column = 0; column < cells->column_count; column++) {
		if (column)
			fputc(',', out);
		write_field(out, cells_name(cells->columns[column]));
	}
	fputc('\n', out);
	for (row = 0; row < cells->row_count; row++) {
		for (column = 0; column < cells->column_count; column++) {
			if (column)
				fputc(',', out);
			write_value(out, node_at(cells_item(cells, row),
						 cells->columns[column]->path));
		}
		fputc('\n', out);
	}
}

static void write_facts(FILE *out, const struct document *document,
			const struct view *view)
{
	const struct node *data = document_data_of(document);
	const struct node *object = view->path ? node_at(data, view->path) :
						 data;
	size_t i;

	for (i = 0; i < view->column_count; i++) {
		if (!is_for(view->columns[i].audience, SEEN_IN_CSV))
			continue;
		write_field(out, cells_name(&view->columns[i]));
		fputc(',', out);
		write_value(out, node_at(object, view->columns[i].path));
		fputc('\n', out);
	}
}

int print_csv(FILE *out, struct document *document,
	      const struct text_style *style)
{
	const struct view *chief = document_chief_view(document);
	struct cells cells;
	int error = document_status(document);
	const struct view *view;
	size_t i;

	(void)style;
	if (error)
		return error;
	if (chief) {
		cells = cells_of(document, chief, SEEN_IN_CSV);
		write_table(out, &cells);
		return 0;
	}
	fputs("figure,value\n", out);
	for (i = 0; i < document_view_count(document); i++) {
		view = document_view_at(document, i);
		if (view->kind == VIEW_FACTS &&
		    is_for(view->audience, SEEN_IN_CSV))
			write_facts(out, document, view);
	}
	return 0;
}
