/* SPDX-License-Identifier: MIT */
/*
 * Amounts as people write them: a decimal number and a unit, with or without
 * a space between: "64 KiB", "1.2GiB/s", "8 ms", "1e6". A value is a whole
 * number of base units (bytes, bytes per second, nanoseconds). Whole numbers
 * are exact, whatever their size; a fraction of a base unit is rounded to the
 * nearest, but never to nothing. A zero needs no unit.
 */
#ifndef TRACES_UNITS_H
#define TRACES_UNITS_H

#include <stddef.h>
#include <stdint.h>

enum units_kind {
	UNITS_COUNT, /* no unit, no fraction */
	UNITS_BYTES,
	UNITS_RATE,
	UNITS_TIME,
};

/* 0; -EINVAL: not a number followed by a unit of this kind; -ERANGE:
 * negative, too large, or so small that it would round to nothing. */
int units_parse(enum units_kind kind, const char *text, uint64_t *value)
	__attribute__((warn_unused_result));

/* A plain decimal number without unit; the same errors. Zero may be given,
 * a negative may not. */
int units_parse_number(const char *text, double *value)
	__attribute__((warn_unused_result));

/* The value in the largest unit that holds it whole: "64 KiB", "1 h". Returns
 * text. */
const char *units_print(enum units_kind kind, uint64_t value, char *text,
			size_t size);

/* The shortest plain or exponent form that reads back as the same number.
 * Returns text. */
const char *units_print_number(double value, char *text, size_t size);

/* The accepted units: "ns, us, ms, s, min, h, d". Returns text. */
const char *units_names(enum units_kind kind, char *text, size_t size);

/* The units that a person may have meant by one that is none, as "kB or KiB"
 * of "110 KB" and "MB/s, MiB/s or Mbit/s" of "5 mbps"; NULL when it is one, or
 * like none. Returns text. */
#define UNITS_MEANT_MAX 64
const char *units_meant(const char *amount, char text[UNITS_MEANT_MAX]);

/* What a value of this kind is, for a person: "a time such as 8 ms". */
const char *units_describe(enum units_kind kind);

#endif
