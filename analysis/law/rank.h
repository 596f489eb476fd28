/* SPDX-License-Identifier: MIT */
/*
 * From the law of training to an order of strategies. What the engine counted
 * in a run (the realised factor, the lag of repeats, duplicates in a batch)
 * is put to the law; time to target then says which strategy is best.
 */
#ifndef ANALYSIS_RANK_H
#define ANALYSIS_RANK_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/law/law.h"
#include "analysis/result.h"

/* What the law is asked about a run. */
struct law_query rank_query(const struct result *result);

/* Fills result->law; without a law (NULL), or when nothing was measured, it
 * says nothing. */
void rank_judge(const struct law *law, struct result *result);

/* Fresh examples a second, each counted as what it and its repeats are worth:
 * time to target is in proportion to the inverse. 0: not known. */
double rank_useful_rate(const struct result *result);

/* Fills the speed-ups and ranks, and sorts: no echo first, then by time to
 * target, and what is not known last in the order it came in. Runs stand in
 * groups of `modes`, a group is one strategy; the first mode decides. Where a
 * device's burst credit ends, ranks go by what is sustained (burst.h). */
void rank_runs(struct result **runs, size_t count, size_t modes);

/* The run with the least time to target of those of the first run's mode;
 * NULL without a law, or when there is nothing to choose from. */
const struct result *rank_best(const struct result *const *runs, size_t count);

/* Can the law's spread tell which of the two needs less time? False when the
 * spread of either is not known. */
bool rank_ties(const struct result *one, const struct result *other);

#endif
