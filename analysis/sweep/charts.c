/* SPDX-License-Identifier: MIT */
/* The charts of a sweep: one for each axis of numbers, with a curve for every
 * way to fix the others, and where its knees are. */
#include "analysis/sweep/views.h"

#include <string.h>

#define LOG_SPAN 16 /* a wider range is shown in logarithms */

/* Headings of an axis: the last two words of its key, one below the other. */
static const char *axis_heading(struct document *document, const char *key)
{
	const char *last = strrchr(key, '.');
	const char *before = last;

	if (!last)
		return key;
	while (before > key && before[-1] != '.')
		before--;
	return document_text(document, "%.*s\n%s", (int)(last - before), before,
			     last + 1);
}

struct view_column sweep_axis_column(struct document *document,
				     const struct vary *axis)
{
	return (struct view_column){
		.path = document_text(document, "at.%s", axis->key),
		.kind = sweep_axis_kind(axis),
		.unit = axis->unit,
		.heading = axis_heading(document, axis->key),
		.name = axis->key,
	};
}

/* The values of an axis at which some line has its knee, each once. */
static const char *add_marks(struct document *document,
			     const struct sweep *sweep, uint32_t axis)
{
	const char *path = document_text(document, "marks.axis-%u", axis + 1);
	struct node *marks = NULL, *item;
	bool marked[VARY_VALUES_MAX] = { false };
	struct knee knee;
	uint32_t point;

	for (point = 0; point < sweep->point_count; point++) {
		knee = sweep_knee(sweep, axis, point);
		if (knee.verdict != KNEE_FOUND || marked[knee.index])
			continue;
		marked[knee.index] = true;
		if (!marks)
			marks = document_list(document, document_data(document),
					      path);
		item = document_item(document, marks);
		document_set(document, item, "x",
			     sweep_axis_kind(&sweep->axes[axis]),
			     sweep_axis_value(&sweep->axes[axis], knee.index));
		document_set(document, item, "text", METRIC_TEXT,
			     value_text("knee"));
	}
	return marks ? path : NULL;
}

static bool is_wide(const struct vary *axis)
{
	double low = axis->values[0].number;

	return low > 0 &&
	       axis->values[axis->count - 1].number >= LOG_SPAN * low;
}

bool sweep_is_judged(const struct sweep *sweep)
{
	uint32_t i;

	for (i = 0; i < sweep->point_count; i++)
		if (sweep->points[i].done &&
		    sweep_value(sweep, i, "useful_au").known)
			return true;
	return false;
}

static void add_chart(struct document *document, const struct sweep *sweep,
		      uint32_t index, bool judged)
{
	const struct vary *axis = &sweep->axes[index];
	struct view_column *group =
		document_columns(document, sweep->axis_count);
	const char *title = judged ? "useful AU" : "AU";
	size_t count = 0;
	uint32_t i;

	if (!group)
		return;
	for (i = 0; i < sweep->axis_count; i++) {
		if (i == index)
			continue;
		group[count] = sweep_axis_column(document, &sweep->axes[i]);
		group[count++].heading = sweep->axes[i].key;
	}
	document_view(
		document,
		&(struct view){
			.kind = VIEW_CHART,
			.id = document_text(document, "axis-%u", index + 1),
			.title = document_text(document, "%s over %s", title,
					       axis->key),
			.path = "points",
			.columns = group,
			.column_count = count,
			.chart = { .kind = CHART_CURVES,
				   .x = document_text(document, "at.%s",
						      axis->key),
				   .y = judged ? "run.useful_au" : "run.au",
				   .text = "run.bottleneck.resource",
				   .marks = add_marks(document, sweep, index),
				   .x_title = axis->key,
				   .x_unit = axis->unit,
				   .y_title = title,
				   .y_unit = "%",
				   .x_log = is_wide(axis) },
		});
}

static bool has_echo(const struct sweep *sweep)
{
	struct metric_value place;
	uint32_t i;

	for (i = 0; i < sweep->point_count; i++) {
		if (!sweep->points[i].done)
			continue;
		place = sweep_value(sweep, i, "strategy.place");
		if (strcmp(place.text, "none") != 0)
			return true;
	}
	return false;
}

static const struct view unjudged = {
	.kind = VIEW_PARAGRAPH,
	.audience = SEEN_IN_PAGE,
	.about = "What a repeated example is worth is not known, for the "
		 "scenario names no law of training. So AU is no measure of "
		 "strategies here, and points are ranked by fresh examples a "
		 "second.",
};

void sweep_charts(struct document *document, const struct sweep *sweep,
		  bool judged)
{
	uint32_t i;

	document_section(document, "sweep", "What changes what",
			 "One simulation a point. A knee is where more stops "
			 "paying: no later point gains as much as 5 % of the "
			 "rate per doubling.");
	if (!judged && has_echo(sweep))
		document_view(document, &unjudged);
	for (i = 0; i < sweep->axis_count; i++)
		if (sweep->axes[i].is_number && sweep->axes[i].count > 1)
			add_chart(document, sweep, i, judged);
}
