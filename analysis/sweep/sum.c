/* SPDX-License-Identifier: MIT */
/* What the jobs of a sweep come to: its points, repetitions and knees. */
#include <string.h>

#include "analysis/burst.h"
#include "analysis/metric.h"
#include "analysis/sweep/sweep.h"
#include "sim/check.h"

static void sum_up(const struct sweep_sample *samples, uint32_t repeat,
		   struct sweep_point *point)
{
	double values[SWEEP_REPEAT_MAX];
	uint32_t turn, known;
	size_t i;

	for (i = 0; i < SWEEP_CHIEF_COUNT; i++) {
		known = 0;
		for (turn = 0; turn < repeat; turn++)
			if (samples[turn].chief[i].known)
				values[known++] = samples[turn].chief[i].real;
		if (known == repeat)
			point->chief[i] = interval_of(values, repeat);
	}
}

static void finish_points(struct sweep *sweep)
{
	const struct sweep_sample *samples = sweep->samples;
	struct sweep_point *point;
	uint32_t i, turn;

	for (i = 0; i < sweep->point_count; i++) {
		point = &sweep->points[i];
		samples = &sweep->samples[i * sweep->repeat];
		if (point->done)
			continue;
		for (turn = 0; turn < sweep->repeat; turn++)
			if (!samples[turn].done)
				break;
		point->done = turn == sweep->repeat;
		if (point->done)
			sum_up(samples, sweep->repeat, point);
	}
}

uint32_t sweep_done_count(const struct sweep *sweep)
{
	uint32_t count = 0, i;

	for (i = 0; i < sweep->point_count; i++)
		count += sweep->points[i].done;
	return count;
}

static bool is_burst(const struct sweep *sweep, uint32_t point)
{
	struct metric_value at_start, sustained;

	if (!sweep->points[point].done ||
	    !sweep_value(sweep, point, "burst.lasts_s").known)
		return false;
	at_start = sweep_value(sweep, point, "fresh_examples_per_s");
	sustained = sweep_value(sweep, point, "sustained.fresh_per_s");
	return burst_differs(at_start.real, sustained.real);
}

uint32_t sweep_bursts(const struct sweep *sweep, double *first_s)
{
	uint32_t count = 0, i;
	double lasts_s;

	*first_s = 0;
	for (i = 0; i < sweep->point_count; i++) {
		if (!is_burst(sweep, i))
			continue;
		lasts_s = sweep_value(sweep, i, "burst.lasts_s").real;
		if (!count++ || lasts_s < *first_s)
			*first_s = lasts_s;
	}
	return count;
}

void sweep_notes(const struct sweep *sweep, struct notes *notes)
{
	char text[VALUE_TEXT_MAX];
	double first_s;
	uint32_t count = sweep_bursts(sweep, &first_s);

	if (count)
		notes_add(notes,
			  "Burst credit: %u of %u points show the device's "
			  "start, not what it sustains. The first of them has "
			  "no credit left after %s; sustained AU: what is left "
			  "then, at the device's baseline, by which knees go; "
			  "bottlenecks are those of the start.",
			  count, sweep_done_count(sweep),
			  value_human(METRIC_REAL, "s", value_real(first_s),
				      text, sizeof(text)));
}

struct metric_value sweep_value(const struct sweep *sweep, uint32_t point,
				const char *metric)
{
	const struct metric *row = metric_find(metric);

	CHECK(row && sweep->points[point].done);
	return sweep->points[point].values[row - metric_table];
}

/* Knees. */

const char *sweep_rate_metric(const struct sweep *sweep)
{
	uint32_t i;

	for (i = 0; i < sweep->axis_count; i++)
		if (sweep->base.law && !strncmp(sweep->axes[i].key, "echo", 4))
			return "time_to_target_s";
	return "examples_per_s";
}

/* The share of a point's rate that is left when burst credit is gone. */
static double sustained_share(const struct sweep *sweep, uint32_t point,
			      const char *metric)
{
	struct metric_value now, then;

	if (!is_burst(sweep, point) || burst_knows_job(sweep->base.scenario))
		return 1;
	if (!strcmp(metric, "time_to_target_s")) {
		now = sweep_value(sweep, point, "sustained.time_to_target_s");
		then = sweep_value(sweep, point, metric);
	} else {
		now = sweep_value(sweep, point, "au");
		then = sweep_value(sweep, point, "au_sustained");
	}
	return now.known && then.known ? then.real / now.real : 0;
}

static double rate_of(const struct sweep *sweep, uint32_t point)
{
	const char *metric = sweep_rate_metric(sweep);
	struct metric_value value;
	double share;

	if (!sweep->points[point].done)
		return 0;
	value = sweep_value(sweep, point, metric);
	if (!value.known || value.real <= 0)
		return 0;
	share = sustained_share(sweep, point, metric);
	return strcmp(metric, "time_to_target_s") ? share * value.real :
						    share / value.real;
}

static struct knee find_knee(const struct sweep *sweep, uint32_t axis,
			     uint32_t first, uint32_t stride)
{
	const struct vary *along = &sweep->axes[axis];
	double x[VARY_VALUES_MAX], y[VARY_VALUES_MAX];
	uint32_t i;

	for (i = 0; i < along->count; i++) {
		x[i] = along->values[i].number;
		y[i] = rate_of(sweep, first + i * stride);
	}
	return knee_find(x, y, along->count);
}

static void find_knees(struct sweep *sweep)
{
	uint32_t stride = sweep->point_count, axis, point, at;
	struct knee *knees = sweep->knees;

	for (axis = 0; axis < sweep->axis_count; axis++) {
		stride /= sweep->axes[axis].count;
		for (point = 0; point < sweep->point_count; point++) {
			at = sweep_index(sweep, point, axis);
			if (!sweep->axes[axis].is_number)
				continue;
			knees[point] =
				at ? knees[point - at * stride] :
				     find_knee(sweep, axis, point, stride);
		}
		knees += sweep->point_count;
	}
}

void sweep_finish(struct sweep *sweep)
{
	finish_points(sweep);
	sweep->complete = sweep_done_count(sweep) == sweep->point_count;
	find_knees(sweep);
}

struct knee sweep_knee(const struct sweep *sweep, uint32_t axis, uint32_t point)
{
	return sweep->knees[(size_t)axis * sweep->point_count + point];
}
