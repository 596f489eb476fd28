/* SPDX-License-Identifier: MIT */
/*
 * A plan: the least change of a scenario that meets a goal. Knobs are numbers
 * of the scenario with a range each, the axes of --vary; every answer comes
 * from simulations.
 *
 * Alone: the least value of one knob, all else as it is, that meets the goal,
 * by bisection between an end that misses it and an end that meets it; of
 * pieces exact, of amounts to a thousandth, rounded up to what is easily said.
 * Points on both sides of the answer are tried as well, and when they
 * contradict a goal that is missed below and met above, the answer says so.
 *
 * Most: the largest value of a knob at which the goal still holds, found by
 * doubling and then by bisection: how many accelerators this storage keeps.
 *
 * Measured: the value of a knob, all else as it is, at which the simulation
 * comes to a figure that was measured: by the same bisection where two
 * values of its range are on either side of it. What it explains, it explains
 * within one per cent of the figure.
 *
 * Together: the combination with the least cost an hour (analysis/plan/cost.h).
 * It is exact over the grid of the axes' points where more of a knob never
 * costs less nor meets the goal worse: for every combination of the other
 * knobs, in the order of cost, the least point of the longest axis that meets
 * the goal is bisected below the best cost so far. Then each knob in turn is
 * left as the scenario has it where that costs no more, or lowered within its
 * step of the grid as far as the goal allows, so the answer costs at most as
 * much as the best point of the grid and changes nothing for nothing.
 *
 * All of it may be under way in different threads for one plan.
 */
#ifndef ANALYSIS_PLAN_H
#define ANALYSIS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/experiment.h"
#include "analysis/goal.h"
#include "analysis/value.h"
#include "traces/vary.h"

#define PLAN_KNOBS_MAX 6
#define PLAN_NOTE_MAX 240
#define PLAN_GRID_MAX 65536 /* points of a combination */
/* One that says what limits: the run, its beginning, and that explained. */
#define PLAN_EXPLAINED_RUNS 3
/* A figure explains another one from which it differs by this share of it. */
#define PLAN_MEASURED_WITHIN 0.01

struct plan {
	/* The scenario's first strategy is the one that is planned for. */
	const struct experiment *experiment;
	const struct goal *goals; /* at least one; all are to be met, or the
				     first is what was measured */
	size_t goal_count;
	const struct vary *knobs; /* axes of numbers */
	size_t knob_count;
};

/* Goals are put to what is sustained, so simulations begin without the burst
 * credit of the device, unless the experiment asks about the start or the
 * scenario says how long the job is (analysis/burst.h). */

/* What a simulation with some knobs turned came to. */
struct plan_trial {
	bool met;
	bool refused;		    /* the scenario allows no such value */
	const struct goal *unknown; /* whose figure is not known; NULL: none */
	struct metric_value figure; /* of the first goal */
	struct metric_value cost_per_hour;
	struct metric_value cost_per_epoch;
	const char *binding; /* what limits; NULL: nothing, or not known */
	char remedy[RESOURCE_SAID_MAX];	 /* a change that helps there; "" */
	struct metric_value remedy_gain; /* of the rate, by that change */
	bool drained; /* of a device's burst credit: it is sustained so */
	struct metric_value lasts_s; /* the credit, where it was not */
	char note[PLAN_NOTE_MAX];    /* why it was refused */
};

/* Values of knobs in base units (bytes, nanoseconds, pieces); NAN: as the
 * scenario has it. */
struct plan_point {
	double values[PLAN_KNOBS_MAX];
};

struct plan_answer {
	bool known;  /* the search came to its end, or: */
	bool so_far; /* it was interrupted; the point meets the goal, and a
			better one was not looked for to the end */
	bool reached;
	struct plan_point point;  /* valid when reached */
	struct plan_trial trial;  /* there, or where the goal was missed */
	char note[PLAN_NOTE_MAX]; /* what a reader must know; "" */
};

/* How far along a search is, counted against the most simulations that it can
 * take: the time left falls, and may end early. Wraps the watch of whoever
 * started the search, and outlives the one that it gives. */
struct plan_pace {
	struct simulation_watch watch;
	double most; /* runs */
	double runs; /* that are over */
	double done; /* of the one under way */
};

struct simulation_watch plan_pace_begin(struct plan_pace *pace, double most,
					const struct simulation_watch *watch);

/* The most simulations of plan_alone(), plan_most(), plan_together() and
 * plan_measured(). */
double plan_alone_runs(const struct plan *plan, size_t knob);
double plan_most_runs(const struct plan *plan, size_t knob);
double plan_together_runs(const struct plan *plan);
double plan_measured_runs(const struct plan *plan, size_t knob);

/* A knob's ends, and its point `index`, in base units. */
double plan_knob_low(const struct vary *knob);
double plan_knob_high(const struct vary *knob);
double plan_knob_at(const struct vary *knob, uint32_t index);

/* A value in SI base units; exactly as --set reads it; in four digits. They
 * return text. */
double plan_knob_si(const struct vary *knob, double base);
const char *plan_knob_human(const struct vary *knob, double base, char *text,
			    size_t size);
const char *plan_knob_text(const struct vary *knob, double base, char *text,
			   size_t size);

/* What the scenario has, in base units; NAN: nothing, or no single number. */
double plan_knob_now(const struct vary *knob, const struct scenario *scenario);

/* The point at which nothing is changed. */
struct plan_point plan_as_is(void);

/* One simulation; `explains`: with what limits it. -EINTR: it was ended;
 * others: there is no answer. */
int plan_try(const struct plan *plan, const struct plan_point *point,
	     bool explains, struct plan_trial *trial, struct fault *fault)
	__attribute__((warn_unused_result));

/* What stands there costs by the hour at that point; not known when nothing
 * has a price or the scenario allows no such value. */
int plan_cost(const struct plan *plan, const struct plan_point *point,
	      struct metric_value *cost, struct fault *fault)
	__attribute__((warn_unused_result));

/* Does any of the knobs cost anything? Without, no combination is cheapest. */
int plan_is_priced(const struct plan *plan, bool *priced, struct fault *fault)
	__attribute__((warn_unused_result));

/* The searches; the same errors as plan_try(), but interrupted they answer with
 * what they know so far if that meets the goal. */
int plan_alone(const struct plan *plan, size_t knob, struct plan_answer *answer,
	       struct fault *fault) __attribute__((warn_unused_result));
int plan_most(const struct plan *plan, size_t knob, struct plan_answer *answer,
	      struct fault *fault) __attribute__((warn_unused_result));
int plan_together(const struct plan *plan, struct plan_answer *answer,
		  struct fault *fault) __attribute__((warn_unused_result));

/* Where the first goal's figure is what was measured. The answer is reached
 * where it is explained; where it is not, the trial is the nearest to it. */
int plan_measured(const struct plan *plan, size_t knob,
		  struct plan_answer *answer, struct fault *fault)
	__attribute__((warn_unused_result));

/* Bisection between a value that misses the goal and one that meets it, the
 * other knobs being as in `point`. Moves both until they are neighbours, and
 * *trial with what meets it. */
int plan_bisect(const struct plan *plan, const struct plan_point *point,
		size_t knob, double *missed, double *met,
		struct plan_trial *trial, struct fault *fault)
	__attribute__((warn_unused_result));

/* How many runs that takes at most. */
double plan_bisect_runs(const struct vary *knob);

#endif
