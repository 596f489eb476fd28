/* SPDX-License-Identifier: MIT */
/*
 * A log-linear histogram of non-negative integers: 64 equal cells per power
 * of two, so a quantile read from it is within 1/64 (1.6 %) of the true value;
 * counts, sum and maximum are exact.
 */
#ifndef SIM_HISTOGRAM_H
#define SIM_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_CELLS (59 * 64)

struct histogram {
	uint64_t count;
	uint64_t sum; /* saturates */
	uint64_t max;
	uint64_t cells[HISTOGRAM_CELLS];
};

void histogram_add(struct histogram *histogram, int64_t value);

/* What was added since `start` was copied: now - start. The maximum is that
 * of the highest cell left, so within 1/64. */
void histogram_subtract(struct histogram *difference,
			const struct histogram *now,
			const struct histogram *start);

/* The value below which a fraction 0..1 of the values lie; 0 when empty. */
uint64_t histogram_quantile(const struct histogram *histogram, double fraction);

double histogram_mean(const struct histogram *histogram);

#endif
