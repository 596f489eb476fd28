/* SPDX-License-Identifier: MIT */
/* Plans with one knob: the least value, and the most (analysis/plan/plan.h). */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "analysis/plan/plan.h"
#include "sim/check.h"
#include "sim/math.h"

#define PROBES 3     /* on each side of an answer */
#define LOOK_UP_TO 4 /* times what was missed, above the most */

/* One knob under search. */
struct search {
	const struct plan *plan;
	const struct vary *knob;
	size_t index;
	double low;
	double high;
	/* Found so far: the best value that meets the goal, and what it comes
	 * to. */
	double met;
	struct plan_trial at_met;
	struct plan_answer *answer;
	struct fault *fault;
};

static struct search search_of(const struct plan *plan, size_t knob,
			       struct plan_answer *answer, struct fault *fault)
{
	CHECK(knob < plan->knob_count);
	*answer = (struct plan_answer){ .point = plan_as_is() };
	return (struct search){
		.plan = plan,
		.knob = &plan->knobs[knob],
		.index = knob,
		.low = plan_knob_low(&plan->knobs[knob]),
		.high = plan_knob_high(&plan->knobs[knob]),
		.met = NAN,
		.answer = answer,
		.fault = fault,
	};
}

static int try(const struct search *search, double value, bool explains,
	       struct plan_trial *trial)
{
	struct plan_point point = plan_as_is();

	point.values[search->index] = value;
	return plan_try(search->plan, &point, explains, trial, search->fault);
}

/* Point `index` of PROBES, in equal ratios or, from zero, equal steps. */
static double probe(const struct search *search, double from, double to,
		    int index)
{
	double share = (double)(index + 1) / (PROBES + 1);
	double value = from + (to - from) * share;

	if (from > 0)
		value = from * math_exp(share * math_log(to / from));
	if (search->knob->whole || search->knob->unit[0])
		value = (double)(uint64_t)value;
	return value;
}

static void say_uneven(const struct search *search, double value, bool met)
{
	char text[64];

	snprintf(search->answer->note, PLAN_NOTE_MAX,
		 "not monotone: the goal is %s at %s",
		 met ? "met" : "missed again",
		 plan_knob_human(search->knob, value, text, sizeof(text)));
}

/* Tries points between two values. *found: one that meets the goal, or misses
 * it, as `wanted`; NAN: none. */
static int look(const struct search *search, double from, double to,
		bool wanted, double *found)
{
	struct plan_trial trial;
	double value, last = from;
	int error, i;

	*found = NAN;
	for (i = 0; i < PROBES && isnan(*found); i++) {
		value = probe(search, from, to, i);
		if (value <= last || value >= to)
			continue;
		last = value;
		error = try(search, value, false, &trial);
		if (error)
			return error;
		if (trial.met == wanted && !trial.refused)
			*found = value;
	}
	return 0;
}

/* The search is over: the answer is this value. */
static int conclude(const struct search *search, double value)
{
	struct plan_answer *answer = search->answer;
	int error = try(search, value, true, &answer->trial);

	answer->point.values[search->index] = value;
	answer->reached = answer->trial.met;
	answer->known = !error;
	return error;
}

/* No end of the range meets the goal: does anything between? `refused`: the
 * scenario does not allow the higher end. */
static int missed_at_the_end(const struct search *search, bool refused,
			     double *met)
{
	struct plan_answer *answer = search->answer;
	int error = look(search, search->low, search->high, true, met);

	if (error)
		return error;
	if (isnan(*met)) {
		error = try(search, search->high, true, &answer->trial);
		answer->known = !error;
	} else if (!refused) {
		say_uneven(search, search->high, false);
	}
	return error;
}

static int bisect(struct search *search, double *missed)
{
	struct plan_point as_is = plan_as_is();

	return plan_bisect(search->plan, &as_is, search->index, missed,
			   &search->met, &search->at_met, search->fault);
}

/* Bisects, and then: is there a lower answer, or does the goal fail again above
 * it? */
static int find_least(struct search *search)
{
	double missed = search->low, other;
	int error = bisect(search, &missed);

	if (!error)
		error = look(search, search->low, missed, true, &other);
	if (!error && !isnan(other)) {
		say_uneven(search, missed, false);
		missed = search->low;
		search->met = other;
		search->at_met.met = false; /* is another's */
		return bisect(search, &missed);
	}
	if (!error)
		error = look(search, search->met, search->high, false, &other);
	if (!error && !isnan(other))
		say_uneven(search, other, false);
	return error;
}

