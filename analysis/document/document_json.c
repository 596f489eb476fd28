/* SPDX-License-Identifier: MIT */
/*
 * A document as JSON: the data as it is, and under "document" how it is seen.
 * What is read back may come from anywhere, so a view is taken only when all
 * that it names is of the right kind.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/document/state.h"
#include "analysis/version.h"

#define LAYOUT "document"
#define VIEWS_MAX 4096
#define COLUMNS_MAX 512

static const char *const view_kinds[VIEW_KIND_COUNT] = {
	[VIEW_SECTION] = "section", [VIEW_FOLD] = "fold",
	[VIEW_PARAGRAPH] = "text",  [VIEW_NOTES] = "notes",
	[VIEW_LITERAL] = "literal", [VIEW_FACTS] = "facts",
	[VIEW_TILES] = "tiles",	    [VIEW_TABLE] = "table",
	[VIEW_ACROSS] = "across",   [VIEW_CHART] = "chart",
	[VIEW_TREE] = "tree",
};

static const char *const chart_kinds[VIEW_CHART_KIND_COUNT] = {
	[CHART_BARS] = "bars",
	[CHART_STACKED] = "stacked",
	[CHART_CURVES] = "curves",
	[CHART_BANDS] = "bands",
};

/* By the number of enum audience, which is a sum. */
static const char *const audiences[] = {
	[SEEN_BY_ALL] = "all",
	[SEEN_IN_TEXT] = "text",
	[SEEN_IN_PAGE] = "page",
	[SEEN_BY_PEOPLE] = "people",
	[SEEN_IN_CSV] = "csv",
	[SEEN_IN_TEXT | SEEN_IN_CSV] = "text and csv",
	[SEEN_IN_PAGE | SEEN_IN_CSV] = "page and csv",
};

static const char *const kinds[] = {
	[METRIC_BOOL] = "bool",	    [METRIC_COUNT] = "count",
	[METRIC_REAL] = "real",	    [METRIC_TEXT] = "text",
	[METRIC_DIGEST] = "digest",
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The texts of a view, a chart and a column: the member of JSON and that of
 * the struct. One table for writing and reading. */
struct text_member {
	const char *name;
	size_t offset;
};

#define TEXT(type, member)                                                     \
	{                                                                      \
#member, offsetof(struct type, member)                         \
	}

static const struct text_member view_texts[] = {
	TEXT(view, id),	  TEXT(view, title), TEXT(view, about),
	TEXT(view, path), TEXT(view, label), TEXT(view, best),
};

static const struct text_member chart_texts[] = {
	TEXT(view_chart, x),	   TEXT(view_chart, y),
	TEXT(view_chart, text),	   TEXT(view_chart, marks),
	TEXT(view_chart, x_title), TEXT(view_chart, x_unit),
	TEXT(view_chart, y_title), TEXT(view_chart, y_unit),
};

static const struct text_member column_texts[] = {
	TEXT(view_column, path),    TEXT(view_column, unit),
	TEXT(view_column, heading), TEXT(view_column, warning),
	TEXT(view_column, help),    TEXT(view_column, name),
};

/* ---- writing ---- */

static int put_texts(struct node *object, const struct text_member *members,
		     size_t count, const void *from)
{
	const char *text;
	int error = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		memcpy(&text, (const char *)from + members[i].offset,
		       sizeof(text));
		if (text && (*text || strcmp(members[i].name, "unit") != 0))
			error |= node_set(object, members[i].name, METRIC_TEXT,
					  value_text(text));
	}
	return error;
}

static int put_text(struct node *object, const char *name, const char *text)
{
	return node_set(object, name, METRIC_TEXT, value_text(text));
}

static int put_column(struct node *list, const struct view_column *column)
{
	struct node *object = node_append_object(list);
	int error = !object;

	if (error)
		return error;
	error |=
		put_texts(object, column_texts, COUNT_OF(column_texts), column);
	error |= put_text(object, "kind", kinds[column->kind]);
	if (column->audience != SEEN_BY_ALL)
		error |= put_text(object, "for", audiences[column->audience]);
	return error;
}

static int put_chart(struct node *object, const struct view *view)
{
	const struct view_chart *chart = &view->chart;
	struct node *shades;
	int error = put_text(object, "kind", chart_kinds[chart->kind]);
	size_t i;

	error |= put_texts(object, chart_texts, COUNT_OF(chart_texts), chart);
	error |= node_set(object, "x_log", METRIC_BOOL,
			  value_bool(chart->x_log));
	error |= node_set(object, "y_log", METRIC_BOOL,
			  value_bool(chart->y_log));
	if (!chart->shades)
		return error;
	shades = node_make_list(object, "shades");
	for (i = 0; i < view->column_count; i++)
		error |= !shades || node_append(shades, METRIC_COUNT,
						value_count(chart->shades[i]));
	return error;
}

