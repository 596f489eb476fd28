/* SPDX-License-Identifier: MIT */
#include "analysis/law/rank.h"

#include <string.h>

#include "analysis/metric.h"

static uint64_t update_batch(const struct pipeline *pipeline)
{
	const struct accelerators *accelerators = &pipeline->accelerators;

	if (accelerators->sync == SYNC_NONE)
		return pipeline->batch_size;
	return (uint64_t)pipeline->batch_size * accelerators->count *
	       accelerators->hosts;
}

/* Steps between two uses; a repeat in the same batch has none, nor has one in
 * the step after. */
static double lag_between(const struct figures *figures)
{
	double uses = (double)(figures->lag_uses + figures->duplicates);
	double steps = (double)figures->lag_steps - (double)figures->lag_uses;

	return uses > 0 && steps > 0 ? steps / uses : 0;
}

struct law_query rank_query(const struct result *result)
{
	const struct pipeline *pipeline = &result->pipeline;

	return (struct law_query){
		.place = result->echo.place,
		.asked = result->echo.policy == ECHO_FIXED ?
				 result->echo.factor :
				 0,
		.factor = metric_get("mean_factor", result).real,
		.batch = update_batch(pipeline),
		.shuffle_examples = pipeline->shuffle_examples,
		.shuffle_batches = result->echo.shuffle_batches,
		.lag_steps = lag_between(&result->figures),
	};
}

void rank_judge(const struct law *law, struct result *result)
{
	struct law_query query;

	result->law = (struct law_answer){ 0 };
	if (!law || !result->figures.fresh_examples)
		return;
	query = rank_query(result);
	law_ask(law, &query, &result->law);
}

double rank_useful_rate(const struct result *result)
{
	struct metric_value rate = metric_get("fresh_examples_per_s", result);

	return rate.known ? rate.real * result->law.gain : 0;
}

/* What strategies are ranked by: a burst's start does not decide a job. */
static double judged_rate(const struct result *result)
{
	return rank_useful_rate(burst_judged(result));
}

/* The rates that the ends of the law's spread make of it; 0: not known. */
static double end_rate(const struct result *result, double fresh)
{
	return fresh > 0 ? judged_rate(result) * result->law.fresh / fresh : 0;
}

/* A run, or what of it is sustained. */
static struct result *as_seen(struct result *run, bool sustained)
{
	return sustained ? run->sustained : run;
}

/* Without a law a variant is worth what it reads, if it does not echo and
 * updates with as many examples as the reference. */
static double variant_rate(const struct result *run,
			   const struct result *reference)
{
	double rate = rank_useful_rate(run);

	if (rate > 0 || !reference->variant || run->echo.place != ECHO_NONE ||
	    update_batch(&run->pipeline) != update_batch(&reference->pipeline))
		return rate;
	return metric_get("fresh_examples_per_s", run).real;
}

/* No echo in that mode, of the first variant. */
static size_t find_reference(struct result **runs, size_t count, bool live)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (runs[i]->live == live && runs[i]->echo.place == ECHO_NONE)
			break;
	return i;
}

static void fill_speedups(struct result **runs, size_t count, bool live,
			  bool sustained)
{
	size_t reference = find_reference(runs, count, live), i;
	const struct result *first;
	struct result *run;
	double none = 0;

	if (reference < count && as_seen(runs[reference], sustained))
		none = variant_rate(as_seen(runs[reference], sustained),
				    runs[reference]);
	for (i = 0; i < count && none > 0; i++) {
		first = runs[reference];
		run = as_seen(runs[i], sustained);
		if (run && runs[i]->live == live)
			run->speedup = variant_rate(run, first) / none;
	}
}

/* No echo does, where it is the reference: of the first variant. */
static bool leads(const struct result *run, const struct result *reference)
{
	return run->echo.place == ECHO_NONE &&
	       run->variant == reference->variant;
}

static bool goes_before(const struct result *one, const struct result *other,
			const struct result *reference)
{
	if (leads(one, reference) != leads(other, reference))
		return leads(one, reference);
	return judged_rate(one) > judged_rate(other);
}

/* By insertion: few groups, and equal ones keep their order. */
static void sort_groups(struct result **runs, size_t groups, size_t modes)
{
	const struct result *reference = runs[0];
	struct result *held[2];
	size_t size = modes * sizeof(held[0]);
	size_t i, at;

	for (i = 1; i < groups; i++) {
		memcpy(held, &runs[i * modes], size);
		for (at = i; at && goes_before(held[0], runs[(at - 1) * modes],
					       reference);
		     at--)
			memcpy(&runs[at * modes], &runs[(at - 1) * modes],
			       size);
		memcpy(&runs[at * modes], held, size);
	}
}

static void fill_ranks(struct result **runs, size_t count)
{
	const struct result *best =
		rank_best((const struct result *const *)runs, count);
	size_t i;

	for (i = 0; i < count && best; i++) {
		if (runs[i] == best)
			runs[i]->rank = RANK_BEST;
		else if (runs[i]->live == best->live &&
			 rank_ties(runs[i], best))
			runs[i]->rank = RANK_TIE;
	}
}

void rank_runs(struct result **runs, size_t count, size_t modes)
{
	size_t i;

	for (i = 0; i < 4; i++)
		fill_speedups(runs, count, i & 1, i & 2);
	fill_ranks(runs, count);
	for (i = 0; i < count; i++)
		if (runs[i]->law.gain > 0)
			break;
	if (i < count)
		sort_groups(runs, count / modes, modes);
}

const struct result *rank_best(const struct result *const *runs, size_t count)
{
	const struct result *best = NULL;
	size_t i, known = 0;

	for (i = 0; i < count; i++) {
		if (runs[i]->live != runs[0]->live || runs[i]->law.gain <= 0)
			continue;
		known++;
		if (!best || judged_rate(runs[i]) > judged_rate(best))
			best = runs[i];
	}
	return known > 1 ? best : NULL;
}

bool rank_ties(const struct result *one, const struct result *other)
{
	double one_low = end_rate(one, one->law.fresh_max);
	double one_high = end_rate(one, one->law.fresh_min);
	double other_low = end_rate(other, other->law.fresh_max);
	double other_high = end_rate(other, other->law.fresh_min);

	if (one_low <= 0 || one_high <= 0 || other_low <= 0 || other_high <= 0)
		return false;
	return one_low <= other_high && other_low <= one_high;
}
