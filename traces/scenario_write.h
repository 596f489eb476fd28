/* SPDX-License-Identifier: MIT */
/*
 * Scenario text as the field table has it. Whoever writes keys of a scenario
 * writes them here: a key is looked up in the table, its sections are opened
 * and indented, its value is written in the unit of its row, so that
 * scenario_parse() reads back what was meant.
 */
#ifndef TRACES_SCENARIO_WRITE_H
#define TRACES_SCENARIO_WRITE_H

#include <stdio.h>

#include "traces/field.h"
#include "traces/scenario.h"

#define SCENARIO_VALUE_MAX 1024 /* bytes of any value as text */

/* The value of a field as a scenario file holds it: "64 KiB", "\"a name\"",
 * "{dist: lognormal, mean: 3 ms, stdev: 1 ms}"; "" where field_print() has
 * none. Of a cycle, which may be long, it is what field_print() has. Fractions
 * of a base unit are rounded. `base` is the struct scenario, or the list's
 * element. Returns text. */
const char *scenario_value(const struct field *field, const void *base,
			   char text[SCENARIO_VALUE_MAX]);

/* Writes the whole scenario with one strategy: every key that is given or is
 * not as by default. Its device and its loader are written by what they do,
 * not by their names, so that the text stands alone. 0 or -ENOMEM. */
int scenario_write(FILE *out, const struct scenario *scenario,
		   const struct echo *echo) __attribute__((warn_unused_result));

#endif
