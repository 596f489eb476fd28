/* SPDX-License-Identifier: MIT */
/* Plans with one knob: the least value, and the most (analysis/plan/plan.h). */
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

/* Bisects, and then: is there a lower answer, or does the goal fail again above
 * it? */
static int find_least(const struct search *search, double *met)
{
	struct plan_point as_is = plan_as_is();
	double missed = search->low, other;
	int error = plan_bisect(search->plan, &as_is, search->index, &missed,
				met, search->fault);

	if (!error)
		error = look(search, search->low, missed, true, &other);
	if (!error && !isnan(other)) {
		say_uneven(search, missed, false);
		missed = search->low;
		*met = other;
		return plan_bisect(search->plan, &as_is, search->index, &missed,
				   met, search->fault);
	}
	if (!error)
		error = look(search, *met, search->high, false, &other);
	if (!error && !isnan(other))
		say_uneven(search, other, false);
	return error;
}

int plan_alone(const struct plan *plan, size_t knob, struct plan_answer *answer,
	       struct fault *fault)
{
	struct search search = search_of(plan, knob, answer, fault);
	double met = search.high;
	struct plan_trial trial;
	int error = try(&search, search.low, false, &trial);

	if (error)
		return error;
	if (trial.met) {
		snprintf(answer->note, PLAN_NOTE_MAX,
			 "met at the lowest value already");
		return conclude(&search, search.low);
	}
	error = try(&search, search.high, false, &trial);
	if (trial.refused)
		snprintf(answer->note, PLAN_NOTE_MAX, "%s", trial.note);
	if (!error && !trial.met)
		error = missed_at_the_end(&search, trial.refused, &met);
	if (error || answer->known)
		return error;
	error = find_least(&search, &met);
	return error ? error : conclude(&search, met);
}

/* Doubles until the goal is missed or the range ends; *missed NAN then. */
static int double_up(const struct search *search, double *met, double *missed)
{
	struct plan_trial trial;
	double value = *met;
	int error;

	*missed = NAN;
	while (isnan(*missed) && value < search->high) {
		value = value > 0 ? 2 * value : 1;
		value = value < search->high ? value : search->high;
		error = try(search, value, false, &trial);
		if (error)
			return error;
		*(trial.met ? met : missed) = value;
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

int plan_most(const struct plan *plan, size_t knob, struct plan_answer *answer,
	      struct fault *fault)
{
	struct search search = search_of(plan, knob, answer, fault);
	struct plan_point as_is = plan_as_is();
	double met = search.low, missed, other;
	int error = try(&search, search.low, true, &answer->trial);

	if (error || !answer->trial.met) {
		answer->known = !error;
		return error;
	}
	error = double_up(&search, &met, &missed);
	if (!error && !isnan(missed))
		error = plan_bisect(plan, &as_is, knob, &missed, &met, fault);
	if (!error)
		error = conclude(&search, met);
	if (error || isnan(missed)) {
		snprintf(answer->note, PLAN_NOTE_MAX,
			 "met up to the end of the range");
		return error;
	}
	error = look(&search, missed,
		     missed * LOOK_UP_TO < search.high ? missed * LOOK_UP_TO :
							 search.high,
		     true, &other);
	if (!error && !isnan(other))
		say_uneven(&search, other, true);
	return error ? error : explain_miss(&search, missed);
}
