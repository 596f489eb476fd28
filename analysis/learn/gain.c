/* SPDX-License-Identifier: MIT */
/* Gains, how sure they are, and which of them tie. */
#include <errno.h>
#include <stdlib.h>

#include "analysis/learn/measure.h"
#include "sim/math.h"

#define TIE_ERRORS 2

/* Not a mean when a search failed: it then leaves out the worst. */
static bool is_whole(const struct learn_measure *row)
{
	return row->searches && row->reached == row->searches;
}

static struct law_point point_of(const struct learn_measure *row)
{
	return (struct law_point){
		.place = row->condition.place,
		.factor = row->condition.factor,
		.fresh = row->fresh,
		.fresh_min = row->fresh_min,
		.fresh_max = row->fresh_max,
		.batch = row->condition.batch,
		.shuffle_examples = row->condition.shuffle_examples,
		.shuffle_batches = row->condition.place == ECHO_BATCH ?
					   row->condition.shuffle_batches :
					   0,
	};
}

/* The row without echo that a row is measured against; NULL: none. */
static const struct learn_measure *baseline_of(const struct learn_table *table,
					       const struct learn_measure *row)
{
	const struct learn_measure *other = table->rows;

	for (; other < table->rows + table->count; other++)
		if (is_whole(other) && other->condition.factor == 1 &&
		    other->condition.batch == row->condition.batch)
			return other;
	return NULL;
}

static bool same_series(const struct learn_condition *one,
			const struct learn_condition *other)
{
	return one->place == other->place && one->batch == other->batch &&
	       one->shuffle_examples == other->shuffle_examples &&
	       one->shuffle_batches == other->shuffle_batches;
}

/* The row of the next smaller factor, all else the same. */
static const struct learn_measure *neighbour_of(const struct learn_table *table,
						const struct learn_measure *row)
{
	const struct learn_measure *best = baseline_of(table, row);
	const struct learn_measure *other = table->rows;

	for (; other < table->rows + table->count; other++)
		if (is_whole(other) &&
		    same_series(&other->condition, &row->condition) &&
		    other->condition.factor < row->condition.factor &&
		    (!best || other->condition.factor > best->condition.factor))
			best = other;
	return best;
}

/* The standard error of the ratio of the means of two rows. Their searches
 * come in pairs, with the same weights and order of examples at the start, so
 * what a seed does to both cancels: it is that of the residuals from the ratio
 * (Cochran, Sampling Techniques, section 6.4). 0: not known. */
static double ratio_error(const struct learn_measure *above,
			  const struct learn_measure *below)
{
	double ratio = above->fresh / below->fresh, squares = 0, residual;
	uint32_t pairs = 0, i;

	for (i = 0; i < LEARN_SEARCHES_MAX; i++) {
		if (!above->fresh_of[i] || !below->fresh_of[i])
			continue;
		residual = above->fresh_of[i] - ratio * below->fresh_of[i];
		squares += residual * residual;
		pairs++;
	}
	if (pairs < 2)
		return 0;
	return math_sqrt(squares / (pairs - 1) / pairs) / below->fresh;
}

static void fill_error(const struct learn_table *table,
		       struct learn_measure *row)
{
	const struct learn_measure *neighbour = neighbour_of(table, row);
	double ratio = neighbour->fresh / row->fresh;
	double apart = ratio > 1 ? ratio - 1 : 1 - ratio;

	row->gain_error = ratio_error(baseline_of(table, row), row);
	row->tie = apart < TIE_ERRORS * ratio_error(neighbour, row);
}

int learn_fill_gains(struct learn_table *table)
{
	struct law *law = calloc(1, sizeof(*law));
	struct learn_measure *row;
	struct law_point point;
	size_t i;

	if (!law)
		return -ENOMEM;
	for (i = 0; i < table->count; i++)
		if (is_whole(&table->rows[i]))
			law->points[law->point_count++] =
				point_of(&table->rows[i]);
	for (i = 0; i < table->count; i++) {
		row = &table->rows[i];
		if (!is_whole(row) || !baseline_of(table, row))
			continue;
		point = point_of(row);
		law_point_gain(law, &point, &row->worth);
		if (point.factor == 1)
			row->worth.gain_min = row->worth.gain_max = 1;
		else
			fill_error(table, row);
	}
	free(law);
	return 0;
}

bool learn_is_complete(const struct learn_table *table)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		if (table->rows[i].searches < table->searches)
			return false;
	return true;
}

bool learn_says_something(const struct learn_table *table)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		if (table->rows[i].condition.factor > 1 &&
		    table->rows[i].worth.gain > 0)
			return true;
	return false;
}
