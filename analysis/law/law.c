/* SPDX-License-Identifier: MIT */
#include "analysis/law/points.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/math.h"
#include "traces/scenario.h"

#define SIGMAS 2 /* of the model's error: its range */

const char *gain_source_name(enum gain_source source)
{
	static const char *const names[] = {
		[GAIN_NONE] = "none",	[GAIN_TABLE] = "table",
		[GAIN_MODEL] = "model", [GAIN_INTERPOLATED] = "interpolated",
		[GAIN_USER] = "user",	[GAIN_MEASURED] = "measured",
	};

	return names[source];
}

/* One more sentence of the warning. */
__attribute__((format(printf, 2, 3))) static void
add_warning(struct law_answer *answer, const char *format, ...)
{
	size_t used = strlen(answer->warning);
	va_list arguments;

	if (used && used + 2 < sizeof(answer->warning)) {
		memcpy(answer->warning + used, "; ", 3);
		used += 2;
	}
	va_start(arguments, format);
	vsnprintf(answer->warning + used, sizeof(answer->warning) - used,
		  format, arguments);
	va_end(arguments);
}

/* No echo at this batch. */

struct baseline {
	double fresh, fresh_min, fresh_max;
	enum gain_source source;
};

static void take_baseline(struct baseline *baseline,
			  const struct law_point *point)
{
	baseline->fresh = point->fresh;
	baseline->fresh_min = point->fresh_min;
	baseline->fresh_max = point->fresh_max;
}

/* Straight between the batches on both sides, in logarithms; the nearest one
 * beyond the ends. */
static void baseline_between(const struct law *law, uint64_t batch,
			     struct baseline *baseline,
			     struct law_answer *answer)
{
	const struct law_point *point, *below = NULL, *above = NULL;
	double share;
	size_t i;

	for (i = 0; i < law->point_count; i++) {
		point = &law->points[i];
		if (law_is_echo(point))
			continue;
		if (point->batch < batch &&
		    (!below || below->batch < point->batch))
			below = point;
		if (point->batch > batch &&
		    (!above || above->batch > point->batch))
			above = point;
	}
	if (!below || !above) {
		point = below ? below : above;
		take_baseline(baseline, point);
		baseline->source = GAIN_MODEL;
		add_warning(
			answer,
			"batch %llu is outside what was measured, the fresh "
			"examples to the target are those of batch %llu",
			(unsigned long long)batch,
			(unsigned long long)point->batch);
		return;
	}
	share = math_log((double)batch / (double)below->batch) /
		math_log((double)above->batch / (double)below->batch);
	baseline->fresh =
		below->fresh *
		math_exp(share * math_log(above->fresh / below->fresh));
}

static void find_baseline(const struct law *law, const struct law_query *query,
			  struct baseline *baseline, struct law_answer *answer)
{
	const struct law_point *point =
		law_baseline(law, query->batch, query->shuffle_examples);

	*baseline = (struct baseline){ .source = GAIN_TABLE };
	if (point) {
		take_baseline(baseline, point);
		return;
	}
	baseline->source = GAIN_INTERPOLATED;
	baseline_between(law, query->batch, baseline, answer);
}

/* The model, where there are no points. */

struct range {
	double low, high;
};

#define NO_RANGE                                                               \
	{                                                                      \
		DBL_MAX, -DBL_MAX                                              \
	}

static void widen(struct range *range, double value)
{
	if (value < range->low)
		range->low = value;
	if (value > range->high)
		range->high = value;
}

static void warn_outside(struct law_answer *answer, const char *what,
			 double value, struct range range, double slack)
{
	if (value < range.low * (1 - slack) || value > range.high * (1 + slack))
		add_warning(answer,
			    "%s %.5g is outside the measured %.5g..%.5g", what,
			    value, range.low, range.high);
}

/* The lag is a mean, and that of the points a calculation. */
#define LAG_SLACK 0.1

static void warn_of_range(const struct law *law, const struct law_query *query,
			  struct law_answer *answer)
{
	const char *place = echo_place_name(query->place);
	struct range batch = NO_RANGE, lag = NO_RANGE;
	struct range factor = { 1, law_factor_max(law, query->place) };
	char what[64];
	size_t i;

	for (i = 0; i < law->point_count; i++) {
		if (!law_is_echo(&law->points[i]))
			continue;
		widen(&batch, (double)law->points[i].batch);
		widen(&lag, law_point_lag(&law->points[i]));
	}
	warn_outside(answer, "batch", (double)query->batch, batch, LAW_NEAR);
	warn_outside(answer, "lag", query->lag_steps, lag, LAG_SLACK);
	if (factor.high <= 1) {
		add_warning(answer, "%s was not measured at all", place);
		return;
	}
	snprintf(what, sizeof(what), "%s: factor", place);
	warn_outside(answer, what, query->factor, factor, LAW_NEAR);
}

