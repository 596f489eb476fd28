/* SPDX-License-Identifier: MIT */
/*
 * The knee of a curve: where more stops paying. Of an amount x (bandwidth,
 * workers) and the rate y that it buys, the knee is the first point from which
 * no later one gains as much as 5 % of the rate per doubling of x; a gain
 * below 1 % in all is noise. What alone limits a run gains 100 % per doubling,
 * what does not limit it nothing, so of rate = min(demand, x) it is the first
 * point at or above the demand.
 *
 * Where the rate falls as x rises (latency), less is more: the knee is then
 * the last point before it falls.
 */
#ifndef ANALYSIS_KNEE_H
#define ANALYSIS_KNEE_H

#include <stdbool.h>
#include <stdint.h>

#define KNEE_GAIN_PER_DOUBLING 0.05
#define KNEE_NOISE 0.01

enum knee_verdict {
	KNEE_UNKNOWN, /* some rate is not known, or there are too few */
	KNEE_FLAT,    /* nothing is gained anywhere */
	KNEE_FOUND,
	KNEE_BEYOND, /* it still pays at the end of the range */
};

struct knee {
	enum knee_verdict verdict;
	bool less_is_more; /* the rate falls along the curve */
	uint32_t index;	   /* of the point, when found */
	/* Between that point and the one before it: where the line through the
	 * two before it, in logarithms, meets the rate at the knee. */
	double estimate;
};

/* x rises and is not negative; rates are above 0, or not known. */
struct knee knee_find(const double *x, const double *y, uint32_t count);

/* "unknown", "flat", "found", "beyond" */
const char *knee_verdict_name(enum knee_verdict verdict);

#endif
