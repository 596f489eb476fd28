/* SPDX-License-Identifier: MIT */
/* The page of a result that is neither runs nor a sweep: a plan, a look at a
 * recording. Its advice, its figures by name, and each of its lists as a table;
 * units are those that names end with. */
#include "analysis/page/other.h"

#include <string.h>

#include "analysis/page/chart.h"
#include "analysis/page/frame.h"
#include "analysis/page/html.h"
#include "analysis/page/table.h"
#include "sim/check.h"

#define PATH_MAX_BYTES 192
#define COLUMNS_MAX 24
#define ROWS_MAX 10000
#define DEPTH_MAX 8

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}

static const char *unit_of(const char *key)
{
	if (ends_with(key, "bytes_per_s"))
		return "B/s";
	if (ends_with(key, "_per_s"))
		return "1/s";
	if (ends_with(key, "bytes"))
		return "B";
	return ends_with(key, "_s") ? "s" : "";
}

static bool is_number(const struct node *node)
{
	return node_value(node, METRIC_REAL).known;
}

/* Of whatever kind the value is; "" for lists and objects. */
static const char *shown(const struct node *node, const char *unit, char *text,
			 size_t size)
{
	static const enum metric_kind kinds[] = { METRIC_TEXT, METRIC_BOOL,
						  METRIC_COUNT, METRIC_REAL };
	struct metric_value value;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		value = node_value(node, kinds[i]);
		if (value.known)
			return value_human(kinds[i], unit, value, text, size);
	}
	return "";
}

/* Figures by name: a row each. */

struct figures_walk {
	FILE *out;
	const char *path; /* of the object */
	int depth;
};

static void put_figure(void *context, const char *key, const struct node *value)
{
	const struct figures_walk *walk = context;
	char path[PATH_MAX_BYTES], text[VALUE_TEXT_MAX];
	struct figures_walk inner = { walk->out, path, walk->depth + 1 };
	const char *unit;

	snprintf(path, sizeof(path), "%s%s%s", walk->path,
		 walk->path[0] ? "." : "", key);
	if (node_is_object(value)) {
		if (walk->depth < DEPTH_MAX)
			node_each(value, put_figure, &inner);
		return;
	}
	if (node_count(value) || !strcmp(path, "echosim") ||
	    !strcmp(path, "advice"))
		return;
	fputs("<tr><th scope=\"row\">", walk->out);
	html_text(walk->out, path);
	fputs("</th><td>", walk->out);
	/* Of "latency_s": {"p50": ...} it is the outer name that has the unit. */
	unit = unit_of(key);
	if (!*unit)
		unit = unit_of(walk->path);
	html_text(walk->out, shown(value, unit, text, sizeof(text)));
	fputs("</td></tr>\n", walk->out);
}

void page_names(FILE *out, const struct node *root)
{
	struct figures_walk walk = { out, "", 0 };

	fputs("<div class=\"table\" tabindex=\"0\"><table>\n"
	      "<caption>Figures</caption>\n<thead><tr><th scope=\"col\">figure"
	      "</th><th scope=\"col\">value</th></tr></thead>\n<tbody>\n",
	      out);
	node_each(root, put_figure, &walk);
	fputs("</tbody></table></div>\n", out);
}

/* A list of objects: its columns are the keys that any of them has. */

struct list {
	const struct node *rows;
	size_t row_count;
	struct grid_column columns[COLUMNS_MAX];
	size_t column_count;
};

static void note_column(void *context, const char *key,
			const struct node *value)
{
	struct list *list = context;
	size_t i;

	for (i = 0; i < list->column_count; i++)
		if (!strcmp(list->columns[i].name, key))
			return;
	if (i < COLUMNS_MAX)
		list->columns[list->column_count++] = (struct grid_column){
			.name = key,
			/* The first names its row. */
			.kind = i && is_number(value) ? METRIC_REAL :
							METRIC_TEXT,
		};
}

/* Cells are texts already; a column of numbers stands to the right. */
static struct metric_value list_cell(const void *context, size_t row,
				     size_t column)
{
	static _Thread_local char text[VALUE_TEXT_MAX];
	const struct list *list = context;
	const struct node *item = node_item(list->rows, row);
	const char *key = list->columns[column].name;
	const struct node *value = node_member(item, key);
	const char *unit =
		node_value(node_member(item, "unit"), METRIC_TEXT).text;

	if (!value)
		return value_unknown();
	if (strcmp(key, "value") || !unit)
		unit = unit_of(key);
	return value_text(shown(value, unit, text, sizeof(text)));
}

static void put_list(void *context, const char *key, const struct node *value)
{
	struct list list = { .rows = value, .row_count = node_count(value) };
	struct grid grid = { .columns = list.columns,
			     .context = &list,
			     .cell = list_cell };
	char caption[PATH_MAX_BYTES], *at;
	size_t i;

	if (!node_is_object(node_item(value, 0)))
		return;
	if (list.row_count > ROWS_MAX)
		list.row_count = ROWS_MAX;
	for (i = 0; i < list.row_count; i++)
		node_each(node_item(value, i), note_column, &list);
	grid.column_count = list.column_count;
	grid.row_count = list.row_count;
	snprintf(caption, sizeof(caption), "%s", key);
	while ((at = strchr(caption, '_')))
		*at = ' ';
	page_table(context, &grid, caption, SIZE_MAX);
}

/* What a recording read when. */
static void put_rate(FILE *out, const struct node *rows)
{
	const struct chart chart = {
		.id = "rate",
		.kind = "curves",
		.title = "Bytes read, over time",
		.x_title = "since the first event",
		.x_unit = "s",
		.y_title = "rate",
		.y_unit = "B/s",
	};
	char text[VALUE_TEXT_MAX];
	struct metric_value rate;
	struct plot plot;
	size_t i;

	if (!node_at(node_item(rows, 1), "bytes_per_s"))
		return;
	chart_begin(&plot, out, &chart);
	chart_series(&plot, "bytes", COLOUR_SERIES);
	for (i = 0; i < node_count(rows) && i < ROWS_MAX; i++) {
		const struct node *row = node_item(rows, i);

		rate = node_value(node_at(row, "bytes_per_s"), METRIC_REAL);
		value_human(METRIC_REAL, "B/s", rate, text, sizeof(text));
		chart_point(&plot,
			    node_value(node_at(row, "from_s"), METRIC_REAL),
			    rate, text);
	}
	chart_series_end(&plot);
	chart_end(&plot);
}

void page_other(FILE *out, const struct node *root)
{
	const char *advice = node_text(root, "advice");

	if (advice) {
		fputs("<p class=\"advice\">", out);
		html_text(out, advice);
		fputs("</p>\n", out);
	}
	page_section(out, "lists", "", "");
	put_rate(out, node_at(root, "over_time"));
	page_names(out, root);
	node_each(root, put_list, out);
	fputs("</section>\n", out);
}
