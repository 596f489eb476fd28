/* SPDX-License-Identifier: MIT */
/*
 * The factor with the least time to target at one place. Too few uses leave
 * accelerators idle, too many spend them on stale examples, and in between
 * there is one summit. It is looked for by trying factors: first a few over
 * the whole range, among them R, the factor at which nothing idles any more,
 * then in the wider of the two gaps beside the best so far. Factors have two
 * decimals. The same rates give the same search.
 */
#ifndef ANALYSIS_BEST_H
#define ANALYSIS_BEST_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/law/law.h"
#include "analysis/result.h"

#define BEST_TRIALS_MAX 12

struct best_trial {
	double factor;
	double rate; /* useful fresh examples a second */
};

struct best_search {
	struct best_trial trials[BEST_TRIALS_MAX + 1]; /* rising factors */
	size_t count;
	double grid[BEST_TRIALS_MAX];
	size_t grid_count;
	size_t grid_next;
};

/* Begins with what no echo reached; factors from 1 to `high`. */
void best_begin(struct best_search *search, const struct result *none,
		double high);

/* The next factor to try; false when the search is over. */
bool best_next(const struct best_search *search, double *factor);

/* What came of it. */
void best_tell(struct best_search *search, double factor,
	       const struct result *result);

/* The best so far. 1: no echo at all is best. */
double best_factor(const struct best_search *search);

/* The largest factor that the law has measured at this place, or, where it
 * only has a model for the place, anywhere. */
double best_high(const struct law *law, enum echo_place place);

#endif