static int put_view(struct node *list, const struct view *view)
{
	struct node *object = node_append_object(list);
	struct node *columns, *chart;
	int error = !object;
	size_t i;

	if (error)
		return error;
	error |= put_text(object, "view", view_kinds[view->kind]);
	if (view->audience != SEEN_BY_ALL)
		error |= put_text(object, "for", audiences[view->audience]);
	error |= put_texts(object, view_texts, COUNT_OF(view_texts), view);
	if (view->kind == VIEW_CHART) {
		chart = node_make_object(object, "chart");
		error |= !chart || put_chart(chart, view);
	}
	if (!view->column_count)
		return error;
	columns = node_make_list(object, "columns");
	error |= !columns;
	for (i = 0; i < view->column_count && !error; i++)
		error |= put_column(columns, &view->columns[i]);
	return error;
}

/* The document's own data and, for as long as it is written, its layout. */
static int put_layout(struct node *layout, const struct document *document)
{
	struct node *views = node_make_list(layout, "views");
	int error = !views;
	size_t i;

	error |= put_text(layout, "title", document->title);
	error |= put_text(layout, "about", document->about);
	if (document->chief)
		error |= put_text(layout, "chief", document->chief);
	for (i = 0; i < document->view_count && !error; i++)
		error |= put_view(views, &document->views[i]);
	return error;
}

int document_write(FILE *out, struct document *document)
{
	struct node *layout;
	int error = document_status(document);

	if (error)
		return error;
	layout = node_make_object(document->data, LAYOUT);
	if (!layout || put_layout(layout, document))
		error = -ENOMEM;
	if (!error) {
		node_write(out, document->data);
		fputc('\n', out);
	}
	node_free(node_remove(document->data, LAYOUT));
	return error;
}

/* ---- reading ---- */

/* What was wrong first; nothing is said of the rest. */
struct reading {
	struct document *document;
	struct fault *fault;
	bool wrong;
};

static void refuse(struct reading *reading, const char *what,
		   const char *expected)
{
	if (!reading->wrong)
		fault_set(reading->fault, reading->fault->file, 0,
			  "%s; expected %s", what, expected);
	reading->wrong = true;
}

/* Which of these names the text at a member is; `fallback` when there is
 * none. */
static size_t get_name(struct reading *reading, const struct node *object,
		       const char *member, const char *const *names,
		       size_t count, size_t fallback)
{
	const char *text = node_text(object, member);
	char what[64];
	size_t i;

	if (!text && !node_at(object, member))
		return fallback;
	for (i = 0; text && i < count; i++)
		if (names[i] && !strcmp(text, names[i]))
			return i;
	snprintf(what, sizeof(what), "\"%s\" of a view", member);
	refuse(reading, what, "a word that echosim writes there");
	return fallback;
}

static void get_texts(const struct node *object,
		      const struct text_member *members, size_t count, void *to)
{
	const char *text;
	size_t i;

	for (i = 0; i < count; i++) {
		text = node_text(object, members[i].name);
		memcpy((char *)to + members[i].offset, &text, sizeof(text));
	}
}

static void get_column(struct reading *reading, const struct node *object,
		       struct view_column *column)
{
	get_texts(object, column_texts, COUNT_OF(column_texts), column);
	column->kind = (enum metric_kind)get_name(
		reading, object, "kind", kinds, COUNT_OF(kinds), METRIC_TEXT);
	column->audience =
		(enum audience)get_name(reading, object, "for", audiences,
					COUNT_OF(audiences), SEEN_BY_ALL);
	if (!column->path)
		refuse(reading, "a column of a view without \"path\"",
		       "the path of a value");
	if (!column->unit)
		column->unit = "";
}

static void get_shades(struct reading *reading, const struct node *object,
		       struct view *view)
{
	const struct node *list = node_at(object, "shades");
	enum view_shade *shades;
	size_t i;

	if (!list)
		return;
	shades = document_room(reading->document,
			       view->column_count * sizeof(*shades));
	for (i = 0; shades && i < view->column_count; i++)
		shades[i] = (enum view_shade)node_value(node_item(list, i),
							METRIC_COUNT)
				    .count;
	view->chart.shades = shades;
}

static void get_chart(struct reading *reading, const struct node *object,
		      struct view *view)
{
	struct view_chart *chart = &view->chart;

