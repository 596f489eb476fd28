/* SPDX-License-Identifier: MIT */
#include "analysis/sweep/data.h"

#include <string.h>

#include "analysis/scenario_data.h"

#define WHOLE_MAX 0x1p63 /* no integer of JSON is larger here */

const struct sweep_interval_member
	sweep_interval_members[SWEEP_INTERVAL_MEMBERS] = {
		{ "mean", offsetof(struct interval, mean) },
		{ "min", offsetof(struct interval, min) },
		{ "max", offsetof(struct interval, max) },
		{ "ci95_low", offsetof(struct interval, low) },
		{ "ci95_high", offsetof(struct interval, high) },
	};

/* A number of pieces or bytes is whole; times and ratios are not. */
enum metric_kind sweep_axis_kind(const struct vary *axis)
{
	if (!axis->is_number)
		return METRIC_TEXT;
	return axis->whole || axis->unit[0] == 'B' ? METRIC_COUNT : METRIC_REAL;
}

struct metric_value sweep_axis_value(const struct vary *axis, uint32_t index)
{
	const struct vary_value *value = &axis->values[index];

	if (!axis->is_number)
		return value_text(value->text);
	if (sweep_axis_kind(axis) == METRIC_COUNT && value->number < WHOLE_MAX)
		return value_count((uint64_t)value->number);
	return value_real(value->number);
}

void sweep_axes_data(struct document *document, struct node *object,
		     const struct sweep *sweep)
{
	struct node *axes = document_list(document, object, "axes");
	struct node *item, *values;
	const struct vary *axis;
	uint32_t i, k;

	for (i = 0; i < sweep->axis_count; i++) {
		axis = &sweep->axes[i];
		item = document_item(document, axes);
		document_set(document, item, "key", METRIC_TEXT,
			     value_text(axis->key));
		document_set(document, item, "unit", METRIC_TEXT,
			     value_text(axis->unit));
		values = document_list(document, item, "values");
		for (k = 0; k < axis->count; k++)
			document_append(document, values, sweep_axis_kind(axis),
					sweep_axis_value(axis, k));
	}
}

void sweep_place_data(struct document *document, struct node *object,
		      const struct sweep *sweep, uint32_t point,
		      uint32_t except)
{
	const struct vary *axis;
	uint32_t i;

	for (i = 0; i < sweep->axis_count; i++) {
		axis = &sweep->axes[i];
		if (i != except)
			document_set_member(
				document, object, axis->key,
				sweep_axis_kind(axis),
				sweep_axis_value(axis,
						 sweep_index(sweep, point, i)));
	}
}

static void set_interval(struct document *document, struct node *point,
			 const char *metric, const struct interval *interval)
{
	struct node *object;
	double value;
	size_t i;

	if (!interval->known) {
		document_set(document, point,
			     document_text(document, "repeat.%s", metric),
			     METRIC_REAL, value_unknown());
		return;
	}
	object = document_object(document, point,
				 document_text(document, "repeat.%s", metric));
	for (i = 0; i < SWEEP_INTERVAL_MEMBERS; i++) {
		memcpy(&value,
		       (const char *)interval +
			       sweep_interval_members[i].offset,
		       sizeof(value));
		document_set(document, object, sweep_interval_members[i].name,
			     METRIC_REAL, value_real(value));
	}
	document_set(document, object, "ci95_half", METRIC_REAL,
		     value_real((interval->high - interval->low) / 2));
}

/* "knee", or of which axes, by number: "knee 1,2". */
static void set_mark(struct document *document, struct node *item,
		     const struct sweep *sweep, uint32_t point)
{
	const char *mark = "";
	struct knee knee;
	uint32_t i;

	for (i = 0; i < sweep->axis_count; i++) {
		knee = sweep_knee(sweep, i, point);
		if (knee.verdict != KNEE_FOUND ||
		    knee.index != sweep_index(sweep, point, i))
			continue;
		if (sweep->axis_count == 1)
			mark = "knee";
		else
			mark = document_text(document, "%s%s%u",
					     *mark ? mark : "knee ",
					     *mark ? "," : "", i + 1);
	}
	if (*mark)
		document_set(document, item, "knee", METRIC_TEXT,
			     value_text(mark));
}

static void add_point(struct document *document, struct node *points,
		      const struct sweep *sweep, uint32_t at)
{
	const struct sweep_point *point = &sweep->points[at];
	struct node *item = document_item(document, points);
	size_t i;

	sweep_place_data(document, document_object(document, item, "at"), sweep,
			 at, sweep->axis_count);
	document_set(document, item, "state", METRIC_TEXT,
		     value_text(point->done ? "done" : "missing"));
	if (!point->done) {
		document_set(document, item, "run.complete", METRIC_BOOL,
			     value_bool(false));
		return;
	}
	document_copy(document, item, "run", point->run);
	for (i = 0; i < SWEEP_CHIEF_COUNT && sweep->repeat > 1; i++)
		set_interval(document, item, sweep_chief_metrics[i],
			     &point->chief[i]);
	set_mark(document, item, sweep, at);
}

static void add_knee(struct document *document, struct node *knees,
		     const struct sweep *sweep, uint32_t axis, uint32_t point)
{
	const struct vary *along = &sweep->axes[axis];
	struct node *item = document_item(document, knees);
	struct knee knee = sweep_knee(sweep, axis, point);
	bool found = knee.verdict == KNEE_FOUND;

	document_set(document, item, "key", METRIC_TEXT,
		     value_text(along->key));
	sweep_place_data(document, document_object(document, item, "fixed"),
			 sweep, point, axis);
	document_set(document, item, "metric", METRIC_TEXT,
		     value_text(sweep_rate_metric(sweep)));
	document_set(document, item, "verdict", METRIC_TEXT,
		     value_text(knee_verdict_name(knee.verdict)));
	document_set(document, item, "value", sweep_axis_kind(along),
		     found ? sweep_axis_value(along, knee.index) :
			     value_unknown());
	document_set(document, item, "estimate", METRIC_REAL,
		     found ? value_real(knee.estimate) : value_unknown());
}

/* One a line along every axis of numbers, where it begins. */
static void add_knees(struct document *document, struct node *knees,
		      const struct sweep *sweep)
{
	uint32_t axis, point;

	for (axis = 0; axis < sweep->axis_count; axis++)
		for (point = 0; point < sweep->point_count; point++)
			if (sweep->axes[axis].is_number &&
			    !sweep_index(sweep, point, axis))
				add_knee(document, knees, sweep, axis, point);
}

void sweep_data(struct document *document, const struct sweep *sweep)
{
	struct node *data = document_data(document);
	struct node *points;
	uint32_t i;

	scenario_data(document, document_object(document, data, "scenario"),
		      sweep->base.scenario);
	setting_data(document, sweep->base.scenario);
	sweep_axes_data(document, data, sweep);
	document_set(document, data, "repeat", METRIC_COUNT,
		     value_count(sweep->repeat));
	document_set(document, data, "explained", METRIC_BOOL,
		     value_bool(sweep->explains));
	document_set(document, data, "complete", METRIC_BOOL,
		     value_bool(sweep->complete));
	points = document_list(document, data, "points");
	for (i = 0; i < sweep->point_count; i++)
		add_point(document, points, sweep, i);
	add_knees(document, document_list(document, data, "knees"), sweep);
}
