/* SPDX-License-Identifier: MIT */
/* How well limits and latency explain what they were not fitted to. */
#include <math.h>
#include <stdlib.h>

#include "analysis/trace/device.h"
#include "sim/random.h"

#define SEED 1

static double greater(double a, double b)
{
	return a > b ? a : b;
}

static int by_size(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double quantile_at(const double *sorted, size_t count, double u)
{
	return sorted[(size_t)(u * (double)(count - 1))];
}

static double mean_of(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

/* Quantiles and means of two sets of times, side by side. */
static void compare(struct device_fit *fit, double *predicted, double *measured,
		    size_t count)
{
	static const double at[] = { 0.5, 0.9, 0.99 };
	double ours[3], theirs[3];

	fit->mean_error = fabs(mean_of(predicted, count) /
				       greater(mean_of(measured, count), 1) -
			       1);
	qsort(predicted, count, sizeof(*predicted), by_size);
	qsort(measured, count, sizeof(*measured), by_size);
	for (int i = 0; i < 3; i++) {
		ours[i] = quantile_at(predicted, count, at[i]);
		theirs[i] = greater(quantile_at(measured, count, at[i]), 1);
	}
	fit->quantiles = fit_error_of(ours, theirs, 3);
}

/* What the limits say of each request that was held out, given when each
 * began, and a latency drawn for it. */
void device_judge(struct device_fit *fit, const struct device_sample *samples,
		  const double *left_ns, size_t count, double *room)
{
	const struct distribution *latency = &fit->profile.latency_ns;
	struct random_stream stream =
		random_stream(SEED, RANDOM_DEVICE_LATENCY);
	double *predicted = room, *measured = room + count;
	size_t held_out = 0;

	for (size_t i = 0; i < count; i++) {
		const struct device_sample *sample = &samples[i];
		double time_ns = (double)(sample->end_ns - sample->issue_ns);

		if (!sample->held_out)
			continue;
		predicted[held_out] = time_ns - left_ns[i] +
				      (double)distribution_draw(
					      latency, random_bits(stream, i));
		measured[held_out++] = time_ns;
	}
	compare(fit, predicted, measured, held_out);
}
