/* SPDX-License-Identifier: MIT */
#include "sim/math.h"

#include <stdint.h>

#define LN2_HIGH 0x1.62e42fee00000p-1 /* 33 bits: k * LN2_HIGH is exact */
#define LN2_LOW 0x1.a39ef35793c76p-33

union number {
	double value;
	uint64_t bits;
};

static double polynomial(double x, const double *coefficients, int degree)
{
	double sum = coefficients[degree];

	for (int i = degree - 1; i >= 0; i--)
		sum = sum * x + coefficients[i];
	return sum;
}

double math_log(double x)
{
	/* 2 atanh(f) = 2 (f + f^3/3 + f^5/5 ...), coefficients 2/(2i+1). */
	static const double series[] = {
		2.0,	  2.0 / 3,  2.0 / 5,  2.0 / 7,	2.0 / 9,  2.0 / 11,
		2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21,
	};
	union number number = { x };
	int exponent = 0;
	double f;

	if (number.bits >> 52 == 0) { /* subnormal */
		number.value *= 0x1p54;
		exponent = -54;
	}
	exponent += (int)(number.bits >> 52) - 1023;
	number.bits = (number.bits & UINT64_C(0x000fffffffffffff)) |
		      UINT64_C(0x3ff0000000000000);
	if (number.value > 1.4142135623730951) {
		number.value *= 0.5;
		exponent++;
	}
	f = (number.value - 1) / (number.value + 1);
	return exponent * LN2_HIGH +
	       (f * polynomial(f * f, series, 10) + exponent * LN2_LOW);
}

double math_exp(double x)
{
	static const double series[] = {
		1.0,
		1.0,
		1.0 / 2,
		1.0 / 6,
		1.0 / 24,
		1.0 / 120,
		1.0 / 720,
		1.0 / 5040,
		1.0 / 40320,
		1.0 / 362880,
		1.0 / 3628800,
		1.0 / 39916800,
		1.0 / 479001600,
		1.0 / 6227020800,
	};
	union number scale;
	int exponent;
	double rest;

	if (x < -708)
		return 0;
	if (x > 709)
		return 1 / 0.0;
	exponent = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
	rest = x - exponent * LN2_HIGH - exponent * LN2_LOW;
	scale.bits = (uint64_t)(exponent + 1023) << 52;
	return polynomial(rest, series, 13) * scale.value;
}

/* One of the three rational approximations of AS 241. */
struct rational {
	double above[8];
	double below[8];
};

static const struct rational centre = {
	{ 3.3871328727963666080e0, 1.3314166789178437745e+2,
	  1.9715909503065514427e+3, 1.3731693765509461125e+4,
	  4.5921953931549871457e+4, 6.7265770927008700853e+4,
	  3.3430575583588128105e+4, 2.5090809287301226727e+3 },
	{ 1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2,
	  5.3941960214247511077e+3, 2.1213794301586595867e+4,
	  3.9307895800092710610e+4, 2.8729085735721942674e+4,
	  5.2264952788528545610e+3 },
};

static const struct rational flank = {
	{ 1.42343711074968357734e0, 4.63033784615654529590e0,
	  5.76949722146069140550e0, 3.64784832476320460504e0,
	  1.27045825245236838258e0, 2.41780725177450611770e-1,
	  2.27238449892691845833e-2, 7.74545014278341407640e-4 },
	{ 1.0, 2.05319162663775882187e0, 1.67638483018380384940e0,
	  6.89767334985100004550e-1, 1.48103976427480074590e-1,
	  1.51986665636164571966e-2, 5.47593808499534494600e-4,
	  1.05075007164441684324e-9 },
};

static const struct rational tail = {
	{ 6.65790464350110377720e0, 5.46378491116411436990e0,
	  1.78482653991729133580e0, 2.96560571828504891230e-1,
	  2.65321895265761230930e-2, 1.24266094738807843860e-3,
	  2.71155556874348757815e-5, 2.01033439929228813265e-7 },
	{ 1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1,
	  1.48753612908506148525e-2, 7.86869131145613259100e-4,
	  1.84631831751005468180e-5, 1.42151175831644588870e-7,
	  2.04426310338993978564e-15 },
};

static double rational_at(const struct rational *rational, double x)
{
	return polynomial(x, rational->above, 7) /
	       polynomial(x, rational->below, 7);
}

double math_normal_quantile(double p)
{
	double from_centre = p - 0.5;
	double depth;
	double size;

	if (from_centre > -0.425 && from_centre < 0.425)
		return from_centre *
		       rational_at(&centre,
				   0.180625 - from_centre * from_centre);
	depth = math_sqrt(-math_log(from_centre < 0 ? p : 1 - p));
	size = depth <= 5 ? rational_at(&flank, depth - 1.6) :
			    rational_at(&tail, depth - 5);
	return from_centre < 0 ? -size : size;
}

double math_sqrt(double x)
{
	return __builtin_sqrt(x);
}
