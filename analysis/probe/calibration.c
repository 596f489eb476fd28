/* SPDX-License-Identifier: MIT */
#include "analysis/probe/calibration.h"

#include <math.h>
#include <stdio.h>

#include "sim/check.h"

static size_t choose(const struct calibration *calibration,
		     enum calibration_use use, struct fit_point *points,
		     double *predicted)
{
	size_t count = 0;

	for (size_t i = 0; i < calibration->count; i++) {
		if (calibration->points[i].use != use)
			continue;
		points[count] = calibration->points[i].point;
		predicted[count++] = calibration->points[i].predicted_per_s;
	}
	return count;
}

static struct fit_error error_of(const struct calibration *calibration,
				 enum calibration_use use)
{
	struct fit_point points[FIT_POINTS_MAX];
	double predicted[FIT_POINTS_MAX], measured[FIT_POINTS_MAX];
	size_t count = choose(calibration, use, points, predicted);

	for (size_t i = 0; i < count; i++)
		measured[i] = points[i].requests_per_s;
	return fit_error_of(predicted, measured, count);
}

/* Never below the last one, although the histogram's cells are coarse. */
static double quantile(const struct histogram *latency_ns, double fraction,
		       double least)
{
	double value = (double)histogram_quantile(latency_ns, fraction);

	return value > least ? value : least;
}

static void read_quantiles(struct calibration *calibration)
{
	const struct histogram *latency_ns = calibration->latency_ns;
	struct distribution *latency = &calibration->latency;

	latency->kind = DISTRIBUTION_QUANTILES;
	latency->p50 = quantile(latency_ns, 0.5, 1);
	latency->p90 = quantile(latency_ns, 0.9, latency->p50);
	latency->p99 = quantile(latency_ns, 0.99, latency->p90);
	latency->p999 = quantile(latency_ns, 0.999, latency->p99);
}

/* A burst that was seen becomes a bucket; the pipe then lets the peak pass. */
static void add_bucket(struct calibration *calibration)
{
	struct device_profile *profile = &calibration->profile;
	struct bucket_profile bucket;

	if (!calibration->soak_bytes_per_s)
		return;
	calibration->burst = soak_find(calibration->soak_bytes_per_s,
				       calibration->soak_count,
				       calibration->soak_period_s);
	if (!calibration->burst.found)
		return;
	bucket = soak_bucket(&calibration->burst);
	profile->buckets[profile->bucket_count++] =
		(struct device_bucket){ BUCKET_OF_BYTES, bucket };
	if ((double)profile->bandwidth_bytes_per_s < bucket.peak_per_s)
		profile->bandwidth_bytes_per_s = (uint64_t)bucket.peak_per_s;
}

/* Large requests one at a time, in order and not: the last of each that is
 * of the same size. */
static double sequential_gain(const struct calibration *calibration)
{
	const struct calibration_point *shown = NULL;

	for (size_t i = 0; i < calibration->count; i++)
		if (calibration->points[i].use == CALIBRATION_SHOWN &&
		    calibration->points[i].point.inflight == 1)
			shown = &calibration->points[i];
	for (size_t i = 0; shown && i < calibration->count; i++) {
		const struct calibration_point *other = &calibration->points[i];

		if (other->use != CALIBRATION_SHOWN &&
		    other->point.inflight == 1 &&
		    other->point.bytes == shown->point.bytes)
			return shown->point.requests_per_s /
			       other->point.requests_per_s;
	}
	return 0;
}

static double spread_of(const struct calibration *calibration)
{
	double lower[FIT_POINTS_MAX], upper[FIT_POINTS_MAX];

	for (size_t i = 0; i < calibration->count; i++) {
		const struct calibration_point *at = &calibration->points[i];

		if (at->rounds < SPREAD_ROUNDS_MIN)
			return NAN;
		lower[i] = at->point.requests_per_s;
		upper[i] = lower[i] + at->upper_per_s - at->lower_per_s;
	}
	return fit_error_of(upper, lower, calibration->count).median;
}

int calibration_make(struct calibration *calibration, struct fault *fault)
{
	struct fit_point points[FIT_POINTS_MAX];
	double predicted[FIT_POINTS_MAX];
	size_t count;
	int error;

	CHECK(calibration->count <= FIT_POINTS_MAX);
	count = choose(calibration, CALIBRATION_FITTED, points, predicted);
	error = fit_law(&calibration->law, points, count);
	if (error) {
		fault_set(fault, calibration->path, 0,
			  "%zu points were measured that a profile could be "
			  "fitted to; expected at least %d",
			  count, FIT_POINTS_MIN);
		return error;
	}
	read_quantiles(calibration);
	fit_profile(&calibration->profile, &calibration->law,
		    &calibration->latency);
	add_bucket(calibration);
	for (size_t i = 0; i < calibration->count; i++) {
		struct calibration_point *at = &calibration->points[i];

		at->predicted_per_s = fit_device_rate(&calibration->profile,
						      at->point.inflight,
						      at->point.bytes,
						      calibration->seed);
	}
	calibration->held_out = error_of(calibration, CALIBRATION_HELD_OUT);
	calibration->fitted = error_of(calibration, CALIBRATION_FITTED);
	calibration->spread = spread_of(calibration);
	calibration->sequential_gain = sequential_gain(calibration);
	return 0;
}
