/* SPDX-License-Identifier: MIT */
/* The cheapest combination of several knobs (analysis/plan/plan.h). */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/plan/plan.h"
#include "sim/check.h"

/* A point of the grid, by the index of each knob's value. */
struct grid_point {
	uint32_t at[PLAN_KNOBS_MAX];
};

/* The points of a line of the grid: all values of the longest axis, the other
 * knobs being where they are. */
struct line {
	struct grid_point first;
	double cost; /* of its first point */
};

struct search {
	const struct plan *plan;
	size_t axis; /* the longest */
	struct line *lines;
	size_t line_count;
	struct grid_point best;
	/* The cheapest that meets the goal so far, before the best is sure. */
	struct grid_point met;
	struct plan_trial at_met;
	double best_cost; /* INFINITY: none */
	/* The last points that missed the goal: so do all below them. */
	struct grid_point *misses;
	size_t miss_count;
	struct fault *fault;
};

static struct plan_point point_of(const struct plan *plan,
				  const struct grid_point *point)
{
	struct plan_point values = plan_as_is();
	size_t i;

	for (i = 0; i < plan->knob_count; i++)
		values.values[i] = plan_knob_at(&plan->knobs[i], point->at[i]);
	return values;
}

/* INFINITY where the scenario allows no such point. */
static int cost_at(const struct search *search, const struct grid_point *point,
		   double *cost)
{
	struct plan_point values = point_of(search->plan, point);
	struct metric_value value;
	int error = plan_cost(search->plan, &values, &value, search->fault);

	*cost = value.known ? value.real : INFINITY;
	return error;
}

static bool is_below_a_miss(const struct search *search,
			    const struct grid_point *point)
{
	size_t miss, i;

	for (miss = 0; miss < search->miss_count; miss++) {
		for (i = 0; i < search->plan->knob_count; i++)
			if (point->at[i] > search->misses[miss].at[i])
				break;
		if (i == search->plan->knob_count)
			return true;
	}
	return false;
}

static int try(struct search *search, const struct grid_point *point, bool *met)
{
	struct plan_point values = point_of(search->plan, point);
	struct plan_trial trial = { 0 };
	int error = 0;

	if (!is_below_a_miss(search, point))
		error = plan_try(search->plan, &values, false, &trial,
				 search->fault);
	*met = trial.met;
	if (trial.met) {
		search->met = *point;
		search->at_met = trial;
	}
	if (!trial.met && !trial.refused && search->miss_count < PLAN_GRID_MAX)
		search->misses[search->miss_count++] = *point;
	return error;
}

static int by_cost(const void *one, const void *other)
{
	const struct line *a = one, *b = other;

	size_t i;

	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1;
	for (i = 0; i < PLAN_KNOBS_MAX; i++)
		if (a->first.at[i] != b->first.at[i])
			return a->first.at[i] < b->first.at[i] ? -1 : 1;
	return 0;
}

/* Counts through the other knobs; false: all have been there. */
static bool next_line(const struct search *search, struct grid_point *point)
{
	const struct plan *plan = search->plan;
	size_t i;

	for (i = 0; i < plan->knob_count; i++) {
		if (i == search->axis)
			continue;
		if (++point->at[i] < plan->knobs[i].count)
			return true;
		point->at[i] = 0;
	}
	return false;
}

static int list_lines(struct search *search)
{
	struct grid_point point = { 0 };
	struct line *line;
	int error;

	do {
		line = &search->lines[search->line_count++];
		line->first = point;
		error = cost_at(search, &point, &line->cost);
	} while (!error && next_line(search, &point));
	qsort(search->lines, search->line_count, sizeof(*search->lines),
	      by_cost);
	return error;
}

/* How many of a line's first points cost less than the best so far. */
static int affordable(const struct search *search, struct grid_point point,
		      uint32_t *count)
{
	uint32_t *index = &point.at[search->axis];
	uint32_t low = 0, high = search->plan->knobs[search->axis].count;
	double cost;
	int error;

	while (low < high) {
		*index = low + (high - low) / 2;
		error = cost_at(search, &point, &cost);
		if (error)
			return error;
		if (cost < search->best_cost)
			low = *index + 1;
		else
			high = *index;
	}
	*count = low;
	return 0;
}

/* The least point of a line that meets the goal and costs less than the best
 * so far becomes the best. */
static int search_line(struct search *search, const struct line *line)
{
	struct grid_point point = line->first;
	uint32_t *index = &point.at[search->axis];
	uint32_t low = 0, high;
	bool met;
	int error = affordable(search, point, &high);

	if (error || !high)
		return error;
	*index = --high;
	error = try(search, &point, &met);
	if (error || !met)
		return error;
	while (low < high && !error) {
		*index = low + (high - low) / 2;
		error = try(search, &point, &met);
		if (met)
			high = *index;
		else
			low = *index + 1;
	}
	*index = high;
	search->best = point;
	return error ? error : cost_at(search, &point, &search->best_cost);
}

static int search_grid(struct search *search)
{
	size_t i;
	int error = list_lines(search);

	for (i = 0; i < search->line_count && !error; i++) {
		if (search->lines[i].cost >= search->best_cost)
			break;
		error = search_line(search, &search->lines[i]);
	}
	return error;
}

/* Lowers one knob within its step of the grid. */
static int lower(const struct search *search, size_t knob,
		 struct plan_point *point)
{
	const struct vary *axis = &search->plan->knobs[knob];
	uint32_t index = search->best.at[knob];
	double met = point->values[knob], missed;
	struct plan_point below = *point;
	struct plan_trial trial;
	int error;

