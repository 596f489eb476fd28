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

/* The three rational approximations of AS 241's seven-digit version. The
 * denominator's first coefficient is 1. */
static double quantile_centre(double x)
{
	double above = 3.3871327179 + x * 5.0434271938e1 +
		       x * x * (1.5929113202e2 + x * 5.9109374720e1);
	double below = 1 + x * 1.7895169469e1 +
		       x * x * (7.8757757664e1 + x * 6.7187563600e1);

	return above / below;
}

static double quantile_flank(double x)
{
	double above = 1.4234372777 + x * 2.7568153900 +
		       x * x * (1.3067284816 + x * 1.7023821103e-1);
	double below = 1 + x * 7.3700164250e-1 + x * x * 1.2021132975e-1;

	return above / below;
}

static double quantile_tail(double x)
{
	double above = 6.6579051150 + x * 3.0812263860 +
		       x * x * (4.2868294337e-1 + x * 1.7337203997e-2);
	double below = 1 + x * 2.4197894225e-1 + x * x * 1.2258202635e-2;

	return above / below;
}

double math_normal_quantile(double p)
{
	double from_centre = p - 0.5;
	double depth;
	double size;

	if (from_centre > -0.425 && from_centre < 0.425)
		return from_centre *
		       quantile_centre(0.180625 - from_centre * from_centre);
	depth = math_sqrt(-math_log(from_centre < 0 ? p : 1 - p));
	size = depth <= 5 ? quantile_flank(depth - 1.6) :
			    quantile_tail(depth - 5);
	return from_centre < 0 ? -size : size;
}

double math_sqrt(double x)
{
	return __builtin_sqrt(x);
}
