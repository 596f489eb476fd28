/* SPDX-License-Identifier: MIT */
#include "analysis/law/points.h"

enum echo_place law_place(const struct law *law, enum echo_place place)
{
	if (place == ECHO_EXAMPLE_BEFORE_DECODE ||
	    (place == ECHO_EXAMPLE_AFTER_AUGMENT && law->plain))
		return ECHO_EXAMPLE_BEFORE_AUGMENT;
	return place;
}

bool law_is_echo(const struct law_point *point)
{
	return point->factor > 1;
}

static bool any_or(uint64_t said, uint64_t asked)
{
	return !said || said == asked;
}

bool law_of_place(const struct law_point *point, enum echo_place place)
{
	return law_is_echo(point) &&
	       (point->any_place || point->place == place);
}

/* The example shuffle says nothing about repeated batches, nor the other way
 * round. */
static bool under(const struct law_point *point, const struct law_query *query)
{
	if (!law_of_place(point, query->place) ||
	    !any_or(point->batch, query->batch))
		return false;
	if (query->place == ECHO_BATCH)
		return any_or(point->shuffle_batches, query->shuffle_batches);
	return any_or(point->shuffle_examples, query->shuffle_examples);
}

const struct law_point *law_baseline(const struct law *law, uint64_t batch,
				     uint64_t shuffle)
{
	const struct law_point *point, *found = NULL;
	size_t i;

	for (i = 0; i < law->point_count; i++) {
		point = &law->points[i];
		if (law_is_echo(point) || !any_or(point->batch, batch))
			continue;
		if (any_or(point->shuffle_examples, shuffle))
			return point;
		if (!found)
			found = point;
	}
	return found;
}

static double ratio_or_nothing(double numerator, double denominator)
{
	return numerator > 0 && denominator > 0 ? numerator / denominator : 0;
}

static struct gains gains_of(const struct law *law,
			     const struct law_point *point)
{
	const struct law_point *base =
		law_baseline(law, point->batch, point->shuffle_examples);

	return (struct gains){
		.factor = point->factor,
		.gain = base->fresh / point->fresh,
		.gain_min = ratio_or_nothing(base->fresh_min, point->fresh_max),
		.gain_max = ratio_or_nothing(base->fresh_max, point->fresh_min),
		.own_min = ratio_or_nothing(base->fresh, point->fresh_max),
		.own_max = ratio_or_nothing(base->fresh, point->fresh_min),
	};
}

void law_point_gain(const struct law *law, const struct law_point *point,
		    struct law_answer *answer)
{
	struct gains gains = gains_of(law, point);

	*answer = (struct law_answer){
		.source = GAIN_TABLE,
		.gain = gains.gain,
		.gain_min = gains.gain_min,
		.gain_max = gains.gain_max,
		.fresh = point->fresh,
		.fresh_min = point->fresh_min,
		.fresh_max = point->fresh_max,
	};
}

double law_factor_max(const struct law *law, enum echo_place place)
{
	double most = 1;
	size_t i;

	place = law_place(law, place);
	for (i = 0; i < law->point_count; i++)
		if (law_of_place(&law->points[i], place) &&
		    law->points[i].factor > most)
			most = law->points[i].factor;
	return most;
}

/* The points of one series, from (1, 1) on. */

static double blend(double from, double to, double share)
{
	return from > 0 && to > 0 ? from + (to - from) * share : 0;
}

static struct gains gains_between(const struct gains *from,
				  const struct gains *to, double factor)
{
	double share = (factor - from->factor) / (to->factor - from->factor);

	return (struct gains){
		.factor = factor,
		.gain = blend(from->gain, to->gain, share),
		.gain_min = blend(from->gain_min, to->gain_min, share),
		.gain_max = blend(from->gain_max, to->gain_max, share),
		.own_min = blend(from->own_min, to->own_min, share),
		.own_max = blend(from->own_max, to->own_max, share),
	};
}

enum found law_look_up(const struct law *law, const struct law_query *query,
		       struct gains *gains)
{
	struct gains before = { 1, 1, 1, 1, 1, 1 }, at;
	enum found found = FOUND_NOTHING;
	size_t i;

	for (i = 0; i < law->point_count; i++) {
		if (!under(&law->points[i], query))
			continue;
		at = gains_of(law, &law->points[i]);
		found = FOUND_LAST;
		if (query->asked == at.factor &&
		    query->factor >= at.factor * (1 - LAW_NEAR) &&
		    query->factor <= at.factor * (1 + LAW_NEAR)) {
			*gains = at;
			return FOUND_POINT;
		}
		if (query->factor < at.factor) {
			*gains = gains_between(&before, &at, query->factor);
			return FOUND_BETWEEN;
		}
		before = at;
	}
	*gains = before;
	return found;
}
