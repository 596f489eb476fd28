/* SPDX-License-Identifier: MIT */
/* Which value of one knob explains a measured figure (analysis/plan/plan.h). */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "analysis/plan/plan.h"
#include "sim/math.h"

#define POINTS 5 /* looked at where both ends are on one side: both and three */

/* A value of the knob that was tried. */
struct tried {
	double value;
	bool known; /* the figure */
	struct plan_trial trial;
};

struct search {
	const struct plan *plan;
	const struct vary *knob;
	size_t index;
	double measured;
	double least; /* figures that were seen */
	double most;
	struct tried nearest; /* to what was measured */
	char refusal[PLAN_NOTE_MAX];
	struct plan_answer *answer;
	struct fault *fault;
};

static double miss_of(const struct search *search, const struct tried *tried)
{
	return fabs(tried->trial.figure.real - search->measured);
}

static bool explains(const struct search *search, const struct tried *tried)
{
	return tried->known &&
	       miss_of(search, tried) <=
		       PLAN_MEASURED_WITHIN * fabs(search->measured);
}

static void note_tried(struct search *search, const struct tried *tried)
{
	if (tried->trial.refused && !search->refusal[0])
		snprintf(search->refusal, sizeof(search->refusal), "%s",
			 tried->trial.note);
	if (!tried->known)
		return;
	if (tried->trial.figure.real < search->least)
		search->least = tried->trial.figure.real;
	if (tried->trial.figure.real > search->most)
		search->most = tried->trial.figure.real;
	if (!search->nearest.known ||
	    miss_of(search, tried) < miss_of(search, &search->nearest))
		search->nearest = *tried;
}

static int try(struct search *search, double value, struct tried *tried)
{
	struct plan_point point = plan_as_is();
	int error;

	point.values[search->index] = value;
	error = plan_try(search->plan, &point, false, &tried->trial,
			 search->fault);
	if (error)
		return error;
	tried->value = value;
	tried->known = !tried->trial.refused && tried->trial.figure.known;
	note_tried(search, tried);
	return 0;
}

static bool are_apart(const struct tried *one, const struct tried *other)
{
	return one->known && other->known && one->trial.met != other->trial.met;
}

/* Between two values on either side of what was measured: the one of the two
 * neighbours that comes nearer. */
static int close_in(struct search *search, const struct tried *one,
		    const struct tried *other)
{
	struct plan_point as_is = plan_as_is();
	double missed = one->trial.met ? other->value : one->value;
	double met = one->trial.met ? one->value : other->value;
	struct tried tried;
	struct plan_trial trial = { 0 };
	int error = plan_bisect(search->plan, &as_is, search->index, &missed,
				&met, &trial, search->fault);

	if (!error)
		error = try(search, met, &tried);
	return error ? error : try(search, missed, &tried);
}

/* Point `index` between the ends, in equal ratios or, from zero, in equal
 * steps. */
static double point_at(const struct search *search, int index)
{
	double low = plan_knob_low(search->knob);
	double high = plan_knob_high(search->knob);
	double share = (double)index / (POINTS - 1);
	double value = low + (high - low) * share;

	if (index == POINTS - 1)
		return high;
	if (low > 0)
		value = low * math_exp(share * math_log(high / low));
	if (search->knob->whole || search->knob->unit[0])
		value = (double)(uint64_t)value;
	return value;
}

/* Both ends are on one side: is anything between them on the other? Where
 * several stretches of the range cross, the first one is taken, and said. */
static int look_between(struct search *search, const struct tried *low,
			const struct tried *high)
{
	struct tried last = *low, next;
	int crossings = 0, error, i;

	for (i = 1; i < POINTS; i++) {
		next = *high;
		error = i == POINTS - 1 ?
				0 :
				try(search, point_at(search, i), &next);
		if (error)
			return error;
		if (are_apart(&last, &next) && !crossings++) {
			error = close_in(search, &last, &next);
			if (error)
				return error;
		}
		last = next;
	}
	if (crossings > 1)
		snprintf(search->answer->note, PLAN_NOTE_MAX,
			 "not monotone: a higher value may explain it as well");
	return 0;
}

static void say_why_not(const struct search *search)
{
	const char *name = search->plan->goals[0].metric->name;
	struct plan_answer *answer = search->answer;
	char text[64];

	if (!search->nearest.known) {
		snprintf(answer->note, PLAN_NOTE_MAX, "%s",
			 search->refusal[0] ? search->refusal :
					      "the figure is not known there");
		return;
	}
	plan_knob_human(search->knob, search->nearest.value, text,
			sizeof(text));
	if (search->least <= search->measured &&
	    search->most >= search->measured)
		snprintf(answer->note, PLAN_NOTE_MAX,
			 "cannot explain it: %s comes no nearer than %.4g, at "
			 "%s",
			 name, search->nearest.trial.figure.real, text);
	else
		snprintf(answer->note, PLAN_NOTE_MAX,
			 "cannot explain it: over its range %s is from %.4g to "
			 "%.4g",
			 name, search->least, search->most);
}

/* What limits where the figure is explained is looked for there. */
static int conclude(struct search *search)
{
	struct plan_answer *answer = search->answer;
	struct plan_point point = plan_as_is();
	int error = 0;

	answer->trial = search->nearest.trial;
	answer->reached = explains(search, &search->nearest);
	if (answer->reached) {
		point.values[search->index] = search->nearest.value;
		answer->point = point;
		error = plan_try(search->plan, &point, true, &answer->trial,
				 search->fault);
	} else {
		say_why_not(search);
	}
	answer->known = !error;
	return error;
}

static int find(struct search *search)
{
	struct tried low = { 0 }, high = { 0 };
	int error = try(search, plan_knob_low(search->knob), &low);

	if (!error)
		error = try(search, plan_knob_high(search->knob), &high);
	if (!error && are_apart(&low, &high))
		error = close_in(search, &low, &high);
	else if (!error)
		error = look_between(search, &low, &high);
	return error ? error : conclude(search);
}

/* Interrupted: what was found, if it explains the figure. */
static int keep(const struct search *search, int error)
{
	struct plan_answer *answer = search->answer;

	if (error != -EINTR || !explains(search, &search->nearest))
		return error;
	answer->point = plan_as_is();
	answer->point.values[search->index] = search->nearest.value;
	answer->trial = search->nearest.trial;
	answer->known = answer->reached = answer->so_far = true;
	snprintf(answer->note, PLAN_NOTE_MAX,
		 "interrupted: it is explained here, a nearer value was not "
		 "looked for to the end, nor what limits then");
	return 0;
}

int plan_measured(const struct plan *plan, size_t knob,
		  struct plan_answer *answer, struct fault *fault)
{
	struct search search = {
		.plan = plan,
		.knob = &plan->knobs[knob],
		.index = knob,
		.measured = plan->goals[0].bound,
		.least = INFINITY,
		.most = -INFINITY,
		.answer = answer,
		.fault = fault,
	};

	*answer = (struct plan_answer){ .point = plan_as_is() };
	return keep(&search, find(&search));
}

double plan_measured_runs(const struct plan *plan, size_t knob)
{
	return POINTS + 2 + PLAN_EXPLAINED_RUNS +
	       plan_bisect_runs(&plan->knobs[knob]);
}
