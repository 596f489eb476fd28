/* SPDX-License-Identifier: MIT */
/*
 * Looking up measured points (private to the law's files): which of them hold
 * under a query's conditions, and what they gain against their baseline.
 */
#ifndef ANALYSIS_LAW_POINTS_H
#define ANALYSIS_LAW_POINTS_H

#include "analysis/law/law.h"

/* A realised factor that close to the asked one is it. */
#define LAW_NEAR 0.02

/* Gains of one point: with the whole spread, and against the mean baseline. */
struct gains {
	double factor;
	double gain, gain_min, gain_max;
	double own_min, own_max;
};

enum found {
	FOUND_NOTHING,
	FOUND_POINT,
	FOUND_BETWEEN,
	FOUND_LAST, /* the factor is beyond: the last point's gains */
};

/* The place as the law knows it: copies that are decoded or augmented anew are
 * worth the same; without augmentation there is no after. */
enum echo_place law_place(const struct law *law, enum echo_place place);

bool law_is_echo(const struct law_point *point);
bool law_of_place(const struct law_point *point, enum echo_place place);

/* The baseline of a batch and shuffle; that of another shuffle, rather than
 * none. NULL when the batch has none. */
const struct law_point *law_baseline(const struct law *law, uint64_t batch,
				     uint64_t shuffle);

/* The gains at the query's factor, from the series under its conditions. */
enum found law_look_up(const struct law *law, const struct law_query *query,
		       struct gains *gains);

#endif
