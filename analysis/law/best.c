/* SPDX-License-Identifier: MIT */
#include "analysis/law/best.h"

#include <string.h>

#include "analysis/metric.h"
#include "analysis/law/rank.h"
#include "sim/math.h"

#define GRID_STEPS 4
#define GOLDEN 0.381966	     /* share of a gap that is tried */
#define GAP_ENOUGH 0.01	     /* of the factor */
#define SAME_RATE 0.002	     /* so little is not worth more uses */
#define ENVELOPE_FACTOR 16.0 /* of laws without points */

/* To two decimals. */
static double rounded(double factor)
{
	return (double)(long)(factor * 100 + 0.5) / 100;
}

static bool is_tried(const struct best_search *search, double factor)
{
	size_t i;

	for (i = 0; i < search->count; i++)
		if (search->trials[i].factor == factor)
			return true;
	return false;
}

static void add_to_grid(struct best_search *search, double factor, double high)
{
	size_t i;

	factor = rounded(factor);
	if (factor <= 1 || factor > high)
		return;
	for (i = 0; i < search->grid_count; i++)
		if (search->grid[i] == factor)
			return;
	search->grid[search->grid_count++] = factor;
}

void best_begin(struct best_search *search, const struct result *none,
		double high)
{
	struct metric_value au = metric_get("au", none);
	double step = math_log(high) / GRID_STEPS;
	int i;

	*search = (struct best_search){ .count = 1 };
	search->trials[0] = (struct best_trial){ 1, rank_useful_rate(none) };
	if (au.known && au.real > 0)
		add_to_grid(search, 1 / au.real, high);
	for (i = GRID_STEPS; i > 0; i--)
		add_to_grid(search, math_exp(step * i), high);
	/* Rounding may have left the end out. */
	add_to_grid(search, high, high);
}

static size_t best_index(const struct best_search *search)
{
	size_t best = 0, i;

	for (i = 1; i < search->count; i++)
		if (search->trials[i].rate >
		    search->trials[best].rate * (1 + SAME_RATE))
			best = i;
	return best;
}

bool best_next(const struct best_search *search, double *factor)
{
	const struct best_trial *trials = search->trials;
	size_t at = best_index(search);
	double below = 0, above = 0;

	if (search->count > BEST_TRIALS_MAX)
		return false;
	if (search->grid_next < search->grid_count) {
		*factor = search->grid[search->grid_next];
		return true;
	}
	if (at > 0)
		below = trials[at].factor - trials[at - 1].factor;
	if (at + 1 < search->count)
		above = trials[at + 1].factor - trials[at].factor;
	if (below <= GAP_ENOUGH * trials[at].factor &&
	    above <= GAP_ENOUGH * trials[at].factor)
		return false;
	*factor = rounded(trials[at].factor +
			  (above > below ? above : -below) * GOLDEN);
	return !is_tried(search, *factor);
}

void best_tell(struct best_search *search, double factor,
	       const struct result *result)
{
	size_t at = search->count;

	if (search->grid_next < search->grid_count)
		search->grid_next++;
	while (at && search->trials[at - 1].factor > factor)
		at--;
	memmove(&search->trials[at + 1], &search->trials[at],
		(search->count - at) * sizeof(search->trials[0]));
	search->trials[at] =
		(struct best_trial){ factor, rank_useful_rate(result) };
	search->count++;
}

double best_factor(const struct best_search *search)
{
	return search->trials[best_index(search)].factor;
}

double best_high(const struct law *law, enum echo_place place)
{
	double here = law_factor_max(law, place), anywhere = 1, other;
	int i;

	if (here > 1)
		return here;
	for (i = ECHO_NONE + 1; i <= ECHO_BATCH; i++) {
		other = law_factor_max(law, (enum echo_place)i);
		anywhere = other > anywhere ? other : anywhere;
	}
	return anywhere > 1 ? anywhere : ENVELOPE_FACTOR;
}