	get_texts(object, chart_texts, COUNT_OF(chart_texts), chart);
	chart->kind = (enum view_chart_kind)get_name(reading, object, "kind",
						     chart_kinds,
						     VIEW_CHART_KIND_COUNT,
						     CHART_BARS);
	chart->x_log = node_value(node_at(object, "x_log"), METRIC_BOOL).real >
		       0;
	chart->y_log = node_value(node_at(object, "y_log"), METRIC_BOOL).real >
		       0;
	if (chart->kind == CHART_CURVES && (!chart->x || !chart->y))
		refuse(reading, "curves without \"x\" or \"y\"",
		       "the paths of both");
	get_shades(reading, object, view);
}

static void get_view(struct reading *reading, const struct node *object)
{
	const struct node *list = node_at(object, "columns");
	struct view_column *columns;
	struct view view = { 0 };
	size_t i;

	if (!node_text(object, "view"))
		refuse(reading, "\"view\" of a view",
		       "a word that echosim writes there");
	view.kind = (enum view_kind)get_name(reading, object, "view",
					     view_kinds, VIEW_KIND_COUNT,
					     VIEW_PARAGRAPH);
	view.audience = (enum audience)get_name(reading, object, "for",
						audiences, COUNT_OF(audiences),
						SEEN_BY_ALL);
	get_texts(object, view_texts, COUNT_OF(view_texts), &view);
	view.column_count = node_count(list);
	if (view.column_count > COLUMNS_MAX)
		refuse(reading, "a view with more than 512 columns", "fewer");
	if (reading->wrong)
		return;
	columns = document_columns(reading->document, view.column_count);
	view.columns = columns;
	for (i = 0; columns && i < view.column_count; i++)
		get_column(reading, node_item(list, i), &columns[i]);
	if (view.kind == VIEW_CHART)
		get_chart(reading, node_at(object, "chart"), &view);
	document_view(reading->document, &view);
}

/* ---- is the data what the views say? ---- */

static const char *kind_expected(enum metric_kind kind)
{
	switch (kind) {
	case METRIC_BOOL:
		return "true or false";
	case METRIC_COUNT:
		return "a whole number";
	case METRIC_REAL:
		return "a number";
	case METRIC_DIGEST:
		return "16 hexadecimal digits";
	default:
		return "a text";
	}
}

static void check_value(struct reading *reading, const struct node *item,
			const struct view_column *column, const char *where)
{
	const struct node *node = node_at(item, column->path);
	char what[200];

	if (!node || node_value(node, column->kind).known)
		return;
	snprintf(what, sizeof(what), "%s%.100s", where, column->path);
	refuse(reading, what, kind_expected(column->kind));
}

static void check_view(struct reading *reading, const struct view *view)
{
	const struct node *data = reading->document->data;
	const struct node *subject = view->path ? node_at(data, view->path) :
						  data;
	size_t rows = node_is_list(subject) ? node_count(subject) : 1;
	const struct node *item;
	char where[80];
	size_t row, i;

	for (row = 0; row < rows && !reading->wrong; row++) {
		item = node_is_list(subject) ? node_item(subject, row) :
					       subject;
		if (node_is_list(subject))
			snprintf(where, sizeof(where), "%.40s[%zu].",
				 view->path, row);
		else
			snprintf(where, sizeof(where), "%.40s%s",
				 view->path ? view->path : "",
				 view->path ? "." : "");
		for (i = 0; i < view->column_count && item; i++)
			check_value(reading, item, &view->columns[i], where);
	}
}

static void get_layout(struct reading *reading, const struct node *layout)
{
	const struct node *views = node_at(layout, "views");
	struct document *document = reading->document;
	const char *title = node_text(layout, "title");
	const char *about = node_text(layout, "about");
	size_t i;

	if (!node_is_list(views) || node_count(views) > VIEWS_MAX)
		refuse(reading, "no \"document.views\"",
		       "a result as --format json of this version writes it");
	document->title = title ? title : "echosim";
	document->about = about ? about : "";
	document->chief = node_text(layout, "chief");
	for (i = 0; i < node_count(views) && !reading->wrong; i++)
		get_view(reading, node_item(views, i));
	for (i = 0; i < document->view_count && !reading->wrong; i++)
		check_view(reading, &document->views[i]);
}

int document_parse(struct document **result, const char *text, size_t size,
		   struct fault *fault)
{
	struct document *document = document_new();
	struct reading reading = { document, fault, false };
	struct node *data = NULL;
	int error = document_status(document);

	if (!error)
		error = node_parse(&data, text, size, fault);
	if (!error) {
		node_free(document->data);
		document->data = data;
		error = version_check(node_text(data, "echosim"), fault);
	}
	if (!error) {
		document->layout = node_remove(data, LAYOUT);
		get_layout(&reading, document->layout);
		error = reading.wrong ? -EINVAL : document_status(document);
	}
	if (error)
		document_free(document);
	else
		*result = document;
	return error;
}
