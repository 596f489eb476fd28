/* SPDX-License-Identifier: MIT */
/*
 * A document as a page: one HTML file that needs nothing else. Its views in
 * order, in sections; at its end the document itself as JSON, so that the page
 * is never parted from its numbers.
 */
#include <errno.h>
#include <stdlib.h>

#include "analysis/page/frame.h"
#include "analysis/page/html.h"
#include "analysis/print/page_chart.h"
#include "analysis/print/page_table.h"
#include "analysis/print/print.h"

struct page_printer {
	FILE *out;
	const struct document *document;
	bool in_section;
	bool in_fold;
};

static const struct node *node_of(const struct page_printer *printer,
				  const struct view *view)
{
	const struct node *data = document_data_of(printer->document);

	return view->path ? node_at(data, view->path) : data;
}

static void write_element(FILE *out, const char *begin, const char *text,
			  const char *end)
{
	fputs(begin, out);
	html_text(out, text ? text : "");
	fputs(end, out);
}

/* ---- what holds other views ---- */

static void end_fold(struct page_printer *printer)
{
	if (printer->in_fold)
		fputs("</details>\n", printer->out);
	printer->in_fold = false;
}

static void end_section(struct page_printer *printer)
{
	end_fold(printer);
	if (printer->in_section)
		fputs("</section>\n", printer->out);
	printer->in_section = false;
}

static void write_section(struct page_printer *printer, const struct view *view)
{
	end_section(printer);
	page_section(printer->out, view->id ? view->id : "section",
		     view->title ? view->title : "",
		     view->about ? view->about : "");
	printer->in_section = true;
}

/* One whose item is the best of all stands open. */
static void write_fold(struct page_printer *printer, const struct view *view)
{
	end_fold(printer);
	fprintf(printer->out, "<details%s>\n", view->best ? " open" : "");
	write_element(printer->out, "<summary>", view->title, "</summary>\n");
	printer->in_fold = true;
}

/* ---- words ---- */

static void write_paragraph(struct page_printer *printer,
			    const struct view *view)
{
	const char *text =
		view->path ?
			node_value(node_of(printer, view), METRIC_TEXT).text :
			view->about;

	if (text)
		write_element(printer->out, "<p>", text, "</p>\n");
}

static void write_notes(struct page_printer *printer, const struct view *view)
{
	const struct node *notes = node_of(printer, view);
	size_t i;

	if (!node_count(notes))
		return;
	fputs("<ul class=\"notes\">\n", printer->out);
	for (i = 0; i < node_count(notes); i++)
		write_element(printer->out, "<li>",
			      node_value(node_item(notes, i), METRIC_TEXT).text,
			      "</li>\n");
	fputs("</ul>\n", printer->out);
}

static void write_pre(struct page_printer *printer, const char *title,
		      const char *text)
{
	if (title)
		write_element(printer->out, "<h3>", title, "</h3>\n");
	write_element(printer->out, "<pre tabindex=\"0\">", text, "</pre>\n");
}

static void write_literal(struct page_printer *printer, const struct view *view)
{
	const char *text = node_value(node_of(printer, view), METRIC_TEXT).text;

	if (text)
		write_pre(printer, view->title, text);
}

static void write_tree(struct page_printer *printer, const struct view *view)
{
	char *json = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&json, &size);

	if (!stream)
		return;
	node_write(stream, node_of(printer, view));
	if (!fclose(stream))
		write_pre(printer, view->title, json);
	free(json);
}

/* ---- values ---- */

static void write_tiles(struct page_printer *printer, const struct view *view)
{
	const struct node *object = node_of(printer, view);
	char text[VALUE_TEXT_MAX], shown[2 * VALUE_TEXT_MAX + 64];
	const struct view_column *column;
	size_t i;

	fputs("<dl class=\"answer\">\n", printer->out);
	for (i = 0; i < view->column_count; i++) {
		column = &view->columns[i];
		if (!node_at(object, column->path))
			continue;
		snprintf(shown, sizeof(shown), "%s%s",
			 node_human(object, column, text),
			 column->unit[0] == '%' ? " %" : "");
		page_tile(printer->out, cells_heading(column), shown,
			  column->help ? column->help : "");
	}
	fputs("</dl>\n", printer->out);
}

static void write_facts(struct page_printer *printer, const struct view *view)
{
	page_facts(printer->out, view, node_of(printer, view));
}

static void write_table(struct page_printer *printer, const struct view *view)
{
	const struct cells cells =
		cells_of(printer->document, view, SEEN_IN_PAGE);

	if (cells.row_count)
		page_rows(printer->out, &cells);
}

static void write_across(struct page_printer *printer, const struct view *view)
{
	const struct cells cells =
		cells_of(printer->document, view, SEEN_IN_PAGE);

	if (cells.row_count)
		page_across(printer->out, &cells);
}

static void write_chart(struct page_printer *printer, const struct view *view)
{
	page_chart(printer->out, view, document_data_of(printer->document));
}

static void (*const writers[VIEW_KIND_COUNT])(struct page_printer *printer,
					      const struct view *view) = {
	[VIEW_SECTION] = write_section,	    [VIEW_FOLD] = write_fold,
	[VIEW_PARAGRAPH] = write_paragraph, [VIEW_NOTES] = write_notes,
	[VIEW_LITERAL] = write_literal,	    [VIEW_FACTS] = write_facts,
	[VIEW_TILES] = write_tiles,	    [VIEW_TABLE] = write_table,
	[VIEW_ACROSS] = write_across,	    [VIEW_CHART] = write_chart,
	[VIEW_TREE] = write_tree,
};

static int write_document(FILE *out, struct document *document)
{
	char *json = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&json, &size);
	int error;

	if (!stream)
		return -ENOMEM;
	error = document_write(stream, document);
	if (fclose(stream))
		error = -ENOMEM;
	if (!error) {
		fputs("<script type=\"application/json\" id=\"result\">", out);
		html_json(out, json, size);
		fputs("</script>\n", out);
	}
	free(json);
	return error;
}

int print_page(FILE *out, struct document *document,
	       const struct text_style *style)
{
	struct page_printer printer = { out, document, false, false };
	const char *title = document_title(document);
	int error = document_status(document);
	const struct view *view;
	size_t i;

	(void)style;
	if (error)
		return error;
	page_begin(out, title[0] ? title : "echosim", document_about(document));
	for (i = 0; i < document_view_count(document); i++) {
		view = document_view_at(document, i);
		if (is_for(view->audience, SEEN_IN_PAGE))
			writers[view->kind](&printer, view);
	}
	end_section(&printer);
	fputs("</main>\n<footer><a id=\"save\" hidden>Save the result as "
	      "JSON</a></footer>\n",
	      out);
	error = write_document(out, document);
	page_end(out);
	return error;
}
