/* SPDX-License-Identifier: MIT */
/* The numbers of an axis (traces/vary.h): one alone, and those of a range. */
#ifndef TRACES_VARY_RANGE_H
#define TRACES_VARY_RANGE_H

#include "traces/vary.h"

/* Are the field's values numbers? NULL: no. */
bool vary_range_is_of(const struct field *field);

/* "s", "B", "B/s" or "". */
const char *vary_range_unit(const struct field *field);

/* A value in SI base units. 0 or negative errno. */
int vary_range_number(const struct field *field, const char *text,
		      double *number) __attribute__((warn_unused_result));

/* Fills an axis of which key and unit are known and values have room. */
int vary_range_read(struct vary *vary, const struct field *field,
		    const char *text, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
