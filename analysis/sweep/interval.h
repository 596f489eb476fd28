/* SPDX-License-Identifier: MIT */
/*
 * What several runs that differ only in their seed say about a figure: the
 * mean, the ends, and the interval in which the mean of many more would lie
 * with 95 % confidence, by Student's t: mean +- t s / sqrt(n).
 */
#ifndef ANALYSIS_INTERVAL_H
#define ANALYSIS_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

struct interval {
	bool known; /* of two values or more */
	double mean;
	double min;
	double max;
	double low; /* of the confidence interval */
	double high;
};

struct interval interval_of(const double *values, uint32_t count);

/* The quantile 0.975 of Student's distribution; degrees of freedom >= 1. Error
 * below 0.0005. */
double interval_student(uint32_t degrees);

#endif
