/* SPDX-License-Identifier: MIT */
/*
 * A document for people: its views in order, each below a blank line,
 * everything within 80 columns. Charts and tiles are for pages.
 */
#include <errno.h>
#include <string.h>

#include "analysis/print/print.h"
#include "analysis/print/text_table.h"
#include "analysis/text.h"

#define NAME_WIDTH 27

struct text_printer {
	FILE *out;
	const struct document *document;
	const struct text_style *style;
	bool begun;	/* something stands there already, ... */
	bool has_note;	/* ... and last a note, ... */
	bool has_words; /* ... or a paragraph */
};

static void begin(struct text_printer *printer)
{
	if (printer->begun)
		fputc('\n', printer->out);
	printer->begun = true;
	printer->has_note = printer->has_words = false;
}

static void begin_titled(struct text_printer *printer, const struct view *view)
{
	begin(printer);
	if (view->title)
		fprintf(printer->out, "%s:\n", view->title);
}

static void write_about(struct text_printer *printer, const struct view *view)
{
	if (!view->about)
		return;
	fputc('\n', printer->out);
	text_paragraph(printer->out, "", "", view->about);
	printer->has_words = true;
}

static const struct node *node_of(const struct text_printer *printer,
				  const struct view *view)
{
	const struct node *data = document_data_of(printer->document);

	return view->path ? node_at(data, view->path) : data;
}

static void write_table(struct text_printer *printer, const struct view *view)
{
	const struct cells cells =
		cells_of(printer->document, view, SEEN_IN_TEXT);

	if (!cells.row_count)
		return;
	begin_titled(printer, view);
	text_cells(printer->out, &cells, printer->style);
	write_about(printer, view);
}

/* What is not known is left out: a reader of text has no use for it. */
static void write_facts(struct text_printer *printer, const struct view *view)
{
	const struct node *object = node_of(printer, view);
	const struct view_column *column;
	char text[VALUE_TEXT_MAX], first[64], rest[NAME_WIDTH + 2];
	size_t i;

	begin_titled(printer, view);
	snprintf(rest, sizeof(rest), "%*s", NAME_WIDTH + 1, "");
	for (i = 0; i < view->column_count; i++) {
		column = &view->columns[i];
		if (!is_for(column->audience, SEEN_IN_TEXT) ||
		    !node_at(object, column->path))
			continue;
		snprintf(first, sizeof(first), "%-*s ", NAME_WIDTH,
			 cells_heading(column));
		text_paragraph(printer->out, first, rest,
			       node_human(object, column, text));
	}
	write_about(printer, view);
}

/* Paragraphs follow each other line by line. */
static void write_paragraph(struct text_printer *printer,
			    const struct view *view)
{
	const char *text =
		view->path ?
			node_value(node_of(printer, view), METRIC_TEXT).text :
			view->about;

	if (!text)
		return;
	if (!printer->has_words)
		begin(printer);
	text_paragraph(printer->out, "", "", text);
	printer->has_words = true;
}

static void write_literal(struct text_printer *printer, const struct view *view)
{
	const char *text = node_value(node_of(printer, view), METRIC_TEXT).text;

	if (!text)
		return;
	begin_titled(printer, view);
	fputs(text, printer->out);
}

static void write_notes(struct text_printer *printer, const struct view *view)
{
	const struct node *notes = node_of(printer, view);
	char first[32];
	const char *text;
	size_t i;

	if (!node_count(notes))
		return;
	snprintf(first, sizeof(first), "%snote:%s ",
		 text_tone_begin(printer->style, TONE_WARNING),
		 text_tone_end(printer->style, TONE_WARNING));
	if (!printer->has_note)
		begin(printer);
	printer->has_note = true;
	for (i = 0; i < node_count(notes); i++) {
		text = node_value(node_item(notes, i), METRIC_TEXT).text;
		text_paragraph(printer->out, first, "      ", text ? text : "");
	}
}

/* How each kind of view is written; NULL: it is for pages. */
static void (*const writers[VIEW_KIND_COUNT])(struct text_printer *printer,
					      const struct view *view) = {
	[VIEW_PARAGRAPH] = write_paragraph, [VIEW_LITERAL] = write_literal,
	[VIEW_NOTES] = write_notes,	    [VIEW_FACTS] = write_facts,
	[VIEW_TABLE] = write_table,
};

int print_text(FILE *out, struct document *document,
	       const struct text_style *style)
{
	struct text_printer printer = { .out = out,
					.document = document,
					.style = style };
	int error = document_status(document);
	const struct view *view;
	size_t i;

	if (error)
		return error;
	for (i = 0; i < document_view_count(document); i++) {
		view = document_view_at(document, i);
		if (is_for(view->audience, SEEN_IN_TEXT) && writers[view->kind])
			writers[view->kind](&printer, view);
	}
	return 0;
}
