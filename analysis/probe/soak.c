/* SPDX-License-Identifier: MIT */
#include "analysis/probe/soak.h"

#include <math.h>

#include "sim/math.h"

/* Each level lasts at least this many periods, and this share of the whole. */
#define PERIODS_MIN 5
#define SHARE_MIN 20

/* The least fall, as a share of the upper level. */
#define FALL_MIN 0.1

/* Standard errors that the fall must exceed. For independent normal noise the
 * best of all splits exceeds 5 of them in fewer than one of a thousand series
 * of any length in question; noise of real storage is neither. */
#define ERRORS_MIN 6

/* Noise that hardly moves would make any error infinite. */
#define REPEATED_MAX 0.9

/* Sums over a part of the series. */
struct part {
	double count;
	double sum;
	double squares;
};

static double mean(const struct part *part)
{
	return part->sum / part->count;
}

/* Squared distances from the part's own mean. */
static double spread(const struct part *part)
{
	double squares = part->squares - part->sum * part->sum / part->count;

	return squares > 0 ? squares : 0;
}

static struct part part_of(const double *rates, size_t from, size_t to)
{
	struct part part = { .count = (double)(to - from) };

	for (size_t i = from; i < to; i++) {
		part.sum += rates[i];
		part.squares += rates[i] * rates[i];
	}
	return part;
}

/* How far a straight line stays from the series. */
static double spread_of_line(const double *rates, size_t count)
{
	struct part all = part_of(rates, 0, count);
	double centre = ((double)count - 1) / 2;
	double slope_sum = 0, squares = 0;

	for (size_t i = 0; i < count; i++) {
		double at = (double)i - centre;

		slope_sum += at * rates[i];
		squares += at * at;
	}
	return spread(&all) - slope_sum * slope_sum / squares;
}

static size_t best_split(const double *rates, size_t count, size_t least)
{
	struct part before = part_of(rates, 0, least);
	struct part after = part_of(rates, least, count);
	double best = INFINITY;
	size_t split = least;

	for (size_t at = least; at <= count - least; at++) {
		double total = spread(&before) + spread(&after);

		if (total < best) {
			best = total;
			split = at;
		}
		before.count++;
		before.sum += rates[at];
		before.squares += rates[at] * rates[at];
		after.count--;
		after.sum -= rates[at];
		after.squares -= rates[at] * rates[at];
	}
	return split;
}

/* Variance of the noise around the two levels, enlarged by how much each
 * value repeats the one before. */
static double noise(const double *rates, size_t count, size_t split,
		    double upper, double lower)
{
	double squares = 0, products = 0, last = 0, repeated;

	for (size_t i = 0; i < count; i++) {
		double off = rates[i] - (i < split ? upper : lower);

		squares += off * off;
		products += off * last;
		last = off;
	}
	if (squares == 0)
		return 0;
	repeated = products / squares;
	if (repeated < 0)
		repeated = 0;
	if (repeated > REPEATED_MAX)
		repeated = REPEATED_MAX;
	return squares / (double)(count - 2) * (1 + repeated) / (1 - repeated);
}

struct soak_burst soak_find(const double *rates, size_t count, double period_s)
{
	size_t least = count / SHARE_MIN;
	struct part all = part_of(rates, 0, count), before, after;
	struct soak_burst burst = { 0 };
	double error, fall;
	size_t split;

	if (least < PERIODS_MIN)
		least = PERIODS_MIN;
	if (count)
		burst.peak_per_s = mean(&all);
	if (count < 2 * least)
		return burst;
	split = best_split(rates, count, least);
	before = part_of(rates, 0, split);
	after = part_of(rates, split, count);
	fall = mean(&before) - mean(&after);
	error = math_sqrt(
		noise(rates, count, split, mean(&before), mean(&after)) *
		(1 / before.count + 1 / after.count));
	if (mean(&after) <= 0 || fall < FALL_MIN * mean(&before) ||
	    fall <= ERRORS_MIN * error ||
	    spread(&before) + spread(&after) >= spread_of_line(rates, count))
		return burst;
	burst.found = true;
	burst.peak_per_s = mean(&before);
	burst.baseline_per_s = mean(&after);
	burst.burst_s = before.count * period_s;
	return burst;
}

struct bucket_profile soak_bucket(const struct soak_burst *burst)
{
	double credit =
		(burst->peak_per_s - burst->baseline_per_s) * burst->burst_s;

	return (struct bucket_profile){
		.capacity = credit,
		.initial = credit,
		.baseline_per_s = burst->baseline_per_s,
		.peak_per_s = burst->peak_per_s,
	};
}
