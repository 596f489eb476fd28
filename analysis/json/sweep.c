/* SPDX-License-Identifier: MIT */
/* A sweep as JSON, in the frame of every result: its axes, its points with the
 * run of each, its knees. */
#include <errno.h>

#include "analysis/json/build.h"
#include "analysis/json/sweep.h"
#include "analysis/json/write.h"
#include "analysis/sweep/sweep.h"
#include "analysis/version.h"

#define WHOLE_MAX 0x1p63 /* no integer of JSON is larger here */

/* A number of pieces or bytes is whole; times and ratios are not. */
static json_t *number_json(const struct vary *axis, double number)
{
	bool bytes = axis->unit[0] == 'B';

	if ((axis->whole || bytes) && number < WHOLE_MAX)
		return json_integer((json_int_t)number);
	return json_real(number);
}

static json_t *axis_value(const struct vary *axis, uint32_t index)
{
	const struct vary_value *value = &axis->values[index];

	return axis->is_number ? number_json(axis, value->number) :
				 json_of_text(value->text);
}

static json_t *axis_json(const struct vary *axis)
{
	json_t *values = json_array();
	int error = 0;
	uint32_t i;

	for (i = 0; i < axis->count; i++)
		error |= json_array_append_new(values, axis_value(axis, i));
	if (error) {
		json_decref(values);
		return NULL;
	}
	return json_pack("{s:s, s:s, s:o}", "key", axis->key, "unit",
			 axis->unit, "values", values);
}

json_t *json_of_axes(const struct sweep *sweep)
{
	json_t *axes = json_array();
	int error = 0;
	uint32_t i;

	for (i = 0; i < sweep->axis_count; i++)
		error |=
			json_array_append_new(axes, axis_json(&sweep->axes[i]));
	if (error) {
		json_decref(axes);
		return NULL;
	}
	return axes;
}

/* Where a point is, on all axes but `except`. */
static json_t *place_json(const struct sweep *sweep, uint32_t point,
			  uint32_t except)
{
	json_t *at = json_object();
	int error = 0;
	uint32_t i;

	for (i = 0; i < sweep->axis_count; i++)
		if (i != except)
			error |= json_object_set_new(
				at, sweep->axes[i].key,
				axis_value(&sweep->axes[i],
					   sweep_index(sweep, point, i)));
	if (error) {
		json_decref(at);
		return NULL;
	}
	return at;
}

json_t *json_of_place(const struct sweep *sweep, uint32_t point)
{
	return place_json(sweep, point, sweep->axis_count);
}

static json_t *interval_json(const struct interval *interval)
{
	if (!interval->known)
		return json_null();
	return json_pack("{s:f, s:f, s:f, s:f, s:f}", "mean", interval->mean,
			 "min", interval->min, "max", interval->max, "ci95_low",
			 interval->low, "ci95_high", interval->high);
}

static json_t *repeat_json(const struct sweep_point *point)
{
	json_t *object = json_object();
	int error = 0;
	size_t i;

	for (i = 0; i < SWEEP_CHIEF_COUNT; i++)
		error |= json_set(object, sweep_chief_metrics[i],
				  interval_json(&point->chief[i]));
	if (error) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *point_json(const struct sweep *sweep, uint32_t at)
{
	const struct sweep_point *point = &sweep->points[at];
	json_t *object = json_object();
	int error;

	error = json_set(object, "at", json_of_place(sweep, at));
	error |= json_set(object, "run", json_loads(point->run, 0, NULL));
	if (sweep->repeat > 1)
		error |= json_set(object, "repeat", repeat_json(point));
	if (error) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *points_json(const struct sweep *sweep)
{
	json_t *points = json_array();
	int error = 0;
	uint32_t i;

	for (i = 0; i < sweep->point_count; i++)
		if (sweep->points[i].done)
			error |= json_array_append_new(points,
						       point_json(sweep, i));
	if (error) {
		json_decref(points);
		return NULL;
	}
	return points;
}

static json_t *knee_json(const struct sweep *sweep, uint32_t axis,
			 uint32_t point)
{
	const struct vary *along = &sweep->axes[axis];
	struct knee knee = sweep_knee(sweep, axis, point);
	bool found = knee.verdict == KNEE_FOUND;

	return json_pack("{s:s, s:o, s:s, s:s, s:o, s:o}", "key", along->key,
			 "fixed", place_json(sweep, point, axis), "metric",
			 sweep_rate_metric(sweep), "verdict",
			 knee_verdict_name(knee.verdict), "value",
			 found ? axis_value(along, knee.index) : json_null(),
			 "estimate",
			 found ? json_real(knee.estimate) : json_null());
}

/* One a line along every axis of numbers, where it begins. */
static json_t *knees_json(const struct sweep *sweep)
{
	json_t *knees = json_array();
	uint32_t axis, point;
	int error = 0;

	for (axis = 0; axis < sweep->axis_count; axis++)
		for (point = 0; point < sweep->point_count; point++)
			if (sweep->axes[axis].is_number &&
			    !sweep_index(sweep, point, axis))
				error |= json_array_append_new(
					knees, knee_json(sweep, axis, point));
	if (error) {
		json_decref(knees);
		return NULL;
	}
	return knees;
}

int sweep_json(FILE *out, const struct sweep_report *report)
{
	const struct sweep *sweep = report->sweep;
	json_t *document = json_object();
	struct notes notes = { 0 };
	int error;

	sweep_notes(sweep, &notes);
	error = json_set(document, "echosim", json_string(ECHOSIM_VERSION));
	error |= json_set(document, "scenario",
			  json_of_scenario(sweep->base.scenario));
	error |= json_set(document, "axes", json_of_axes(sweep));
	error |= json_set(document, "repeat", json_integer(sweep->repeat));
	error |= json_set(document, "explained", json_boolean(sweep->explains));
	error |= json_set(document, "complete", json_boolean(sweep->complete));
	error |= json_set(document, "points", points_json(sweep));
	error |= json_set(document, "knees", knees_json(sweep));
	error |= json_set(document, "notes", json_of_notes(&notes));
	error |= json_set(document, "host",
			  json_of_host(report->host, report->host_count,
				       report->notes));
	if (!error) {
		json_write_tree(out, document, 0);
		fputc('\n', out);
	}
	json_decref(document);
	return error ? -ENOMEM : 0;
}
