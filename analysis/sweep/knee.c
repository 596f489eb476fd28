/* SPDX-License-Identifier: MIT */
#include "analysis/sweep/knee.h"

#include "sim/math.h"

#define LN2 0.693147180559945309417

/* A curve read in the direction in which its rate rises. */
struct curve {
	const double *x;
	const double *y;
	uint32_t count;
	bool backwards;
};

static uint32_t place(const struct curve *curve, uint32_t step)
{
	return curve->backwards ? curve->count - 1 - step : step;
}

static double x_at(const struct curve *curve, uint32_t step)
{
	return curve->x[place(curve, step)];
}

static double y_at(const struct curve *curve, uint32_t step)
{
	return curve->y[place(curve, step)];
}

static double log_gain(const struct curve *curve, uint32_t from, uint32_t to)
{
	return math_log(y_at(curve, to) / y_at(curve, from));
}

/* How often the amount doubles (backwards: halves); from or to nothing counts
 * once. */
static double doublings(const struct curve *curve, uint32_t from, uint32_t to)
{
	double one = x_at(curve, from), other = x_at(curve, to);
	double ratio;

	if (one <= 0 || other <= 0)
		return 1;
	ratio = math_log(other / one) / LN2;
	return ratio < 0 ? -ratio : ratio;
}

/* Is it worth it to go on from here? */
static bool pays(const struct curve *curve, uint32_t from)
{
	double per_doubling = math_log(1 + KNEE_GAIN_PER_DOUBLING);
	double noise = math_log(1 + KNEE_NOISE);
	double gain;
	uint32_t to;

	for (to = from + 1; to < curve->count; to++) {
		gain = log_gain(curve, from, to);
		if (gain >= noise &&
		    gain >= per_doubling * doublings(curve, from, to))
			return true;
	}
	return false;
}

static double estimate(const struct curve *curve, uint32_t knee)
{
	double here = x_at(curve, knee), before, rise, x;

	if (knee < 2 || x_at(curve, knee - 2) <= 0 || here <= 0)
		return here;
	before = x_at(curve, knee - 1);
	rise = log_gain(curve, knee - 2, knee - 1) /
	       math_log(before / x_at(curve, knee - 2));
	if (rise == 0)
		return here;
	x = math_log(before) + log_gain(curve, knee - 1, knee) / rise;
	x = math_exp(x);
	if (curve->backwards)
		return x < here || x > before ? here : x;
	return x > here || x < before ? here : x;
}

struct knee knee_find(const double *x, const double *y, uint32_t count)
{
	struct curve curve = { x, y, count, false };
	struct knee knee = { .verdict = KNEE_UNKNOWN };
	uint32_t step;

	for (step = 0; step < count; step++)
		if (!(y[step] > 0))
			return knee;
	if (count < 2)
		return knee;
	curve.backwards = y[count - 1] < y[0];
	knee.less_is_more = curve.backwards;
	step = 0;
	while (pays(&curve, step))
		step++;
	knee.verdict = step ? KNEE_FOUND : KNEE_FLAT;
	if (step == count - 1)
		knee.verdict = KNEE_BEYOND;
	if (knee.verdict != KNEE_FOUND)
		return knee;
	knee.index = place(&curve, step);
	knee.estimate = estimate(&curve, step);
	return knee;
}

const char *knee_verdict_name(enum knee_verdict verdict)
{
	static const char *const names[] = {
		[KNEE_UNKNOWN] = "unknown",
		[KNEE_FLAT] = "flat",
		[KNEE_FOUND] = "found",
		[KNEE_BEYOND] = "beyond",
	};

	return names[verdict];
}
