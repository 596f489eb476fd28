/* SPDX-License-Identifier: MIT */
#include "analysis/print/page_chart.h"

#include <string.h>

#include "analysis/page/bands.h"
#include "analysis/page/chart.h"

#define CURVES_MAX 8 /* more have no colours */
#define CURVE_NAME_MAX 192
#define POINT_TEXT_MAX 256
#define MARKS_MAX 8
#define POINTS_MAX 10000

static const char *text_or(const char *text, const char *other)
{
	return text ? text : other;
}

static struct chart frame_of(const struct view *view, const char *kind,
			     size_t bars)
{
	const struct view_chart *chart = &view->chart;

	return (struct chart){
		.id = text_or(view->id, "chart"),
		.kind = kind,
		.title = text_or(view->title, ""),
		.x_title = text_or(chart->x_title, ""),
		.x_unit = text_or(chart->x_unit, ""),
		.y_title = text_or(chart->y_title, ""),
		.y_unit = text_or(chart->y_unit, ""),
		.x_log = chart->x_log,
		.y_log = chart->y_log,
		.bars = bars,
	};
}

static size_t item_count(const struct node *list)
{
	size_t count = node_count(list);

	return count < POINTS_MAX ? count : POINTS_MAX;
}

static void draw_marks(struct plot *plot, const struct node *marks)
{
	const struct node *mark;
	size_t i;

	for (i = 0; i < node_count(marks) && i < MARKS_MAX; i++) {
		mark = node_item(marks, i);
		chart_mark(plot, node_value(node_at(mark, "x"), METRIC_REAL),
			   text_or(node_text(mark, "text"), ""));
	}
}

/* ---- bars ---- */

static void draw_bars(FILE *out, const struct view *view,
		      const struct node *list, const struct node *marks)
{
	bool stacked = view->chart.kind == CHART_STACKED;
	size_t count = item_count(list), i, k;
	const struct chart chart =
		frame_of(view, stacked ? "stacked" : "bars",
			 stacked ? count : count * view->column_count);
	const struct view_column *column;
	enum chart_colour colour;
	struct plot plot;

	chart_begin(&plot, out, &chart);
	for (i = 0; i < count; i++)
		chart_label(&plot, view->label ?
					   text_or(node_text(node_item(list, i),
							     view->label),
						   "") :
					   "");
	for (k = 0; k < view->column_count; k++) {
		column = &view->columns[k];
		colour = view->chart.shades ?
				 (enum chart_colour)view->chart.shades[k] :
				 COLOUR_SERIES + (enum chart_colour)k;
		chart_series(&plot, cells_heading(column), colour);
		for (i = 0; i < count; i++)
			chart_bar(&plot, column->unit,
				  node_value(node_at(node_item(list, i),
						     column->path),
					     METRIC_REAL));
		chart_series_end(&plot);
	}
	draw_marks(&plot, marks);
	chart_end(&plot);
}

/* ---- curves ---- */

/* The name of the curve that an item belongs to: its words of all columns,
 * each behind its heading if it has one. */
static const char *curve_name(const struct view *view, const struct node *item,
			      char name[CURVE_NAME_MAX])
{
	char text[VALUE_TEXT_MAX];
	size_t used = 0, i;
	const char *heading;

	name[0] = '\0';
	for (i = 0; i < view->column_count && used < CURVE_NAME_MAX; i++) {
		heading = cells_heading(&view->columns[i]);
		used += (size_t)snprintf(
			name + used, CURVE_NAME_MAX - used, "%s%s%s%s",
			used ? ", " : "", heading, *heading ? "=" : "",
			node_human(item, &view->columns[i], text));
	}
	return name;
}

/* What is said at a point: "8: 97.5 %, device bandwidth". */
static void point_text(const struct view_chart *chart, const struct node *item,
		       char line[POINT_TEXT_MAX])
{
	const struct view_column x =
		COLUMN(chart->x, METRIC_REAL, text_or(chart->x_unit, ""), NULL);
	const struct view_column y =
		COLUMN(chart->y, METRIC_REAL, text_or(chart->y_unit, ""), NULL);
	const char *text = chart->text ? node_text(item, chart->text) : NULL;
	char at[VALUE_TEXT_MAX], value[VALUE_TEXT_MAX];

	snprintf(line, POINT_TEXT_MAX, "%s: %s%s%s%s", node_human(item, &x, at),
		 node_human(item, &y, value), *y.unit == '%' ? " %" : "",
		 text ? ", " : "", text_or(text, ""));
}

static void draw_curve(struct plot *plot, const struct view *view,
		       const struct node *list, const char *name)
{
	const struct view_chart *chart = &view->chart;
	bool percent = chart->y_unit && !strcmp(chart->y_unit, "%");
	char own[CURVE_NAME_MAX], line[POINT_TEXT_MAX];
	struct metric_value x, y;
	const struct node *item;
	size_t i;

	for (i = 0; i < item_count(list); i++) {
		item = node_item(list, i);
		x = node_value(node_at(item, chart->x), METRIC_REAL);
		y = node_value(node_at(item, chart->y), METRIC_REAL);
		if (!x.known || !y.known ||
		    strcmp(curve_name(view, item, own), name) != 0)
			continue;
		point_text(chart, item, line);
		chart_point(plot, x, percent ? value_real(y.real * 100) : y,
			    line);
	}
}

static size_t find_curves(const struct view *view, const struct node *list,
			  char names[CURVES_MAX][CURVE_NAME_MAX])
{
	char name[CURVE_NAME_MAX];
	size_t count = 0, i, k;

	for (i = 0; i < item_count(list) && count < CURVES_MAX; i++) {
		curve_name(view, node_item(list, i), name);
		for (k = 0; k < count && strcmp(names[k], name) != 0; k++)
			;
		if (k == count)
			memcpy(names[count++], name, sizeof(name));
	}
	return count;
}

static void draw_curves(FILE *out, const struct view *view,
			const struct node *list, const struct node *marks)
{
	const struct chart chart = frame_of(view, "curves", 0);
	char names[CURVES_MAX][CURVE_NAME_MAX];
	size_t count = find_curves(view, list, names), i;
	struct plot plot;

	chart_begin(&plot, out, &chart);
	for (i = 0; i < count; i++) {
		chart_series(&plot, names[i][0] ? names[i] : chart.y_title,
			     COLOUR_SERIES + (enum chart_colour)i);
		draw_curve(&plot, view, list, names[i]);
		chart_series_end(&plot);
	}
	draw_marks(&plot, marks);
	chart_end(&plot);
}

void page_chart(FILE *out, const struct view *view, const struct node *data)
{
	const struct node *subject = view->path ? node_at(data, view->path) :
						  data;
	const struct node *marks =
		view->chart.marks ? node_at(data, view->chart.marks) : NULL;

	switch (view->chart.kind) {
	case CHART_BANDS:
		page_bands(out, subject);
		return;
	case CHART_CURVES:
		if (item_count(subject))
			draw_curves(out, view, subject, marks);
		return;
	default:
		if (item_count(subject))
			draw_bars(out, view, subject, marks);
	}
}
