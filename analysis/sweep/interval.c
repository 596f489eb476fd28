/* SPDX-License-Identifier: MIT */
#include "analysis/sweep/interval.h"

#include "sim/math.h"

#define NORMAL 1.959963984540054 /* its quantile 0.975 */

/* With few degrees of freedom the expansion below does not hold. */
static const double few[] = { 12.70620, 4.30265, 3.18245, 2.77645,
			      2.57058,	2.44691, 2.36462, 2.30600 };

#define FEW (sizeof(few) / sizeof(few[0]))

/* Hill's expansion of the quantile in 1 / degrees, about the normal one. */
double interval_student(uint32_t degrees)
{
	const double z = NORMAL, z2 = z * z;
	double n = degrees, term[3];

	if (degrees <= FEW)
		return few[degrees - 1];
	term[0] = (z2 + 1) / 4;
	term[1] = ((5 * z2 + 16) * z2 + 3) / 96;
	term[2] = (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
	return z * (1 + (term[0] + (term[1] + term[2] / n) / n) / n);
}

struct interval interval_of(const double *values, uint32_t count)
{
	struct interval interval = { 0 };
	double sum = 0, squares = 0, half, n = count;
	uint32_t i;

	if (count < 2)
		return interval;
	interval.known = true;
	interval.min = interval.max = values[0];
	for (i = 0; i < count; i++) {
		sum += values[i];
		if (values[i] < interval.min)
			interval.min = values[i];
		if (values[i] > interval.max)
			interval.max = values[i];
	}
	interval.mean = sum / n;
	for (i = 0; i < count; i++)
		squares += (values[i] - interval.mean) *
			   (values[i] - interval.mean);
	half = interval_student(count - 1) * math_sqrt(squares / (n - 1) / n);
	interval.low = interval.mean - half;
	interval.high = interval.mean + half;
	return interval;
}
