/* SPDX-License-Identifier: MIT */
#include "traces/vary_range.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/math.h"
#include "traces/units.h"
#include "traces/value.h"

#define NAME "--vary"
#define QUOTED_MAX 64
#define EXPECTED_MAX 200
#define NS_PER_SECOND 1e9
#define POINTS_DEFAULT 8
#define ALL_MAX 16
#define DOUBLINGS_MAX 15
#define WHOLE_MAX 0x1p63 /* more is as much as can be */

/* A range as it was written. Ends are in base units. */
struct range {
	const struct field *field;
	char *low_text;
	char *high_text;
	double low;
	double high;
	bool log;
	uint64_t count; /* 0: not given */
};

static bool is_plain(const struct field *field)
{
	return field->kind == FIELD_NUMBER;
}

bool vary_range_is_of(const struct field *field)
{
	if (!field)
		return false;
	switch (field->kind) {
	case FIELD_COUNT:
	case FIELD_NUMBER:
	case FIELD_BYTES:
	case FIELD_RATE:
	case FIELD_TIME:
	case FIELD_TIME_DIST:
	case FIELD_BYTES_DIST:
		return true;
	default:
		return false;
	}
}

const char *vary_range_unit(const struct field *field)
{
	static const char *const names[] = {
		[UNITS_COUNT] = "",
		[UNITS_BYTES] = "B",
		[UNITS_RATE] = "B/s",
		[UNITS_TIME] = "s",
	};

	return field ? names[field_units(field)] : "";
}

static double in_si(const struct field *field, double base)
{
	return field_units(field) == UNITS_TIME ? base / NS_PER_SECOND : base;
}

/* In base units. */
static int read_base(const struct field *field, const char *text, double *base)
{
	uint64_t amount = 0;
	int error;

	if (is_plain(field))
		return units_parse_number(text, base);
	error = units_parse(field_units(field), text, &amount);
	*base = (double)amount;
	return error;
}

int vary_range_number(const struct field *field, const char *text,
		      double *number)
{
	double base = 0;
	int error = read_base(field, text, &base);

	*number = in_si(field, base);
	return error;
}

/* Copies up to `end`, blanks around it left out, NULL when out of memory. */
static char *copy_between(const char *start, const char *end)
{
	while (start < end && *start == ' ')
		start++;
	while (end > start && end[-1] == ' ')
		end--;
	return strndup(start, (size_t)(end - start));
}

static int refuse_end(const struct vary *vary, const struct field *field,
		      const char *text, int error, struct fault *fault)
{
	char quoted[QUOTED_MAX], expected[EXPECTED_MAX];

	fault_set(fault, NAME, 0, "%s: found %s; expected %s", vary->key,
		  value_quote(text, quoted, sizeof(quoted)),
		  error == -EINVAL ?
			  field_expect_form(field, expected, sizeof(expected)) :
			  field_expect(field, expected, sizeof(expected)));
	return -EINVAL;
}

static int read_end(const struct vary *vary, const struct field *field,
		    const char *text, double *base, struct fault *fault)
{
	int error = read_base(field, text, base);

	if (!error && (*base < field->low || *base > field->high))
		error = -ERANGE;
	return error ? refuse_end(vary, field, text, error, fault) : 0;
}

/* ":log:9", ":lin", ":9" or nothing. */
static int read_options(const struct vary *vary, struct range *range,
			const char *text, struct fault *fault)
{
	char quoted[QUOTED_MAX];
	const char *at = text;

	if (!strncmp(at, ":log", 4) || !strncmp(at, ":lin", 4)) {
		range->log = at[2] == 'o';
		at += 4;
	}
	if (!*at)
		return 0;
	if (*at == ':' && !units_parse(UNITS_COUNT, at + 1, &range->count) &&
	    range->count >= 2 && range->count <= VARY_VALUES_MAX)
		return 0;
	fault_set(fault, NAME, 0,
		  "%s: found %s; expected :log or :lin, and :N from 2 to %d "
		  "points",
		  vary->key, value_quote(text, quoted, sizeof(quoted)),
		  VARY_VALUES_MAX);
	return -EINVAL;
}

