/* SPDX-License-Identifier: MIT */
#include "analysis/plan/plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/burst.h"
#include "analysis/plan/cost.h"
#include "analysis/metric.h"
#include "sim/check.h"
#include "sim/math.h"
#include "traces/units.h"

#define NS_PER_S 1e9
#define AMOUNT_EXACT 1e-4 /* of a value that is no number of pieces */
#define DIGITS_ROUND 1e3  /* amounts have four digits */
#define KIB 1024.0
#define SIZE_STEPS 20

#define PACE_END 0.99 /* a search that takes longer than it can */

/* One simulation's data, too large for a stack. */
struct desk {
	struct scenario scenario;
	struct result result;
	struct result start; /* of the same with burst credit */
};

static bool is_plain(const struct vary *knob)
{
	return !knob->unit[0] && !knob->whole;
}

static double scale_of(const struct vary *knob)
{
	return strcmp(knob->unit, "s") == 0 ? NS_PER_S : 1;
}

static double whole(double value)
{
	return (double)(uint64_t)value;
}

double plan_knob_at(const struct vary *knob, uint32_t index)
{
	double base = knob->values[index].number * scale_of(knob);

	return is_plain(knob) ? base : whole(base + 0.5);
}

double plan_knob_low(const struct vary *knob)
{
	return plan_knob_at(knob, 0);
}

double plan_knob_high(const struct vary *knob)
{
	return plan_knob_at(knob, knob->count - 1);
}

double plan_knob_si(const struct vary *knob, double base)
{
	return base / scale_of(knob);
}

const char *plan_knob_human(const struct vary *knob, double base, char *text,
			    size_t size)
{
	struct metric_value value = value_real(plan_knob_si(knob, base));

	if (knob->whole || is_plain(knob) || !strcmp(knob->unit, "B"))
		return plan_knob_text(knob, base, text, size);
	return value_human(METRIC_REAL, knob->unit, value, text, size);
}

const char *plan_knob_text(const struct vary *knob, double base, char *text,
			   size_t size)
{
	enum units_kind kind = UNITS_COUNT;

	if (is_plain(knob)) {
		snprintf(text, size, "%.12g", base);
		return text;
	}
	if (!strcmp(knob->unit, "s"))
		kind = UNITS_TIME;
	else if (!strcmp(knob->unit, "B"))
		kind = UNITS_BYTES;
	else if (!strcmp(knob->unit, "B/s"))
		kind = UNITS_RATE;
	return units_print(kind, (uint64_t)base, text, size);
}

double plan_knob_now(const struct vary *knob, const struct scenario *scenario)
{
	const struct field *field = field_find(knob->key);
	const char *at = (const char *)scenario;
	double value;

	if (!field || field_is_listed(field))
		return NAN;
	at += field->offset;
	if (field->kind == FIELD_TIME_DIST || field->kind == FIELD_BYTES_DIST)
		value = distribution_mean((const struct distribution *)at);
	else if (field->kind == FIELD_NUMBER)
		value = *(const double *)at;
	else if (field->kind == FIELD_TIME)
		value = (double)*(const int64_t *)at;
	else if (field->size == sizeof(uint32_t))
		value = *(const uint32_t *)at;
	else
		value = (double)*(const uint64_t *)at;
	return value > 0 ? value : NAN;
}

struct plan_point plan_as_is(void)
{
	struct plan_point point;
	size_t i;

	for (i = 0; i < PLAN_KNOBS_MAX; i++)
		point.values[i] = NAN;
	return point;
}

/* The scenario at that point, checked. */
static int set_up(const struct plan *plan, const struct plan_point *point,
		  struct scenario *scenario, struct fault *fault)
{
	const struct layout *layout = plan->experiment->layout;
	struct vary_change changes[PLAN_KNOBS_MAX];
	char texts[PLAN_KNOBS_MAX][64];
	size_t count = 0, i;
	int error;

	for (i = 0; i < plan->knob_count; i++) {
		if (isnan(point->values[i]))
			continue;
		changes[count].key = plan->knobs[i].key;
		changes[count].text =
			plan_knob_text(&plan->knobs[i], point->values[i],
				       texts[count], sizeof(texts[count]));
		count++;
	}
	error = experiment_change(plan->experiment, changes, count, scenario,
				  fault);
	if (!error)
		error = scenario_check(scenario, NULL, fault);
	if (!error && layout)
		error = scenario_check_layout(scenario, layout, NULL, fault);
	return error;
}

