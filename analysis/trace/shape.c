/* SPDX-License-Identifier: MIT */
#include "analysis/trace/shape.h"

#include <math.h>

#include "sim/math.h"
#include "sim/random.h"

/* How much nearer a less simple distribution must be, as a share of the
 * mean. */
#define WORTH 0.01

/* Two to the power of 64, as the unit of random bits. */
#define ALL_BITS 18446744073709551616.0

void shape_add(struct shape *shape, int64_t value)
{
	double real = (double)value;

	if (!shape->count)
		shape->origin = real;
	/* Which half: no pattern of the values can be in step with it. */
	if (shape->count++ * RANDOM_GOLDEN >> 63) {
		histogram_add(&shape->held_out, value);
		shape->held_out_sum += real;
		return;
	}
	histogram_add(&shape->fitted, value);
	shape->sum += real;
	shape->sum_squares += (real - shape->origin) * (real - shape->origin);
}

static double quantile_of(const struct distribution *distribution, double u)
{
	return (double)distribution_draw(distribution,
					 (uint64_t)(u * ALL_BITS));
}

/* The largest distance of a quantile, as a share of the mean. */
static double distance(const struct distribution *distribution,
		       const struct histogram *values, double mean)
{
	static const double at[] = { 0.1, 0.25, 0.5, 0.75, 0.9, 0.99 };
	double most = 0;

	for (unsigned i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		double off = fabs(quantile_of(distribution, at[i]) -
				  (double)histogram_quantile(values, at[i]));

		most = off > most ? off : most;
	}
	return mean > 0 ? most / mean : most;
}

static struct distribution table_of(const struct histogram *values)
{
	struct distribution table = { .kind = DISTRIBUTION_QUANTILES };
	double least = 1;
	double *const quantiles[] = { &table.p50, &table.p90, &table.p99,
				      &table.p999 };
	static const double at[] = { 0.5, 0.9, 0.99, 0.999 };

	for (int i = 0; i < 4; i++) {
		double value = (double)histogram_quantile(values, at[i]);

		least = value > least ? value : least;
		*quantiles[i] = least;
	}
	return table;
}

/* Below its median a table mirrors what is above; stretched, it has at least
 * the mean that was seen. */
static void stretch(struct distribution *table, double mean)
{
	double own = distribution_mean(table);
	double by = own > 0 ? mean / own : 1;

	table->p50 *= by;
	table->p90 *= by;
	table->p99 *= by;
	table->p999 *= by;
}

static void find(const struct shape *shape, double mean, double stdev,
		 struct distribution *best)
{
	struct distribution choices[4] = {
		distribution_constant(mean),
		{ DISTRIBUTION_NORMAL, .mean = mean, .stdev = stdev },
		{ DISTRIBUTION_LOGNORMAL, .mean = mean, .stdev = stdev },
		table_of(&shape->fitted),
	};
	double least = INFINITY;

	stretch(&choices[3], mean);
	for (int i = 0; i < 4; i++) {
		double far;

		distribution_prepare(&choices[i]);
		far = distance(&choices[i], &shape->fitted, mean);
		if (far >= least - WORTH)
			continue;
		least = far;
		*best = choices[i];
	}
}

void shape_make(const struct shape *shape, struct shape_fit *fit)
{
	double count = (double)shape->fitted.count;
	double held_out = (double)shape->held_out.count;
	double mean, off, variance;

	*fit = (struct shape_fit){ .count = shape->count,
				   .mean_error = NAN,
				   .quantile_error = NAN };
	if (!shape->count)
		return;
	fit->known = true;
	mean = shape->sum / count;
	off = mean - shape->origin;
	variance = shape->sum_squares / count - off * off;
	if (mean < 1)
		fit->distribution = distribution_constant(mean);
	else
		find(shape, mean, variance > 0 ? math_sqrt(variance) : 0,
		     &fit->distribution);
	if (!shape->held_out.count)
		return;
	mean = shape->held_out_sum / held_out;
	fit->mean_error =
		mean > 0 ?
			fabs(distribution_mean(&fit->distribution) / mean - 1) :
			0;
	fit->quantile_error =
		distance(&fit->distribution, &shape->held_out, mean);
}
