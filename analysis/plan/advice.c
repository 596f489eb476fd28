/* SPDX-License-Identifier: MIT */
/* The one line that a plan comes down to. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/plan/report.h"
#include "analysis/text.h"

static bool is_reached(const struct plan_result *result)
{
	return result->answer.known && result->answer.reached;
}

bool plan_is_reached(const struct plan_report *report)
{
	size_t i;

	for (i = 0; i < report->result_count; i++)
		if (is_reached(&report->results[i]))
			return true;
	return false;
}

bool plan_changes(const struct plan_result *result, size_t knob)
{
	const struct plan *plan = result->plan;
	double now =
		plan_knob_now(&plan->knobs[knob], plan->experiment->scenario);

	return !result->answer.reached ||
	       result->answer.point.values[knob] != now;
}

#define PER_HOST "accelerator.count"
#define HOSTS "accelerator.hosts"

double plan_in_all(const struct plan_result *result, size_t knob, double value)
{
	const struct plan *plan = result->plan;
	double hosts = plan->experiment->scenario->accelerators.hosts;
	size_t i;

	if (strcmp(plan->knobs[knob].key, PER_HOST) != 0)
		return NAN;
	for (i = 0; i < plan->knob_count && result->way == PLAN_TOGETHER; i++)
		if (!strcmp(plan->knobs[i].key, HOSTS) &&
		    result->answer.reached)
			hosts = result->answer.point.values[i];
	return hosts > 1 ? value * hosts : NAN;
}

const char *plan_value(const struct plan_result *result, size_t knob,
		       double value, char *text, size_t size)
{
	double in_all = plan_in_all(result, knob, value);
	char one[64];

	text[0] = '\0';
	if (isnan(value))
		return text;
	plan_knob_human(&result->plan->knobs[knob], value, one, sizeof(one));
	if (isnan(in_all))
		snprintf(text, size, "%s", one);
	else
		snprintf(text, size, "%s per host, %.0f in all", one, in_all);
	return text;
}

/* Of a plan's knobs those that the answer changes, in their order. */
static size_t list_changes(const struct plan_result *result,
			   size_t knobs[PLAN_KNOBS_MAX])
{
	size_t count = 0, i;

	for (i = 0; i < result->plan->knob_count; i++)
		if ((result->way == PLAN_TOGETHER || i == result->knob) &&
		    plan_changes(result, i))
			knobs[count++] = i;
	return count;
}

/* "storage.device.bandwidth=150 MB/s" */
static void append_knob(char *text, size_t size,
			const struct plan_result *result, size_t knob)
{
	const struct vary *axis = &result->plan->knobs[knob];
	char value[64];

	text_append(text, size, "%s=%s", axis->key,
		    plan_value(result, knob, result->answer.point.values[knob],
			       value, sizeof(value)));
}

static void append_change(char *text, size_t size,
			  const struct plan_result *result)
{
	size_t knobs[PLAN_KNOBS_MAX];
	size_t count = list_changes(result, knobs), i;

	for (i = 0; i < count; i++) {
		text_append(text, size, "%s",
			    !i		  ? "" :
			    i + 1 < count ? ", " :
					    " and ");
		append_knob(text, size, result, knobs[i]);
	}
}

/* How much is changed: the ratio to what there is; without one, most. */
static double change_of(const struct plan_result *result)
{
	const struct vary *knob = &result->plan->knobs[result->knob];
	double now = plan_knob_now(knob, result->plan->experiment->scenario);

	return isnan(now) ? INFINITY :
			    result->answer.point.values[result->knob] / now;
}

/* The cheaper; without prices the smaller change. */
static bool is_better(const struct plan_result *one,
		      const struct plan_result *other)
{
	const struct metric_value *a = &one->answer.trial.cost_per_hour;
	const struct metric_value *b = &other->answer.trial.cost_per_hour;

	if (a->known && b->known && a->real != b->real)
		return a->real < b->real;
	if (one->way != other->way)
		return one->way == PLAN_ALONE;
	return change_of(one) < change_of(other);
}

const struct plan_result *plan_best(const struct plan_report *report)
{
	const struct plan_result *best = NULL, *result;
	size_t i;

	for (i = 0; i < report->result_count; i++) {
		result = &report->results[i];
		if (result->way != PLAN_MOST && result->way != PLAN_MEASURED &&
		    is_reached(result) && (!best || is_better(result, best)))
			best = result;
	}
	return best;
}

static bool costs_otherwise(const struct plan_report *report,
			    const struct metric_value *cost)
{
	return cost->known && report->now.cost_per_hour.known &&
	       cost->real != report->now.cost_per_hour.real;
}

