/* SPDX-License-Identifier: MIT */
/*
 * The few functions of a real number that the model needs, made of + - * / and
 * square root alone, so that every compiler and machine gives the same bits.
 * Inline, for a draw is made of them, and draws are a third of all that a
 * simulation does.
 */
#ifndef SIM_MATH_H
#define SIM_MATH_H

#include <stdint.h>

#define MATH_LOG_BITS 7
#define MATH_EXP_BITS 6

/* For the i-th of 128 intervals of [0.6875, 1.375): the reciprocal of its
 * middle, and minus the logarithm of that reciprocal. */
struct math_log_entry {
	double reciprocal;
	double log;
};

extern const struct math_log_entry math_log_table[1 << MATH_LOG_BITS];

/* 2 to the i / 64. */
extern const double math_exp_table[1 << MATH_EXP_BITS];

#define MATH_LN2_HIGH 0x1.62e42fee00000p-1 /* 33 bits: k times it is exact */
#define MATH_LN2_LOW 0x1.a39ef35793c76p-33

#define MATH_MANTISSA_BITS 52

union math_number {
	double value;
	uint64_t bits;
};

/* Natural logarithm of a positive, finite, normal number; error below 3e-13
 * times max(1, |result|). */
static inline double math_log(double x)
{
	/* Bits of 0.6875: reduces to the octave above. */
	const uint64_t octave_start = UINT64_C(0x3fe6000000000000);
	union math_number number = { x };
	uint64_t offset = number.bits - octave_start;
	const struct math_log_entry *entry =
		&math_log_table[(offset >> (MATH_MANTISSA_BITS - MATH_LOG_BITS)) %
				(1 << MATH_LOG_BITS)];
	double exponent = (double)((int64_t)offset >> MATH_MANTISSA_BITS);
	double r;
	double r2;

	/* x = 2^exponent * z and z * reciprocal = 1 + r, |r| < 1 / 256. */
	number.bits -= offset >> MATH_MANTISSA_BITS << MATH_MANTISSA_BITS;
	r = number.value * entry->reciprocal - 1;
	r2 = r * r;
	return (exponent * MATH_LN2_HIGH + entry->log) +
	       (r + (exponent * MATH_LN2_LOW +
		     r2 * ((1.0 / 3 * r - 0.5) - 1.0 / 4 * r2)));
}

/* e to the x; relative error below 1e-10; 0 below -708, infinite above 709. */
static inline double math_exp(double x)
{
	/* Adding and taking away 1.5 * 2^52 rounds a number to the nearest
	 * integer, which then stands in the low bits. */
	const double rounder = 0x1.8p52;
	union math_number rounded = { x * (64 / 0x1.62e42fefa39efp-1) +
				      rounder };
	double steps = rounded.value - rounder;
	uint64_t index = rounded.bits % (1 << MATH_EXP_BITS);
	union math_number scale = { math_exp_table[index] };
	double r;

	if (x < -708)
		return 0;
	if (x > 709)
		return 1 / 0.0;
	/* x = steps * ln 2 / 64 + r, |r| < ln 2 / 128. */
	r = (x - steps * (MATH_LN2_HIGH / 64)) - steps * (MATH_LN2_LOW / 64);
	scale.bits += (rounded.bits - index)
		      << (MATH_MANTISSA_BITS - MATH_EXP_BITS);
	return scale.value + scale.value * (r + r * r * (0.5 + 1.0 / 6 * r));
}

/* Square root, correctly rounded; x >= 0. */
double math_sqrt(double x);

/* Where math_normal_quantile()'s inline part ends: within 0.02425 of 0 or 1. */
double math_normal_tail(double p);

/* The x below which a standard normal value falls with probability p in
 * (0, 1), by P. J. Acklam's rational approximations (2003): relative error
 * below 1.2e-9. All but a twentieth of all p share one formula, which spares
 * the processor most guesses about which one is next. */
static inline double math_normal_quantile(double p)
{
	double q = p - 0.5;
	double x = q * q;
	double x2 = x * x;
	double above;
	double below;

	if (x > 0.47575 * 0.47575)
		return math_normal_tail(p);
	above = (x * -3.066479806614716e1 + 2.506628277459239) +
		x2 * ((x * -2.759285104469687e2 + 1.383577518672690e2) +
		      x2 * (x * -3.969683028665376e1 + 2.209460984245205e2));
	below = (x * -1.328068155288572e1 + 1) +
		x2 * ((x * -1.556989798598866e2 + 6.680131188771972e1) +
		      x2 * (x * -5.447609879822406e1 + 1.615858368580409e2));
	return q * above / below;
}

#endif
