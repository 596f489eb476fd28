/* SPDX-License-Identifier: MIT */
/*
 * "Did you mean ...?": offer the known names one by one and take the one that
 * is the fewest edits (insert, delete, replace, swap of neighbours) away.
 */
#ifndef ANALYSIS_NEAREST_H
#define ANALYSIS_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *wanted;
	const char *best;
	size_t edits;
};

struct nearest nearest_to(const char *wanted);
void nearest_offer(struct nearest *nearest, const char *candidate);

/* NULL when every name is more than a third of its letters away. */
const char *nearest_name(const struct nearest *nearest);

#endif
