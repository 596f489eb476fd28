/* SPDX-License-Identifier: MIT */
/*
 * The scenario of a recording as text: one JSON object of strings, a line for
 * each key with its value in base units, as `field_print()` has it. Two texts
 * are compared line by line, so that a replay can say what differs.
 */
#ifndef TRACES_RECORDING_SCENARIO_H
#define TRACES_RECORDING_SCENARIO_H

#include <stddef.h>

#include "traces/scenario.h"

/* The resolved scenario with one strategy, over the layout of a packed dataset
 * or, with NULL, the one that it describes. Memory that the caller frees; NULL
 * without memory. */
char *recording_describe(const struct scenario *scenario,
			 const struct echo *echo, const struct layout *layout,
			 size_t *size) __attribute__((warn_unused_result));

/* Does a run of `own` take the same decisions as one of `recorded`? Names,
 * sources, prices and laws of training may differ. -EINVAL and a fault that
 * says which key differs and how. */
int recording_same(const char *recorded, const char *own, const char *name,
		   struct fault *fault) __attribute__((warn_unused_result));

/* The value of a key in such a text; "" when it is not there. Returns
 * `value`. */
const char *recording_value(const char *text, const char *key, char *value,
			    size_t size);

/* The strategy of such a text in the form of --echo; "" when it has none.
 * Returns `value`. */
const char *recording_strategy(const char *text, char *value, size_t size);

#endif
