/* SPDX-License-Identifier: MIT */
/*
 * The field table: one row per scenario key. The parser, --set, `list fields`,
 * the resolved scenario in results and the manual are loops over it.
 */
#ifndef TRACES_FIELD_H
#define TRACES_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/scenario.h"
#include "traces/units.h"

#define FIELD_KEY_MAX 96 /* bytes of the longest key, and room to spare */

enum field_kind {
	FIELD_TEXT,	  /* char[SCENARIO_TEXT_MAX] */
	FIELD_BOOL,	  /* bool */
	FIELD_COUNT,	  /* uint32_t or uint64_t by `size`, no unit */
	FIELD_NUMBER,	  /* double, no unit */
	FIELD_BYTES,	  /* uint64_t bytes */
	FIELD_RATE,	  /* uint64_t bytes per second */
	FIELD_TIME,	  /* int64_t nanoseconds */
	FIELD_ENUM,	  /* enum (int); `names` */
	FIELD_TIME_DIST,  /* struct distribution, nanoseconds */
	FIELD_BYTES_DIST, /* struct distribution, bytes */
	FIELD_WORK,	  /* double in a bucket: ops or bytes, as it says */
	FIELD_WORK_RATE,  /* the same per second */
};

struct field {
	const char *key; /* dotted path: "pipeline.decode.workers"; members of
			    a list's elements: "echo[].factor" */
	enum field_kind kind;
	size_t offset; /* in struct scenario, or in the list's element: struct
			  echo, struct device_bucket */
	size_t size;
	double low, high;	  /* accepted range in base units, inclusive */
	const char *const *names; /* FIELD_ENUM: NULL-terminated, in order */
	const char *fallback; /* the default as a person would write it; "" for
				 none */
	const char *help;     /* one sentence */
};

extern const struct field field_table[];
extern const size_t field_count;

/* The row of a key, NULL when unknown. */
const struct field *field_find(const char *key);

/* Is the row of a list's elements? */
bool field_is_listed(const struct field *field);

/* The member that a row names in the elements of a list, "factor" in "echo";
 * NULL for other rows. */
const char *field_listed_in(const struct field *field, const char *list);

/* Does a longer key begin with this one and a dot: "pipeline.decode"? */
bool field_is_section(const char *key);

/* The known key or section nearest to an unknown one, in full; NULL when
 * nothing is near. Returns text. */
const char *field_nearest(const char *key, char *text, size_t size);

/* The unit of a field's value; UNITS_COUNT when it has none. */
enum units_kind field_units(const struct field *field);

/* What is accepted, for a person: "a time such as 8 ms, from 0 ns to 1 h".
 * Returns text. */
const char *field_expect(const struct field *field, char *text, size_t size);

/* The same for one who got the form wrong, with the units instead of the
 * range: "a time such as 8 ms (ns, us, ms, s, min, h, d)". Returns text. */
const char *field_expect_form(const struct field *field, char *text,
			      size_t size);

/* The value of a field as canonical text in base units (numbers in plain
 * decimal, distributions as "lognormal mean=.. stdev=.."); "" when it has not
 * been given and has no default. `base` is the struct scenario, or the
 * list's element. Returns text. */
const char *field_print(const struct field *field, const void *base, char *text,
			size_t size);

#endif
