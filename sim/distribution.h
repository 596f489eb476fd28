/* SPDX-License-Identifier: MIT */
/*
 * A distribution of times (nanoseconds) or sizes (bytes). A visible value:
 * fill kind and parameters, call distribution_prepare() once, then draw.
 * Draws are whole numbers, never negative; a normal draw below zero is
 * truncated to zero, not folded.
 *
 * What is drawn has a number (an example's, a batch's): a cycle gives its
 * values by that, all others by the random bits that the number has.
 */
#ifndef SIM_DISTRIBUTION_H
#define SIM_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/random.h"

enum distribution_kind {
	DISTRIBUTION_CONSTANT,	  /* mean */
	DISTRIBUTION_UNIFORM,	  /* low .. high */
	DISTRIBUTION_EXPONENTIAL, /* mean */
	DISTRIBUTION_NORMAL,	  /* mean, stdev */
	DISTRIBUTION_LOGNORMAL,	  /* mean, stdev of the value, not its log */
	DISTRIBUTION_QUANTILES,	  /* p50 p90 p99 p999 */
	DISTRIBUTION_CYCLE,	  /* values in turn: a given sequence */
};

struct distribution {
	enum distribution_kind kind;
	double mean;
	double stdev;
	double low;
	double high;
	double p50, p90, p99, p999;
	const double *values; /* borrowed */
	uint32_t value_count;
	/* Derived by distribution_prepare(): location and scale of the log. */
	double log_mean;
	double log_stdev;
};

/* A constant; needs no preparing. */
struct distribution distribution_constant(double value);

/* Computes the derived members. */
void distribution_prepare(struct distribution *distribution);

/* The value of the index-th thing of a stream. */
int64_t distribution_draw_at(const struct distribution *distribution,
			     struct random_stream stream, uint64_t index);

/* The value at the given 64 random bits (inverse of the cumulative
 * distribution function). Of a cycle: any of its values. */
int64_t distribution_draw(const struct distribution *distribution,
			  uint64_t bits);

/* Expected value. Quantile tables: of the interpolated table. */
double distribution_mean(const struct distribution *distribution);

/* True when every draw is zero: the stage costs nothing. */
bool distribution_is_zero(const struct distribution *distribution);

#endif
