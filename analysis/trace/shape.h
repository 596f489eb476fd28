/* SPDX-License-Identifier: MIT */
/*
 * Values that a trace holds many of (sizes of examples, times of steps) as one
 * distribution. One half of the values is for the fit; the other is held out
 * and tells how well the distribution found fits: an error on what it was not
 * fitted to. Memory is two histograms, whatever the number of values.
 */
#ifndef ANALYSIS_TRACE_SHAPE_H
#define ANALYSIS_TRACE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/distribution.h"
#include "sim/histogram.h"

struct shape {
	uint64_t count;
	double sum;	    /* of those for the fit */
	double sum_squares; /* around the first value */
	double origin;
	double held_out_sum;
	struct histogram fitted;
	struct histogram held_out;
};

/* The rest of the memory is zero when a shape begins. */
void shape_add(struct shape *shape, int64_t value);

struct shape_fit {
	bool known; /* there were values */
	uint64_t count;
	struct distribution distribution;
	/* On the values held out: of the mean, and of quantiles from p10 to
	 * p99, the largest, as shares of the mean. A histogram's cells are
	 * wide by 1.6 %. Not a number where none was held out. */
	double mean_error;
	double quantile_error;
};

/* Of constant, normal, lognormal and a table of quantiles the one that is
 * nearest to the values for the fit; a simpler one if it is about as near. */
void shape_make(const struct shape *shape, struct shape_fit *fit);

#endif
