/* SPDX-License-Identifier: MIT */
#include "analysis/goal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "traces/units.h"

#define METRIC_NAME_MAX 64

static int find_metric(struct goal *goal, const char *name, struct fault *fault)
{
	const char *near;

	goal->metric = metric_find(name);
	if (!goal->metric) {
		near = metric_nearest(name);
		fault_set(fault, NULL, 0,
			  "\"%s\": unknown metric \"%s\"%s%s%s; `echosim list "
			  "metrics` lists them",
			  goal->text, name, near ? ", did you mean \"" : "",
			  near ? near : "", near ? "\"?" : "");
		return -EINVAL;
	}
	if (goal->metric->kind != METRIC_REAL &&
	    goal->metric->kind != METRIC_COUNT) {
		fault_set(fault, NULL, 0,
			  "\"%s\": metric \"%s\" is not a number", goal->text,
			  name);
		return -EINVAL;
	}
	return 0;
}

/* "90 %": a hundredth of it, where the figure is a share or a ratio. */
static int parse_percent(const char *text, const char *unit, double *bound)
{
	char number[METRIC_NAME_MAX];
	size_t length = strcspn(text, " %");

	if (unit[0] || length >= sizeof(number) ||
	    strcmp(text + length + strspn(text + length, " "), "%") != 0)
		return -EINVAL;
	snprintf(number, sizeof(number), "%.*s", (int)length, text);
	if (units_parse_number(number, bound))
		return -EINVAL;
	*bound /= 100;
	return 0;
}

/* A plain number in SI base units, or one with a unit. */
static int parse_bound(const char *text, const char *unit, double *bound)
{
	uint64_t whole;
	int error;

	if (!units_parse_number(text, bound))
		return 0;
	if (!strcmp(unit, "s")) {
		error = units_parse(UNITS_TIME, text, &whole);
		*bound = (double)whole / 1e9;
	} else if (!strcmp(unit, "B")) {
		error = units_parse(UNITS_BYTES, text, &whole);
		*bound = (double)whole;
	} else if (!strcmp(unit, "B/s")) {
		error = units_parse(UNITS_RATE, text, &whole);
		*bound = (double)whole;
	} else {
		error = parse_percent(text, unit, bound);
	}
	return error;
}

/* The metric's name ends where `length` says, the bound begins at `bound`. */
static int parse_parts(struct goal *goal, size_t length, const char *bound,
		       struct fault *fault)
{
	const char *text = goal->text;
	char name[METRIC_NAME_MAX];

	bound += strspn(bound, " ");
	while (length && text[length - 1] == ' ')
		length--;
	memcpy(name, text, length);
	name[length] = '\0';
	if (find_metric(goal, name, fault))
		return -EINVAL;
	if (parse_bound(bound, goal->metric->unit, &goal->bound)) {
		fault_set(fault, NULL, 0, "\"%s\": \"%s\" is not a number%s%s",
			  text, bound, goal->metric->unit[0] ? " in " : "",
			  goal->metric->unit);
		return -EINVAL;
	}
	return 0;
}

int goal_parse(struct goal *goal, const char *text, struct fault *fault)
{
	size_t length = strcspn(text, "<>");

	*goal = (struct goal){ .text = text, .at_least = text[length] == '>' };
	if (!length || length >= METRIC_NAME_MAX || !text[length] ||
	    text[length + 1] != '=') {
		fault_set(fault, NULL, 0,
			  "\"%s\" is not a goal; expected METRIC>=X or "
			  "METRIC<=X, such as au>=0.9",
			  text);
		return -EINVAL;
	}
	return parse_parts(goal, length, text + length + 2, fault);
}

int goal_parse_measured(struct goal *goal, const char *text,
			struct fault *fault)
{
	size_t length = strcspn(text, "=");

	*goal = (struct goal){ .text = text, .at_least = true };
	if (!length || length >= METRIC_NAME_MAX || !text[length] ||
	    strchr("<>", text[length - 1])) {
		fault_set(fault, NULL, 0,
			  "\"%s\" is no measured figure; expected METRIC=X, "
			  "such as au=0.4",
			  text);
		return -EINVAL;
	}
	return parse_parts(goal, length, text + length + 1, fault);
}

bool goal_is_of_live_runs(const struct goal *goal)
{
	return goal->metric->live_only;
}

bool goal_met(const struct goal *goal, const struct result *result)
{
	struct metric_value value = goal->metric->get(burst_judged(result));
	double number;

	if (!value.known || (goal->metric->live_only && !result->live))
		return false;
	number = goal->metric->kind == METRIC_COUNT ? (double)value.count :
						      value.real;
	return goal->at_least ? number >= goal->bound : number <= goal->bound;
}