	if (!index)
		return 0;
	missed = below.values[knob] = plan_knob_at(axis, index - 1);
	error = plan_try(search->plan, &below, false, &trial, search->fault);
	if (!error && trial.met)
		met = missed;
	else if (!error)
		error = plan_bisect(search->plan, point, knob, &missed, &met,
				    &trial, search->fault);
	point->values[knob] = met;
	return error;
}

/* Leaves a knob as the scenario has it where that costs no more and meets the
 * goal: to change it would save nothing. */
static int leave(const struct search *search, size_t knob,
		 struct plan_point *point, bool *left)
{
	const struct plan *plan = search->plan;
	const struct vary *axis = &plan->knobs[knob];
	double now = plan_knob_now(axis, plan->experiment->scenario);
	struct plan_point as_is = *point;
	struct metric_value cost, cost_now;
	struct plan_trial trial;
	int error;

	*left = false;
	if (isnan(now) || now < plan_knob_low(axis) ||
	    now > plan_knob_high(axis))
		return 0;
	as_is.values[knob] = now;
	error = plan_cost(plan, point, &cost, search->fault);
	if (!error)
		error = plan_cost(plan, &as_is, &cost_now, search->fault);
	if (error || !cost.known || !cost_now.known ||
	    cost_now.real > cost.real)
		return error;
	error = plan_try(plan, &as_is, false, &trial, search->fault);
	*left = !error && trial.met;
	if (*left)
		*point = as_is;
	return error;
}

static int refine(const struct search *search, struct plan_answer *answer)
{
	bool left = false;
	size_t i;
	int error = 0;

	answer->point = point_of(search->plan, &search->best);
	for (i = 0; i < search->plan->knob_count && !error; i++) {
		error = leave(search, i, &answer->point, &left);
		if (!error && !left)
			error = lower(search, i, &answer->point);
	}
	return error;
}

/* The point of all that can be had. */
static struct plan_point top_of(const struct plan *plan)
{
	struct plan_point point = plan_as_is();
	size_t i;

	for (i = 0; i < plan->knob_count; i++)
		point.values[i] = plan_knob_high(&plan->knobs[i]);
	return point;
}

int plan_is_priced(const struct plan *plan, bool *priced, struct fault *fault)
{
	struct grid_point bottom = { 0 };
	struct plan_point low = point_of(plan, &bottom);
	struct plan_point high = top_of(plan);
	struct metric_value least, most;
	int error = plan_cost(plan, &low, &least, fault);

	if (!error)
		error = plan_cost(plan, &high, &most, fault);
	*priced = !error && most.known &&
		  (!least.known || most.real > least.real);
	return error;
}

static int open_search(struct search *search, const struct plan *plan,
		       struct fault *fault)
{
	uint64_t points = 1;
	size_t i;

	*search = (struct search){ .plan = plan,
				   .best_cost = INFINITY,
				   .fault = fault };
	for (i = 0; i < plan->knob_count; i++) {
		points *= plan->knobs[i].count;
		if (plan->knobs[i].count > plan->knobs[search->axis].count)
			search->axis = i;
		if (points > PLAN_GRID_MAX) {
			fault_set(fault, NULL, 0,
				  "--vary: the axes have more than %d points "
				  "together; expected fewer points (:N) or "
				  "fewer axes",
				  PLAN_GRID_MAX);
			return -EINVAL;
		}
	}
	points /= plan->knobs[search->axis].count;
	search->lines = calloc(points, sizeof(*search->lines));
	search->misses = calloc(PLAN_GRID_MAX, sizeof(*search->misses));
	return search->lines && search->misses ? 0 : -ENOMEM;
}

static int finish(struct search *search, struct plan_answer *answer)
{
	const struct plan *plan = search->plan;
	struct plan_point top = top_of(plan);
	int error;

	answer->reached = search->best_cost < INFINITY;
	if (answer->reached)
		error = refine(search, answer);
	else
		error = 0;
	if (!error)
		error = plan_try(plan, answer->reached ? &answer->point : &top,
				 true, &answer->trial, search->fault);
	answer->known = !error;
	return error;
}

/* Interrupted: the cheapest so far, if any. */
static int keep(const struct search *search, int error,
		struct plan_answer *answer)
{
	if (error != -EINTR || !search->at_met.met)
		return error;
	answer->point = point_of(search->plan, &search->met);
	answer->trial = search->at_met;
	answer->known = answer->reached = answer->so_far = true;
	snprintf(answer->note, PLAN_NOTE_MAX,
		 "interrupted: the cheapest so far");
	return 0;
}

double plan_together_runs(const struct plan *plan)
{
	double lines = 1, longest = 1, runs = PLAN_EXPLAINED_RUNS;
	size_t i;

	for (i = 0; i < plan->knob_count; i++) {
		lines *= plan->knobs[i].count;
		runs += 2 + plan_bisect_runs(&plan->knobs[i]);
		if (plan->knobs[i].count > longest)
			longest = plan->knobs[i].count;
	}
	lines /= longest;
	for (; longest > 1; longest /= 2)
		runs += lines;
	return runs + lines;
}

int plan_together(const struct plan *plan, struct plan_answer *answer,
		  struct fault *fault)
{
	struct search search;
	int error;

	CHECK(plan->knob_count);
	*answer = (struct plan_answer){ .point = plan_as_is() };
	error = open_search(&search, plan, fault);
	if (!error)
		error = search_grid(&search);
	if (!error)
		error = finish(&search, answer);
	error = keep(&search, error, answer);
	free(search.misses);
	free(search.lines);
	return error;
}
