/* SPDX-License-Identifier: MIT */
/*
 * A value on its way out: one figure of a run, one cell of a list, one fact
 * about the host. It may be unknown, which every format shows as its own kind
 * of nothing (null, an empty cell, a dash), never as zero.
 */
#ifndef ANALYSIS_VALUE_H
#define ANALYSIS_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/histogram.h"

enum metric_kind {
	METRIC_BOOL,
	METRIC_COUNT, /* whole number */
	METRIC_REAL,
	METRIC_TEXT,
	METRIC_DIGEST, /* a number that is only compared: 16 hex digits */
	METRIC_PART,   /* stands for a table, analysis/part.h */
};

/* "bool", "count", "real", "text", "digest", "part" */
const char *metric_kind_name(enum metric_kind kind);

struct metric_value {
	bool known;
	double real;	  /* METRIC_REAL and METRIC_BOOL */
	uint64_t count;	  /* METRIC_COUNT and METRIC_DIGEST */
	const char *text; /* METRIC_TEXT, borrowed */
};

#define VALUE_TEXT_MAX 32 /* enough for any number's text */

/* A real that is not finite, a ratio over zero and a text that is NULL are
 * not known. */
struct metric_value value_unknown(void);
struct metric_value value_bool(bool value);
struct metric_value value_count(uint64_t value);
struct metric_value value_real(double value);
struct metric_value value_ratio(double numerator, double denominator);
/* So many in that time, a second. */
struct metric_value value_per_second(uint64_t count, int64_t elapsed_ns);
struct metric_value value_text(const char *value);

/* The count that 16 hexadecimal digits stand for; of other text, unknown. */
struct metric_value value_of_digest(const char *text);

/* Significant digits, 15 to 17, after which a reader of the decimal text gets
 * the very same number back. */
int value_digits(double value);

/* The exact form, for machines: "" when unknown, "true", "1024", "0.5".
 * `text` is used when the value is a number. */
const char *value_exact(enum metric_kind kind, struct metric_value value,
			char *text, size_t size);

/* The form for people, "-" when unknown. The unit says how: "s" 12.50 ms;
 * "B" 1.500 GiB; "B/s" 150.0 MB/s; "1/s" 12.50 k/s; "#" 12.50k; "%" a
 * fraction as 77.8; "points" a difference of fractions as +1.25; "x"
 * a ratio as 1.83; "bar" a fraction as ########; "" the bare
 * number. Numbers have four significant digits, counts without unit all. */
const char *value_human(enum metric_kind kind, const char *unit,
			struct metric_value value, char *text, size_t size);

/* Of times in nanoseconds, as seconds: a quantile, the longest. Of no values at
 * all neither is zero: it is unknown. */
struct metric_value value_quantile_s(const struct histogram *times_ns,
				     double fraction);
struct metric_value value_max_s(const struct histogram *times_ns);

#endif