static bool meets_all(const struct plan *plan, const struct result *result)
{
	size_t i;

	for (i = 0; i < plan->goal_count; i++)
		if (!goal_met(&plan->goals[i], result))
			return false;
	return true;
}

static struct metric_value figure_of(const struct plan *plan,
				     const struct result *result)
{
	const struct metric *metric = plan->goals[0].metric;
	struct metric_value value = metric->get(result);

	if (value.known && metric->kind == METRIC_COUNT)
		return value_real((double)value.count);
	return value;
}

/* The first goal of which a simulation alone knows nothing; NULL: none. */
static const struct goal *unknown_of(const struct plan *plan,
				     const struct result *result)
{
	const struct metric *metric;
	size_t i;

	for (i = 0; i < plan->goal_count; i++) {
		metric = plan->goals[i].metric;
		if (metric->live_only || !metric->get(result).known)
			return &plan->goals[i];
	}
	return NULL;
}

static void judge(const struct plan *plan, const struct result *result,
		  struct plan_trial *trial)
{
	trial->met = meets_all(plan, result);
	trial->figure = figure_of(plan, result);
	trial->unknown = unknown_of(plan, result);
	trial->cost_per_hour = cost_per_hour(result);
	trial->cost_per_epoch = cost_per_epoch(result);
	trial->lasts_s = burst_lasts(result);
}

/* Without burst credit, unless it was asked for or is a part of the job. */
static void drain(struct experiment *experiment, struct plan_trial *trial)
{
	if (experiment->by_start || burst_knows_job(experiment->scenario))
		return;
	experiment->drained = true;
	trial->drained = burst_is_ahead(&experiment->scenario->storage.profile);
}

/* Is it the baseline of a drained device that limits? With credit it is faster
 * then. */
static int try_baseline(const struct experiment *experiment, struct desk *desk,
			struct plan_trial *trial, struct fault *fault)
{
	struct experiment full = *experiment;
	int error;

	full.drained = false;
	experiment_begin(&full, &desk->scenario.echoes[0], &desk->start);
	error = experiment_run(&full, &desk->start, fault);
	if (error)
		return error;
	desk->start.sustained = &desk->result;
	if (burst_matters(&desk->start)) {
		trial->binding = "the burst baseline";
		trial->remedy[0] = '\0';
		trial->remedy_gain = value_unknown();
	}
	return desk->start.figures.complete ? 0 : -EINTR;
}

static int run(const struct plan *plan, bool explains, struct desk *desk,
	       struct plan_trial *trial, struct fault *fault)
{
	struct experiment experiment = *plan->experiment;
	struct result *result = &desk->result;
	int error;

	experiment.scenario = &desk->scenario;
	drain(&experiment, trial);
	experiment_begin(&experiment, &desk->scenario.echoes[0], result);
	error = experiment_run(&experiment, result, fault);
	if (!error && !result->figures.complete)
		error = -EINTR;
	if (error)
		return error;
	/* Before it is explained: a search does not do that everywhere. */
	judge(plan, result, trial);
	if (!explains)
		return 0;
	error = experiment_explain_briefly(&experiment, result, fault);
	trial->binding = metric_get("bottleneck.resource", result).text;
	trial->remedy_gain = metric_get("bottleneck.gain", result);
	if (trial->binding)
		snprintf(trial->remedy, sizeof(trial->remedy), "%s",
			 result->attribution.change.said);
	return error || !trial->drained ?
		       error :
		       try_baseline(&experiment, desk, trial, fault);
}

int plan_try(const struct plan *plan, const struct plan_point *point,
	     bool explains, struct plan_trial *trial, struct fault *fault)
{
	struct desk *desk = malloc(sizeof(*desk));
	struct fault refusal = { 0 };
	int error;

	*trial = (struct plan_trial){ 0 };
	if (!desk)
		return -ENOMEM;
	error = set_up(plan, point, &desk->scenario, &refusal);
	if (!error) {
		error = run(plan, explains, desk, trial, fault);
	} else if (error == -EINVAL) {
		trial->refused = true;
		snprintf(trial->note, sizeof(trial->note), "%.*s",
			 PLAN_NOTE_MAX - 1, refusal.text);
		error = 0;
	}
	free(desk);
	return error;
}

int plan_cost(const struct plan *plan, const struct plan_point *point,
	      struct metric_value *value, struct fault *fault)
{
	struct desk *desk = malloc(sizeof(*desk));
	int error;