/* Beyond the last point of a series the model goes on from it. */
static struct gains ask_model(const struct law *law,
			      const struct law_query *query,
			      const struct gains *last)
{
	double envelope = law_envelope_gain(LAW_REUSE_LIMIT, query->factor);
	double spread = math_exp(SIGMAS * law->model.rms);
	struct law_query there = *query;
	struct gains gains = { .factor = query->factor };

	gains.gain = law_model_gain(law, query);
	if (last) {
		there.factor = last->factor;
		gains.gain *= last->gain / law_model_gain(law, &there);
	}
	if (gains.gain > envelope)
		gains.gain = envelope;
	gains.gain_min = gains.own_min = gains.gain / spread;
	gains.gain_max = gains.own_max = gains.gain * spread;
	return gains;
}

/* Laws without a model: the series whose conditions are nearest. */

static double distance(const struct law_point *point,
		       const struct law_query *query)
{
	double batch =
		point->batch ?
			math_log((double)point->batch / (double)query->batch) :
			0;
	double lag =
		math_log((law_point_lag(point) + 1) / (query->lag_steps + 1));

	return (batch < 0 ? -batch : batch) + (lag < 0 ? -lag : lag);
}

static bool move_to_nearest(const struct law *law, struct law_query *query,
			    struct law_answer *answer)
{
	const struct law_point *point, *near = NULL;
	size_t i;

	for (i = 0; i < law->point_count; i++) {
		point = &law->points[i];
		if (law_of_place(point, query->place) &&
		    (!near || distance(point, query) < distance(near, query)))
			near = point;
	}
	if (!near)
		return false;
	add_warning(answer,
		    "measured at batch %llu and a lag of %.4g steps, asked for "
		    "batch "
		    "%llu and %.4g",
		    (unsigned long long)(near->batch ? near->batch :
						       query->batch),
		    law_point_lag(near), (unsigned long long)query->batch,
		    query->lag_steps);
	query->batch = near->batch ? near->batch : query->batch;
	query->shuffle_examples = near->shuffle_examples;
	query->shuffle_batches = near->shuffle_batches;
	return true;
}

/* Whose points they are, or else, of a published law, how they were used. */
static enum gain_source source_of_points(const struct law *law,
					 enum gain_source used)
{
	if (law->kind == LAW_MEASURED)
		return GAIN_MEASURED;
	return law->kind == LAW_USER || used == GAIN_NONE ? GAIN_USER : used;
}

static struct gains ask_points_only(const struct law *law,
				    const struct law_query *query,
				    enum found found, struct gains gains,
				    struct law_answer *answer)
{
	struct law_query moved = *query;

	answer->source = source_of_points(law, GAIN_NONE);
	if (found == FOUND_NOTHING) {
		if (!move_to_nearest(law, &moved, answer)) {
			answer->source = GAIN_NONE;
			add_warning(answer, "the law has no row for %s",
				    echo_place_name(query->place));
			return gains;
		}
		found = law_look_up(law, &moved, &gains);
	}
	if (found == FOUND_LAST)
		add_warning(answer,
			    "factor %.4g is outside the measured 1..%.4g, more "
			    "uses "
			    "are taken to be worth nothing",
			    query->factor, gains.factor);
	return gains;
}

static struct gains find_gains(const struct law *law,
			       const struct law_query *query,
			       struct law_answer *answer)
{
	struct gains gains;
	enum found found = law_look_up(law, query, &gains);

	if (law->model.batch_half <= 0)
		return ask_points_only(law, query, found, gains, answer);
	if (found == FOUND_POINT) {
		answer->source = GAIN_TABLE;
		return gains;
	}
	if (found == FOUND_BETWEEN) {
		answer->source = GAIN_INTERPOLATED;
		return gains;
	}
	answer->source = GAIN_MODEL;
	warn_of_range(law, query, answer);
	return ask_model(law, query, found == FOUND_LAST ? &gains : NULL);
}

static void ask_envelope(const struct law *law, const struct law_query *query,
			 struct law_answer *answer)
{
	answer->source = GAIN_MODEL;
	answer->gain = law_envelope_gain(law->model.reuse_limit, query->factor);
	if (query->place == ECHO_NONE)
		return;
	answer->gain_max = answer->gain;
	add_warning(answer,
		    "an upper envelope: repeats of an echo come sooner than "
		    "an epoch later and are worth less");
}

void law_ask(const struct law *law, const struct law_query *query,
	     struct law_answer *answer)
{
	struct law_query canonical = *query;
	struct baseline baseline;
	struct gains gains = { 1, 1, 1, 1, 0, 0 };

	*answer = (struct law_answer){ 0 };
	if (law->kind == LAW_ENVELOPE) {
		ask_envelope(law, query, answer);
		return;
	}
	canonical.place = law_place(law, query->place);
	find_baseline(law, &canonical, &baseline, answer);
	if (query->place == ECHO_NONE || query->factor <= 1) {
		answer->source = source_of_points(law, baseline.source);
		answer->fresh_min = baseline.fresh_min;
		answer->fresh_max = baseline.fresh_max;
	} else {
		gains = find_gains(law, &canonical, answer);
	}
	if (answer->source == GAIN_NONE)
		return;
	answer->gain = gains.gain;
	answer->gain_min = gains.gain_min;
	answer->gain_max = gains.gain_max;
	answer->fresh = baseline.fresh / gains.gain;
	if (gains.own_max > 0)
		answer->fresh_min = baseline.fresh / gains.own_max;
	if (gains.own_min > 0)
		answer->fresh_max = baseline.fresh / gains.own_min;
}
