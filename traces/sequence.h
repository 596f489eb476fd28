/* SPDX-License-Identifier: MIT */
/*
 * Sequences of numbers that outlive whoever read them. A scenario is copied
 * at will (one per cell of a sweep), and its distributions borrow the values
 * of a cycle: so these are kept once for each distinct sequence, as long as
 * the program runs, and never change.
 */
#ifndef TRACES_SEQUENCE_H
#define TRACES_SEQUENCE_H

#include <stdint.h>

#define SEQUENCE_VALUES_MAX 32768

/* A kept sequence that is equal to this one; NULL without memory. */
const double *sequence_keep(const double *values, uint32_t count)
	__attribute__((warn_unused_result));

#endif