static int check_ends(const struct vary *vary, const struct range *range,
		      struct fault *fault)
{
	if (range->low >= range->high) {
		fault_set(fault, NAME, 0,
			  "%s: found the range %s..%s; expected its low end "
			  "first, then a higher one",
			  vary->key, range->low_text, range->high_text);
		return -EINVAL;
	}
	if (range->log && range->low <= 0) {
		fault_set(fault, NAME, 0,
			  "%s: found %s on a logarithmic scale; expected a low "
			  "end above zero, or :lin",
			  vary->key, range->low_text);
		return -EINVAL;
	}
	return 0;
}

static int read_range(const struct vary *vary, struct range *range,
		      const char *text, struct fault *fault)
{
	const char *dots = strstr(text, "..");
	const char *high = dots + 2;
	const char *end = high + strcspn(high, ":");
	int error;

	range->low_text = copy_between(text, dots);
	range->high_text = copy_between(high, end);
	if (!range->low_text || !range->high_text)
		return -ENOMEM;
	error = read_end(vary, range->field, range->low_text, &range->low,
			 fault);
	if (!error)
		error = read_end(vary, range->field, range->high_text,
				 &range->high, fault);
	if (!error)
		error = read_options(vary, range, end, fault);
	return error ? error : check_ends(vary, range, fault);
}

/* The doublings from one end to the other; 0: they do not meet it, or are too
 * many. */
static uint32_t doublings(const struct range *range)
{
	double value = range->low;
	uint32_t count = 0;

	while (value < range->high && count <= DOUBLINGS_MAX) {
		value *= 2;
		count++;
	}
	return value == range->high && count <= DOUBLINGS_MAX ? count : 0;
}

static uint32_t default_count(const struct range *range)
{
	double span = range->high - range->low;

	if (range->log && doublings(range) > 1)
		return doublings(range) + 1;
	if (!range->log && range->field->kind == FIELD_COUNT && span < ALL_MAX)
		return (uint32_t)span + 1;
	return POINTS_DEFAULT;
}

/* Point `index` in base units; both ends exact. */
static double point(const struct range *range, uint32_t index)
{
	double share = (double)index / (double)(range->count - 1);
	double value;

	if (!index || index + 1 == range->count)
		return index ? range->high : range->low;
	if (range->log)
		value = range->low *
			math_exp(share * math_log(range->high / range->low));
	else
		value = range->low + share * (range->high - range->low);
	return value < range->high ? value : range->high;
}

/* As text that reads back as the value that `number` then is. */
static char *write_point(const struct range *range, double base, double *number)
{
	enum units_kind units = field_units(range->field);
	uint64_t whole;
	char text[64];

	if (is_plain(range->field)) {
		snprintf(text, sizeof(text), "%.12g", base);
		*number = strtod(text, NULL);
	} else {
		whole = base < WHOLE_MAX ? (uint64_t)(base + 0.5) : UINT64_MAX;
		*number = in_si(range->field, (double)whole);
		units_print(units, whole, text, sizeof(text));
	}
	return strdup(text);
}

static int fill(struct vary *vary, struct range *range)
{
	struct vary_value *value;
	uint32_t i;

	vary->is_number = true;
	if (!range->count)
		range->count = default_count(range);
	for (i = 0; i < range->count; i++) {
		value = &vary->values[vary->count];
		value->text =
			write_point(range, point(range, i), &value->number);
		if (!value->text)
			return -ENOMEM;
		if (vary->count && value->number <= value[-1].number)
			free(value->text);
		else
			vary->count++;
	}
	return 0;
}

int vary_range_read(struct vary *vary, const struct field *field,
		    const char *text, struct fault *fault)
{
	struct range range = { .field = field };
	int error = read_range(vary, &range, text, fault);

	if (!error)
		error = fill(vary, &range);
	free(range.low_text);
	free(range.high_text);
	return error;
}
