/* SPDX-License-Identifier: MIT */
/* A sweep in a page: a chart for every axis of numbers, with a curve for every
 * way to fix the others, and a table of the points. */
#include "analysis/page/sweep.h"

#include <string.h>

#include "analysis/metric.h"
#include "analysis/page/chart.h"

#define CURVES_MAX 8 /* more have no colours */
#define MARKS_MAX 3
#define AXES_MAX 8
#define LOG_SPAN 16 /* a wider range is shown in logarithms */
#define CAUSES_MAX 40

static const struct node *axis_of(const struct page *page, size_t axis)
{
	return node_item(page->axes, axis);
}

static size_t axis_count(const struct page *page)
{
	size_t count = node_count(page->axes);

	return count < AXES_MAX ? count : AXES_MAX;
}

static const struct node *at_axis(const struct page *page, size_t point,
				  size_t axis)
{
	const struct node *at = node_at(node_item(page->runs, point), "at");
	const char *key = node_text(axis_of(page, axis), "key");

	return key ? node_member(at, key) : NULL;
}

static const char *place_text(const struct page *page, size_t point,
			      size_t axis, char *text, size_t size)
{
	const struct node *value = at_axis(page, point, axis);
	struct metric_value number = node_value(value, METRIC_REAL);
	const char *unit = node_text(axis_of(page, axis), "unit");
	const char *word = node_value(value, METRIC_TEXT).text;

	if (number.known && unit && unit[0])
		return value_human(METRIC_REAL, unit, number, text, size);
	if (number.known)
		snprintf(text, size, "%.9g", number.real);
	else
		snprintf(text, size, "%s", word ? word : "");
	return text;
}

const char *sweep_place(const struct page *page, size_t point, size_t except,
			char *text, size_t size)
{
	char value[VALUE_TEXT_MAX * 2];
	const char *key;
	size_t used = 0, i;

	text[0] = '\0';
	for (i = 0; i < axis_count(page) && used < size; i++) {
		key = node_text(axis_of(page, i), "key");
		if (i == except || !key)
			continue;
		used += (size_t)snprintf(
			text + used, size - used, "%s%s=%s", used ? ", " : "",
			key, place_text(page, point, i, value, sizeof(value)));
	}
	return text;
}

const char *sweep_values(const struct page *page, size_t point, char *text,
			 size_t size)
{
	char value[VALUE_TEXT_MAX * 2];
	size_t used = 0, i;

	text[0] = '\0';
	for (i = 0; i < axis_count(page) && used < size; i++)
		used += (size_t)snprintf(
			text + used, size - used, "%s%s", used ? ", " : "",
			place_text(page, point, i, value, sizeof(value)));
	return text;
}

const char *sweep_keys(const struct page *page, char *text, size_t size)
{
	const char *key;
	size_t used = 0, i;

	text[0] = '\0';
	for (i = 0; i < axis_count(page) && used < size; i++) {
		key = node_text(axis_of(page, i), "key");
		if (key)
			used += (size_t)snprintf(text + used, size - used,
						 "%s%s", used ? ", " : "", key);
	}
	return text;
}

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
		sweep_place(page, point, axis, name, sizeof(name));
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
		sweep_place(page, point, curves->axis, name, sizeof(name));
		share = page_value(page, point, metric);
		if (strcmp(name, curves->name[curve]) || !share.known)
			continue;
		limit = node_text(page_run(page, point), "bottleneck.resource");
		snprintf(line, sizeof(line), "%s: %s %%%s%s",
			 place_text(page, point, curves->axis, at, sizeof(at)),
			 value_human(METRIC_REAL, "%", share, value,
				     sizeof(value)),
			 limit ? ", limited by " : "", limit ? limit : "");
		chart_point(plot,
			    node_value(at_axis(page, point, curves->axis),
				       METRIC_REAL),
			    value_real(share.real * 100), line);
	}
}

/* Knees along an axis. */
static void mark_knees(const struct page *page, struct plot *plot, size_t axis)
{
	const struct node *knees = node_at(page->root, "knees");
	const char *key = node_text(axis_of(page, axis), "key");
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
		value = node_value(at_axis(page, point, axis), METRIC_REAL).real;
		if (!point || value < low)
			low = value;
		if (!point || value > high)
			high = value;
	}
	return low > 0 && high >= LOG_SPAN * low;
}

static void draw_axis(const struct page *page, size_t axis)
{
	const char *key = node_text(axis_of(page, axis), "key");
	const char *metric = page->judged ? "useful_au" : "au";
	char id[32], title[RUN_NAME_MAX + 64];
	struct curves curves;
	struct chart chart = {
		.id = id,
		.kind = "curves",
		.title = title,
		.x_title = key,
		.x_unit = node_text(axis_of(page, axis), "unit"),
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
	return page->run_count > 1 && node_text(axis_of(page, axis), "key") &&
	       node_value(at_axis(page, 0, axis), METRIC_REAL).known;
}

void page_sweep(const struct page *page)
{
	size_t axis;

	page_section(page->out, "sweep", "What changes what",
		     "One simulation a point. A knee is where more stops "
		     "paying: no later point gains as much as 5 % of the rate "
		     "per doubling.");
	for (axis = 0; axis < axis_count(page); axis++)
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