/* Of a goal that is met: is there something to save? */
static bool is_saving(const struct plan_report *report,
		      const struct plan_result *best)
{
	const struct metric_value *cost = &best->answer.trial.cost_per_hour;
	size_t knobs[PLAN_KNOBS_MAX];

	if (!list_changes(best, knobs))
		return false;
	return !cost->known || !report->now.cost_per_hour.known ||
	       cost->real < report->now.cost_per_hour.real;
}

static void advise_change(const struct plan_report *report, char *text,
			  size_t size)
{
	const struct plan_result *best = plan_best(report);
	const struct metric_value *cost;

	if (!best)
		return;
	if (report->now.met && !is_saving(report, best)) {
		text_append(text, size, "the goal is met as it is");
		return;
	}
	cost = &best->answer.trial.cost_per_hour;
	text_append(text, size, "%s%s", report->complete ? "" : "so far, ",
		    report->now.met		  ? "the goal is met as it is; "
						    "enough would be " :
		    costs_otherwise(report, cost) ? "cheapest is " :
						    "the smallest change is ");
	append_change(text, size, best);
	if (cost->known)
		text_append(text, size, ", %.4g %s an hour", cost->real,
			    best->plan->experiment->scenario->prices.currency);
	if (best->answer.trial.binding)
		text_append(text, size, "; then %s limits",
			    best->answer.trial.binding);
}

/* Of a goal that nothing meets: what forbids it, with all that was offered. */
static void advise_none(const struct plan_report *report, char *text,
			size_t size)
{
	const struct plan_result *result;
	const char *binding = NULL;
	bool asked = false;
	size_t i;

	for (i = 0; i < report->result_count; i++) {
		result = &report->results[i];
		if (result->way == PLAN_MOST || !result->answer.known)
			continue;
		asked = true;
		if (result->answer.trial.binding)
			binding = result->answer.trial.binding;
	}
	if (!asked)
		return;
	text_append(text, size, "no value in range meets the goal");
	if (binding)
		text_append(text, size, "; %s forbids it", binding);
}

static void advise_most(const struct plan_result *result, char *text,
			size_t size)
{
	const struct plan_answer *answer = &result->answer;
	const char *binding = answer->trial.binding;

	if (!answer->known)
		return;
	text_append(text, size, "%s", *text ? "; " : "");
	if (answer->reached) {
		text_append(text, size, "the goal holds %s ",
			    answer->so_far ? "at least up to" : "up to");
		append_knob(text, size, result, result->knob);
		if (binding)
			text_append(text, size, ", beyond that %s forbids it",
				    binding);
		return;
	}
	text_append(text, size, "not even the least %s holds the goal",
		    result->plan->knobs[result->knob].key);
	if (binding)
		text_append(text, size, ": %s forbids it", binding);
}

/* Which of the unknowns it may be: each alone explains it. */
static void advise_measured(const struct plan_report *report, char *text,
			    size_t size)
{
	const struct plan_result *result;
	size_t count = 0, i;

	for (i = 0; i < report->result_count; i++) {
		result = &report->results[i];
		if (!is_reached(result))
			continue;
		text_append(text, size, "%s", count++ ? ", or " : "");
		append_knob(text, size, result, result->knob);
	}
	if (count)
		text_append(text, size, "%s explain%s what was measured",
			    count > 1 ? ", each alone," : "",
			    count > 1 ? "" : "s");
	else if (report->complete)
		text_append(text, size,
			    "no value in range explains what was measured by "
			    "itself");
}

void plan_advice(const struct plan_report *report, char *text, size_t size)
{
	size_t i;

	text[0] = '\0';
	if (report->measured) {
		advise_measured(report, text, size);
		text_append(text, size, "%s", *text ? "." : "");
		return;
	}
	advise_change(report, text, size);
	if (!*text && report->complete)
		advise_none(report, text, size);
	for (i = 0; i < report->result_count; i++)
		if (report->results[i].way == PLAN_MOST)
			advise_most(&report->results[i], text, size);
	if (*text)
		text_append(text, size, ".");
}

const char *plan_burst(const struct plan_report *report, char *text,
		       size_t size)
{
	const struct metric *metric = report->plan->goals[0].metric;
	char figure[VALUE_TEXT_MAX], lasts[VALUE_TEXT_MAX];

	text[0] = '\0';
	if (!report->start.lasts_s.known)
		return text;
	snprintf(text, size,
		 "All figures are what is sustained, at the baseline of the "
		 "device. While its burst credit lasts, as it is %s, %s is %s; "
		 "--burst plans for that, run.duration for a job of a known "
		 "length.",
		 value_human(METRIC_REAL, "s", report->start.lasts_s, lasts,
			     sizeof(lasts)),
		 metric->name,
		 value_human(METRIC_REAL, metric->unit, report->start.figure,
			     figure, sizeof(figure)));
	return text;
}