/* Interrupted: what was found so far, if anything was. */
static int keep(const struct search *search, int error)
{
	struct plan_answer *answer = search->answer;

	if (error != -EINTR || !search->at_met.met)
		return error;
	answer->point.values[search->index] = search->met;
	answer->trial = search->at_met;
	answer->known = answer->reached = answer->so_far = true;
	snprintf(answer->note, PLAN_NOTE_MAX,
		 "interrupted: the goal is met here, a better value was not "
		 "looked for to the end");
	return 0;
}

static int find_alone(struct search *search)
{
	struct plan_answer *answer = search->answer;
	struct plan_trial *trial = &search->at_met;
	int error = try(search, search->low, false, trial);

	if (error)
		return error;
	if (trial->met) {
		search->met = search->low;
		snprintf(answer->note, PLAN_NOTE_MAX,
			 "met at the lowest value already");
		return conclude(search, search->low);
	}
	error = try(search, search->high, false, trial);
	if (error)
		return error;
	if (trial->refused)
		snprintf(answer->note, PLAN_NOTE_MAX, "%s", trial->note);
	if (trial->met)
		search->met = search->high;
	else
		error = missed_at_the_end(search, trial->refused, &search->met);
	if (error || answer->known)
		return error;
	error = find_least(search);
	return error ? error : conclude(search, search->met);
}

int plan_alone(const struct plan *plan, size_t knob, struct plan_answer *answer,
	       struct fault *fault)
{
	struct search search = search_of(plan, knob, answer, fault);
	int error = find_alone(&search);

	return keep(&search, error);
}

double plan_alone_runs(const struct plan *plan, size_t knob)
{
	return 2 + 2 * PROBES + PLAN_EXPLAINED_RUNS +
	       plan_bisect_runs(&plan->knobs[knob]);
}

/* Doubles until the goal is missed or the range ends; *missed NAN then. */
static int double_up(struct search *search, double *missed)
{
	struct plan_trial trial;
	double value = search->met;
	int error;

	*missed = NAN;
	while (isnan(*missed) && value < search->high) {
		value = value > 0 ? 2 * value : 1;
		value = value < search->high ? value : search->high;
		error = try(search, value, false, &trial);
		if (error)
			return error;
		*(trial.met ? &search->met : missed) = value;
		if (trial.met)
			search->at_met = trial;
	}
	return 0;
}

/* What forbids one more is what limits there. */
static int explain_miss(const struct search *search, double missed)
{
	struct plan_answer *answer = search->answer;
	struct plan_trial trial;
	int error = try(search, missed, true, &trial);

	answer->trial.binding = trial.binding;
	if (trial.refused)
		snprintf(answer->note, PLAN_NOTE_MAX, "%s", trial.note);
	return error;
}

static int find_most(struct search *search)
{
	struct plan_answer *answer = search->answer;
	double missed, other;
	int error = try(search, search->low, true, &answer->trial);

	if (error || !answer->trial.met) {
		answer->known = !error;
		return error;
	}
	search->met = search->low;
	search->at_met = answer->trial;
	error = double_up(search, &missed);
	if (!error && !isnan(missed))
		error = bisect(search, &missed);
	if (!error)
		error = conclude(search, search->met);
	if (error || isnan(missed)) {
		snprintf(answer->note, PLAN_NOTE_MAX,
			 "met up to the end of the range");
		return error;
	}
	error = look(search, missed,
		     missed * LOOK_UP_TO < search->high ? missed * LOOK_UP_TO :
							  search->high,
		     true, &other);
	if (!error && !isnan(other))
		say_uneven(search, other, true);
	return error ? error : explain_miss(search, missed);
}

int plan_most(const struct plan *plan, size_t knob, struct plan_answer *answer,
	      struct fault *fault)
{
	struct search search = search_of(plan, knob, answer, fault);
	int error = find_most(&search);

	return keep(&search, error);
}

double plan_most_runs(const struct plan *plan, size_t knob)
{
	return 3 * PLAN_EXPLAINED_RUNS + PROBES +
	       2 * plan_bisect_runs(&plan->knobs[knob]);
}