	*value = value_unknown();
	if (!desk)
		return -ENOMEM;
	error = set_up(plan, point, &desk->scenario, fault);
	if (!error) {
		cost_find(&desk->result.cost, &desk->scenario);
		*value = cost_per_hour(&desk->result);
	}
	free(desk);
	return error == -EINVAL ? 0 : error;
}

/* The middle of two values on the scale that suits them; of pieces and base
 * units a whole number. */
static double middle(const struct vary *knob, double one, double other)
{
	double low = one < other ? one : other;
	double high = one < other ? other : one;
	double mid = low + (high - low) / 2;

	if (low > 0 && high > 2 * low)
		mid = math_exp((math_log(low) + math_log(high)) / 2);
	if (is_plain(knob))
		return mid;
	mid = whole(mid);
	return mid > low ? mid : low + 1;
}

static bool are_neighbours(const struct vary *knob, double one, double other)
{
	double apart = fabs(one - other);
	double size = fabs(one) > fabs(other) ? fabs(one) : fabs(other);

	if (knob->whole)
		return apart <= 1;
	return apart <= AMOUNT_EXACT * size || (!is_plain(knob) && apart <= 1);
}

/* The step in which an amount of this size is told: of four digits; of sizes a
 * binary unit, or ten or a hundred, of which there are SIZE_STEPS at least, so
 * 660 GiB and 33 MiB. */
static double step_of(const struct vary *knob, double base)
{
	double step = 1;
	int i;

	if (knob->whole || is_plain(knob))
		return 0;
	if (!strcmp(knob->unit, "B")) {
		while (step * KIB * SIZE_STEPS <= base)
			step *= KIB;
		for (i = 0; i < 2 && step * 10 * SIZE_STEPS <= base; i++)
			step *= 10;
		return step;
	}
	while (step * DIGITS_ROUND * 10 <= base)
		step *= 10;
	return step;
}

/* A value that is easier to say, further from where the goal is missed. */
static double rounded(const struct vary *knob, double missed, double met)
{
	double step = step_of(knob, met);
	double steps;

	if (step <= 0)
		return met;
	steps = whole(met / step);
	if (met > missed && steps * step < met)
		steps++;
	return steps * step;
}

/* Takes the round value, unless the goal is missed there or it lies beyond
 * where the search began, which is good enough already. */
static int round_off(const struct plan *plan, struct plan_point *at,
		     size_t knob, double missed, double began, double *met,
		     struct plan_trial *at_met, struct fault *fault)
{
	double value = rounded(&plan->knobs[knob], missed, *met);
	struct plan_trial trial;
	int error;

	if (value == *met || fabs(value - missed) > fabs(began - missed) ||
	    (value < missed) != (*met < missed))
		return 0;
	at->values[knob] = value;
	error = plan_try(plan, at, false, &trial, fault);
	if (!error && trial.met) {
		*met = value;
		*at_met = trial;
	}
	return error;
}

int plan_bisect(const struct plan *plan, const struct plan_point *point,
		size_t knob, double *missed, double *met,
		struct plan_trial *at_met, struct fault *fault)
{
	struct plan_point at = *point;
	struct plan_trial trial;
	double *value = &at.values[knob];
	double began = *met;
	int error;

	CHECK(knob < plan->knob_count);
	while (!are_neighbours(&plan->knobs[knob], *missed, *met)) {
		*value = middle(&plan->knobs[knob], *missed, *met);
		error = plan_try(plan, &at, false, &trial, fault);
		if (error)
			return error;
		*(trial.met ? met : missed) = *value;
		if (trial.met)
			*at_met = trial;
	}
	return round_off(plan, &at, knob, *missed, began, met, at_met, fault);
}

double plan_bisect_runs(const struct vary *knob)
{
	double low = plan_knob_low(knob), high = plan_knob_high(knob);
	double parts = high - low;
	double runs = 1; /* to round */

	if (!knob->whole && low > 0)
		parts = math_log(high / low) / AMOUNT_EXACT;
	for (; parts > 1; parts /= 2)
		runs++;
	return runs;
}

static bool go_on(void *context, double done)
{
	struct plan_pace *pace = context;
	double share;

	pace->runs += done < pace->done;
	pace->done = done;
	share = (pace->runs + done) / pace->most;
	return pace->watch.go_on(pace->watch.context,
				 share < PACE_END ? share : PACE_END);
}

struct simulation_watch plan_pace_begin(struct plan_pace *pace, double most,
					const struct simulation_watch *watch)
{
	*pace = (struct plan_pace){ .watch = *watch, .most = most };
	return (struct simulation_watch){ .go_on = go_on,
					  .context = pace,
					  .memory_max = watch->memory_max };
}
