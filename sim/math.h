/* SPDX-License-Identifier: MIT */
/*
 * The few functions of a real number that the model needs, made of + - * / and
 * square root alone, so that every compiler and machine gives the same bits.
 */
#ifndef SIM_MATH_H
#define SIM_MATH_H

/* Natural logarithm of a positive, finite, normal number; error below 5e-16
 * times max(1, |result|). */
double math_log(double x);

/* e to the x; relative error below 1e-15; 0 below -708, infinite above 709. */
double math_exp(double x);

/* The x below which a standard normal value falls with probability p in
 * (0, 1), as Wichura's algorithm AS 241 (1988) gives it in its seven-digit
 * version: relative error below 2e-7. No draw of a time is known
 * to more digits, and the sixteen-digit version costs twice as much. */
double math_normal_quantile(double p);

/* Square root, correctly rounded; x >= 0. */
double math_sqrt(double x);

#endif
