/* SPDX-License-Identifier: MIT */
#include "sim/math.h"

#include <stdint.h>

#include "sim/math_tables.h"

#define LN2_HIGH 0x1.62e42fee00000p-1 /* 33 bits: k * LN2_HIGH is exact */
#define LN2_LOW 0x1.a39ef35793c76p-33

/* Bits of 0.6875: the logarithm's argument is reduced to the octave above. */
#define OCTAVE_START UINT64_C(0x3fe6000000000000)
#define MANTISSA_BITS 52
#define EXPONENT_MASK UINT64_C(0xfff0000000000000)

union number {
	double value;
	uint64_t bits;
};

double math_log(double x)
{
	union number number = { x };
	uint64_t offset = number.bits - OCTAVE_START;
	uint32_t index =
		(uint32_t)(offset >> (MANTISSA_BITS - LOG_TABLE_BITS)) %
		(1 << LOG_TABLE_BITS);
	double exponent = (double)((int64_t)offset >> MANTISSA_BITS);
	double r;
	double r2;
	double series;

	/* x = 2^exponent * z and z * reciprocal = 1 + r, |r| < 1 / 256. */
	number.bits -= offset & EXPONENT_MASK;
	r = number.value * log_table[index].reciprocal - 1;
	r2 = r * r;
	series = (1.0 / 3 * r - 0.5) +
		 r2 * ((1.0 / 5 * r - 1.0 / 4) - 1.0 / 6 * r2);
	return (exponent * LN2_HIGH + log_table[index].log) +
	       (r + (exponent * LN2_LOW + r2 * series));
}

/* Adding and taking away 1.5 * 2^52 rounds a number to the nearest integer,
 * which then stands in the low bits. */
#define ROUNDER 0x1.8p52

double math_exp(double x)
{
	union number rounded = { x * (64 / 0x1.62e42fefa39efp-1) + ROUNDER };
	double steps = rounded.value - ROUNDER;
	uint64_t index = rounded.bits % (1 << EXP_TABLE_BITS);
	union number scale = { exp_table[index] };
	double r;
	double r2;

	if (x < -708)
		return 0;
	if (x > 709)
		return 1 / 0.0;
	/* x = steps * ln 2 / 64 + r, |r| < ln 2 / 128. */
	r = (x - steps * (LN2_HIGH / 64)) - steps * (LN2_LOW / 64);
	r2 = r * r;
	scale.bits +=
		((rounded.bits - index) << (MANTISSA_BITS - EXP_TABLE_BITS));
	return scale.value +
	       scale.value * (r + r2 * ((0.5 + 1.0 / 6 * r) +
					r2 * (1.0 / 24 + 1.0 / 120 * r)));
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

/* Pairs first (Estrin), for the processor to work on side by side. */
static double polynomial7(const double c[8], double x)
{
	double x2 = x * x;

	return ((c[0] + c[1] * x) + x2 * (c[2] + c[3] * x)) +
	       x2 * x2 * ((c[4] + c[5] * x) + x2 * (c[6] + c[7] * x));
}

static double rational_at(const struct rational *rational, double x)
{
	return polynomial7(rational->above, x) /
	       polynomial7(rational->below, x);
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
