/* SPDX-License-Identifier: MIT */
/* A sweep in a page: a chart for every axis of numbers, with a curve for every
 * way to fix the others, and a table of the points. */
#include "analysis/page/sweep.h"

#include <string.h>

#include "analysis/page/chart.h"
#include "analysis/page/draw.h"
#include "analysis/page/frame.h"
#include "analysis/page/place.h"
#include "analysis/page/table.h"

#define CURVES_MAX 8 /* more have no colours */
#define MARKS_MAX 3
#define LOG_SPAN 16 /* a wider range is shown in logarithms */
#define CAUSES_MAX 40

/* The ways to fix all axes but one. */
struct curves {
	size_t axis;
	size_t count; /* that are drawn */
	bool more;    /* than that */
	char name[CURVES_MAX][RUN_NAME_MAX];
};

static void find_curves(const struct page *page, size_t axis,
			struct curves *curves)
{
	char name[RUN_NAME_MAX];
	size_t point, i;

	*curves = (struct curves){ .axis = axis };
	for (point = 0; point < page->run_count; point++) {
		place_text(page->root, point, axis, name, sizeof(name));
		for (i = 0; i < curves->count; i++)
			if (!strcmp(curves->name[i], name))
				break;
		if (i < curves->count)
			continue;
		if (curves->count == CURVES_MAX)
			curves->more = true;
		else
			memcpy(curves->name[curves->count++], name,
			       sizeof(name));
	}
}

static void draw_curve(const struct page *page, struct plot *plot,
		       const struct curves *curves, size_t curve,
		       const char *metric)
{
	char name[RUN_NAME_MAX], at[RUN_NAME_MAX], value[VALUE_TEXT_MAX];
	char line[2 * RUN_NAME_MAX + VALUE_TEXT_MAX + 32];
	struct metric_value share;
	const char *limit;
	size_t point;

	for (point = 0; point < page->run_count; point++) {
		place_text(page->root, point, curves->axis, name, sizeof(name));
		share = page_value(page, point, metric);
		if (strcmp(name, curves->name[curve]) || !share.known)
			continue;
		limit = node_text(page_run(page, point), "bottleneck.resource");
		snprintf(line, sizeof(line), "%s: %s %%%s%s",
			 place_word(page->root, point, curves->axis, at,
				    sizeof(at)),
			 value_human(METRIC_REAL, "%", share, value,
				     sizeof(value)),
			 limit ? ", limited by " : "", limit ? limit : "");
		chart_point(
			plot,
			node_value(place_at(page->root, point, curves->axis),
				   METRIC_REAL),
			value_real(share.real * 100), line);
	}
}

/* Knees along an axis. */
static void mark_knees(const struct page *page, struct plot *plot, size_t axis)
{
	const struct node *knees = node_at(page->root, "knees");
	const char *key = node_text(place_axis(page->root, axis), "key");
	struct metric_value value;
	double marked[MARKS_MAX];
	size_t count = 0, i, j;
	const char *along;

	for (i = 0; i < node_count(knees) && count < MARKS_MAX; i++) {
		along = node_text(node_item(knees, i), "key");
		value = node_value(node_at(node_item(knees, i), "value"),
				   METRIC_REAL);
		if (!along || strcmp(along, key) || !value.known)
			continue;
		for (j = 0; j < count; j++)
			if (!(marked[j] < value.real) &&
			    !(marked[j] > value.real))
				break;
		if (j < count)
			continue;
		marked[count++] = value.real;
		chart_mark(plot, value, "knee");
	}
}

static bool is_wide(const struct page *page, size_t axis)
{
	double low = 0, high = 0, value;
	size_t point;

	for (point = 0; point < page->run_count; point++) {
		value = node_value(place_at(page->root, point, axis),
				   METRIC_REAL)
				.real;
		if (!point || value < low)
			low = value;
		if (!point || value > high)
			high = value;
	}
	return low > 0 && high >= LOG_SPAN * low;
}

static void draw_axis(const struct page *page, size_t axis)
{
	const char *key = node_text(place_axis(page->root, axis), "key");
	const char *metric = page->judged ? "useful_au" : "au";
	char id[32], title[RUN_NAME_MAX + 64];
	struct curves curves;
	struct chart chart = {
		.id = id,
		.kind = "curves",
		.title = title,
		.x_title = key,
		.x_unit = node_text(place_axis(page->root, axis), "unit"),
		.y_title = page->judged ? "useful AU" : "AU",
		.y_unit = "%",
		.x_log = is_wide(page, axis),
	};
	struct plot plot;
	size_t i;

	find_curves(page, axis, &curves);
	snprintf(id, sizeof(id), "axis-%zu", axis + 1);
	snprintf(title, sizeof(title), "%s over %s%s", chart.y_title, key,
		 curves.more ? " (the first 8 curves)" : "");
	chart_begin(&plot, page->out, &chart);
	for (i = 0; i < curves.count; i++) {
		chart_series(&plot,
			     curves.name[i][0] ? curves.name[i] : chart.y_title,
			     COLOUR_SERIES + (enum chart_colour)i);
		draw_curve(page, &plot, &curves, i, metric);
		chart_series_end(&plot);
	}
	mark_knees(page, &plot, axis);
	chart_end(&plot);
}

/* An axis of words has no curve. */
static bool has_curve(const struct page *page, size_t axis)
{
	return page->run_count > 1 &&
	       node_text(place_axis(page->root, axis), "key") &&
	       node_value(place_at(page->root, 0, axis), METRIC_REAL).known;
}

void page_sweep(const struct page *page)
{
	size_t axis;

	page_section(page->out, "sweep", "What changes what",
		     "One simulation a point. A knee is where more stops "
		     "paying: no later point gains as much as 5 % of the rate "
		     "per doubling.");
	if (page->echoes && !page->judged)
		fputs("<p>What a repeated example is worth is not known, for "
		      "the scenario names no law of training. So AU is no "
		      "measure of strategies here, and points are ranked by "
		      "fresh examples a second.</p>\n",
		      page->out);
	for (axis = 0; axis < place_axis_count(page->root); axis++)
		if (has_curve(page, axis))
			draw_axis(page, axis);
	if (page->run_count <= CAUSES_MAX) {
		page_chart_au(page);
		if (page->explained)
			page_chart_idle(page);
	}
	page_summary(page);
	if (page->explained)
		page_causes(page);
	fputs("</section>\n", page->out);
}
