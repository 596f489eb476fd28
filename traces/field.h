/* SPDX-License-Identifier: MIT */
/*
 * The field table: one row per scenario key. The parser, --set, `list fields`,
 * the resolved scenario in results and the manual are loops over it.
 */
#ifndef TRACES_FIELD_H
#define TRACES_FIELD_H

#include <stddef.h>
#include <stdint.h>

#include "traces/scenario.h"

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
};

struct field {
	const char *key; /* dotted path: "pipeline.decode.workers"; echo rows:
			    "echo[].factor" */
	enum field_kind kind;
	size_t offset; /* in struct scenario; echo rows: in struct echo */
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

/* The known key nearest to a misspelt one; NULL when nothing is near. */
const char *field_nearest(const char *key);

/* The value of a field as canonical text in base units (numbers in plain
 * decimal, distributions as "lognormal mean=.. stdev=.."). `base` is the
 * struct scenario, or the struct echo for echo rows. Returns text. */
const char *field_print(const struct field *field, const void *base, char *text,
			size_t size);

#endif
