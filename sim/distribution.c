/* SPDX-License-Identifier: MIT */
#include "sim/distribution.h"

#include "sim/check.h"
#include "sim/math.h"
#include "sim/random.h"

/* Larger draws than this are cut: 2^62 ns are 146 years. */
#define DRAW_MAX 0x1p62

/* Points of the mean's numerical integral over a quantile table. */
#define MEAN_POINTS 4096

struct distribution distribution_constant(double value)
{
	return (struct distribution){ .kind = DISTRIBUTION_CONSTANT,
				      .mean = value };
}

void distribution_prepare(struct distribution *distribution)
{
	double ratio;

	if (distribution->kind != DISTRIBUTION_LOGNORMAL)
		return;
	CHECK(distribution->mean > 0);
	ratio = distribution->stdev / distribution->mean;
	distribution->log_stdev = math_sqrt(math_log(1 + ratio * ratio));
	distribution->log_mean =
		math_log(distribution->mean) -
		distribution->log_stdev * distribution->log_stdev / 2;
}

/* log10(1 / (1 - u)): 1 at p90, 2 at p99, 3 at p999. */
static double nines(double u)
{
	return -math_log(1 - u) * 0.43429448190325182765;
}

/* from * (to / from) ^ share, for values that may be zero. */
static double between(double from, double to, double share)
{
	if (from <= 0 || to <= 0)
		return from + (to - from) * share;
	return from * math_exp(share * math_log(to / from));
}

/* Straight lines in (nines, log value) through the four points. Beyond p999
 * the last line goes on for one more nine; below the median the upper half
 * is mirrored in log value as far as p90. */
static double quantiles_at(const struct distribution *table, double u)
{
	const double median = 0.30102999566398119521; /* nines(0.5) */
	double depth;

	if (u < 0.5) {
		double mirror = quantiles_at(table, u < 0.1 ? 0.9 : 1 - u);

		return mirror > 0 ? table->p50 * table->p50 / mirror : 0;
	}
	depth = nines(u);
	if (depth < 1)
		return between(table->p50, table->p90,
			       (depth - median) / (1 - median));
	if (depth < 2)
		return between(table->p90, table->p99, depth - 1);
	return between(table->p99, table->p999, depth < 4 ? depth - 2 : 2);
}

static double value_at(const struct distribution *distribution, double u)
{
	switch (distribution->kind) {
	case DISTRIBUTION_CONSTANT:
		return distribution->mean;
	case DISTRIBUTION_UNIFORM:
		return distribution->low +
		       u * (distribution->high - distribution->low);
	case DISTRIBUTION_EXPONENTIAL:
		return -distribution->mean * math_log(1 - u);
	case DISTRIBUTION_NORMAL:
		return distribution->mean +
		       distribution->stdev * math_normal_quantile(u);
	case DISTRIBUTION_LOGNORMAL:
		return math_exp(distribution->log_mean +
				distribution->log_stdev *
					math_normal_quantile(u));
	case DISTRIBUTION_QUANTILES:
		return quantiles_at(distribution, u);
	case DISTRIBUTION_CYCLE:
		return distribution
			->values[(uint32_t)(u * distribution->value_count)];
	}
	CHECK(!"a distribution of unknown kind");
	return 0;
}

static int64_t whole(double value)
{
	if (value >= DRAW_MAX)
		return (int64_t)DRAW_MAX;
	return value > 0 ? (int64_t)(value + 0.5) : 0;
}

int64_t distribution_draw(const struct distribution *distribution,
			  uint64_t bits)
{
	return whole(value_at(distribution, random_unit(bits)));
}

int64_t distribution_draw_at(const struct distribution *distribution,
			     struct random_stream stream, uint64_t index)
{
	if (distribution->kind == DISTRIBUTION_CYCLE)
		return whole(
			distribution->values[index % distribution->value_count]);
	return distribution_draw(distribution, random_bits(stream, index));
}

double distribution_mean(const struct distribution *distribution)
{
	double sum = 0;

	switch (distribution->kind) {
	case DISTRIBUTION_UNIFORM:
		return (distribution->low + distribution->high) / 2;
	case DISTRIBUTION_QUANTILES:
		for (int i = 0; i < MEAN_POINTS; i++)
			sum += quantiles_at(distribution,
					    (i + 0.5) / MEAN_POINTS);
		return sum / MEAN_POINTS;
	case DISTRIBUTION_CYCLE:
		for (uint32_t i = 0; i < distribution->value_count; i++)
			sum += distribution->values[i];
		return sum / distribution->value_count;
	default:
		return distribution->mean;
	}
}

bool distribution_is_zero(const struct distribution *distribution)
{
	return distribution->kind == DISTRIBUTION_CONSTANT &&
	       distribution->mean < 0.5;
}
