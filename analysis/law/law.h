/* SPDX-License-Identifier: MIT */
/*
 * A law of training says what a repeated example is worth: F, the fresh
 * examples that must be read to reach a fixed target, for a strategy under
 * its conditions. Gain G = F(no echo) / F(strategy). A law is a CSV text of
 * measured points with a head of "# key: value" lines:
 *
 *   # name: mine
 *   factor,fresh
 *   1,8.0e6
 *   2,4.4e6
 *
 * factor and fresh are a must. strategy (a place, or none), batch,
 * shuffle_examples and shuffle_batches say under which conditions; left out or
 * empty, the point holds under any. fresh_min and fresh_max are its spread.
 * Points of one series (same strategy, batch and shuffles) stand in rising
 * order of their factors; a point of factor 1 is the baseline without echo,
 * and every batch needs one.
 *
 * Published laws also have a model for the conditions in between. Its
 * arguments are the global batch B, the steps g between two uses of an example
 * (0 for a repetition in the next step or in the same batch) and the factor e:
 *
 *   value of the second use  u = u0 + (value_max - u0) g / (g + lag_half)
 *                            u0 = B / (B + batch_half)
 *   gain                     G = e / (1 + a (e-1)^p),  a = (1-u) / (1+u)
 *                            p = power (B / 1024)^-power_batch, in 1..2
 *
 * with value_max_after for echoes behind the augmentation. It never goes above
 * the envelope of Muennighoff et al. for whole-corpus epochs,
 * 1 + R (1 - exp(-(e-1) / R)), R = 15.4.
 */
#ifndef ANALYSIS_LAW_H
#define ANALYSIS_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/law/answer.h"
#include "sim/fault.h"
#include "sim/pipeline.h"

#define LAW_POINTS_MAX 512
#define LAW_TEXT_MAX 256
#define LAW_FILE_BYTES_MAX (1u << 20)

/* R_D* of Muennighoff et al.: the most that reuse can ever add. */
#define LAW_REUSE_LIMIT 15.387756

enum law_kind {
	LAW_PUBLISHED,
	LAW_ENVELOPE, /* an upper bound, without points */
	LAW_USER,
	LAW_MEASURED, /* by `learn` */
};

struct law_point {
	bool any_place;
	enum echo_place place; /* ECHO_NONE: a baseline */
	double factor;
	double fresh;
	double fresh_min; /* 0: not known */
	double fresh_max;
	uint64_t batch; /* 0, here and below: any */
	uint64_t shuffle_examples;
	uint64_t shuffle_batches;
};

struct law_model {
	double batch_half; /* 0: there is no model */
	double lag_half;
	double value_max;
	double value_max_after;
	double power;
	double power_batch;
	double reuse_limit; /* of an envelope */
	double rms;	    /* of log G over the law's points */
};

struct law {
	char name[LAW_TEXT_MAX];
	enum law_kind kind;
	char source[LAW_TEXT_MAX];
	char conditions[LAW_TEXT_MAX];
	char parameters[LAW_TEXT_MAX]; /* of the model, as written */
	bool plain; /* the workload does not augment: before and after the
		       augmentation are the same */
	struct law_model model;
	size_t point_count;
	struct law_point points[LAW_POINTS_MAX];
};

/* One run as the law sees it. */
struct law_query {
	enum echo_place place;
	double asked;	/* uses of every item; 0: as it comes */
	double factor;	/* as it happened */
	uint64_t batch; /* of one update: of all accelerators in step */
	uint64_t shuffle_examples;
	uint64_t shuffle_batches; /* batch echo */
	double lag_steps;	  /* between two uses, 0: the next step */
};

/* Reads a law file's text. `name` stands for it in faults and is its name
 * unless the text has one. 0 or -EINVAL. */
int law_parse(struct law *law, const char *name, const char *text, size_t size,
	      struct fault *fault) __attribute__((warn_unused_result));

/* What the law says. */
void law_ask(const struct law *law, const struct law_query *query,
	     struct law_answer *answer);

/* The model alone; the envelope alone. */
double law_model_gain(const struct law *law, const struct law_query *query);
double law_envelope_gain(double reuse_limit, double factor);

/* Root mean square of log G, model against points; 0 without a model. */
double law_model_rms(const struct law *law);

/* The gain of a point against its baseline, with min and max from the ends
 * of both spreads. */
void law_point_gain(const struct law *law, const struct law_point *point,
		    struct law_answer *answer);

/* The largest factor measured at a place; 1: none. */
double law_factor_max(const struct law *law, enum echo_place place);

/* The lag in steps at which a point was measured, by its shuffle. */
double law_point_lag(const struct law_point *point);

/* The built-in laws, by number and by name (NULL when there is none). */
size_t law_count(void);
const struct law *law_at(size_t index);
const struct law *law_find(const char *name);

/* The known name nearest to a misspelt one; NULL when nothing is near. */
const char *law_nearest(const char *name);

#endif
