/* SPDX-License-Identifier: MIT */
/* What the jobs of a sweep come to: its points, repetitions and knees. */
#include <string.h>

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

static double rate_of(const struct sweep *sweep, uint32_t point)
{
	const char *metric = sweep_rate_metric(sweep);
	struct metric_value value;

	if (!sweep->points[point].done)
		return 0;
	value = sweep_value(sweep, point, metric);
	if (!value.known || value.real <= 0)
		return 0;
	return strcmp(metric, "time_to_target_s") ? value.real : 1 / value.real;
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
