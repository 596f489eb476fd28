/* SPDX-License-Identifier: MIT */
/*
 * From searches to a measured law: which conditions are measured unless the
 * person names others, the mean and spread of what their searches found, the
 * gains, and two ways out: a grid, and a law file that `training.law` takes.
 */
#ifndef ANALYSIS_LEARN_MEASURE_H
#define ANALYSIS_LEARN_MEASURE_H

#include <stdio.h>

#include "analysis/document/grid.h"
#include "analysis/learn/learn.h"

#define LEARN_CONDITIONS_MAX 128
#define LEARN_SEARCHES_MAX 100

struct learn_measure {
	struct learn_condition condition;
	uint32_t searches; /* done */
	uint32_t reached;  /* of them, the target */
	double fresh;	   /* mean of those that reached it; 0: none did */
	double fresh_min;
	double fresh_max;
	double fresh_of[LEARN_SEARCHES_MAX]; /* by search; 0: did not */
	double rate;  /* the most frequent winner's learning rate */
	bool at_edge; /* some winner stood at an end of the grid */
	double mean_factor;
	double mean_lag_steps;
	double duplicates;
	struct law_answer worth; /* gain 0: not known */
	double gain_error;	 /* its standard error; 0: not known */
	bool tie; /* less than two of them from the next smaller factor */
};

/* A whole measurement. */
struct learn_table {
	enum learn_set set;
	uint64_t seed;
	uint32_t searches; /* of each condition */
	size_t count;
	struct learn_measure rows[LEARN_CONDITIONS_MAX];
};

/* The default: places at e = 2 and 4; larger factors; shorter and longer lags;
 * smaller and larger batches, each batch with its own baseline. Fills the
 * conditions of the rows. */
void learn_plan(struct learn_table *table);

/* Sums up the searches of one row; those that are not done do not count. */
void learn_sum_up(struct learn_measure *row,
		  const struct learn_outcome *outcomes, uint32_t count);

/* Fills every row's gain against its baseline, with its standard error, and
 * which of them tie. 0 or -ENOMEM. */
int learn_fill_gains(struct learn_table *table)
	__attribute__((warn_unused_result));

/* Were all searches done? Does any strategy have a gain? */
bool learn_is_complete(const struct learn_table *table);
bool learn_says_something(const struct learn_table *table);

struct grid learn_grid(const struct learn_table *table);

/* A law file of the rows that reached the target, marked when it is not all of
 * them. */
void learn_write_law(FILE *out, const struct learn_table *table);

/* One paragraph for people: what was measured, and what it is not. */
void learn_describe(struct document *document, const struct learn_table *table);

#endif
