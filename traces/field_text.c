/* SPDX-License-Identifier: MIT */
/* What the field table says to people: expectations, values, nearest keys. */
#include <stdio.h>
#include <string.h>

#include "traces/distribution_text.h"
#include "traces/field.h"
#include "traces/nearest.h"
#include "traces/synonym.h"
#include "traces/units.h"

#define TOO_LARGE 18446744073709551616.0 /* 2^64 */

static uint64_t whole(double bound)
{
	return bound < TOO_LARGE ? (uint64_t)bound : UINT64_MAX;
}

static const char *expect_names(const struct field *field, char *text,
				size_t size)
{
	const char *const *name = field->names;
	size_t used = (size_t)snprintf(text, size, "one of %s", *name);

	while (*++name && used < size)
		used += (size_t)snprintf(text + used, size - used, ", %s",
					 *name);
	return text;
}

enum units_kind field_units(const struct field *field)
{
	switch (field->kind) {
	case FIELD_BYTES:
	case FIELD_BYTES_DIST:
		return UNITS_BYTES;
	case FIELD_RATE:
		return UNITS_RATE;
	case FIELD_TIME:
	case FIELD_TIME_DIST:
		return UNITS_TIME;
	default:
		return UNITS_COUNT;
	}
}

static bool is_distribution(const struct field *field)
{
	return field->kind == FIELD_TIME_DIST ||
	       field->kind == FIELD_BYTES_DIST;
}

/* "a size such as 64 KiB, from 1 B to 1 GiB" */
static const char *expect_amount(const struct field *field, char *text,
				 size_t size)
{
	enum units_kind kind = field_units(field);
	char low[32], high[32];

	units_print(kind, whole(field->low), low, sizeof(low));
	units_print(kind, whole(field->high), high, sizeof(high));
	snprintf(text, size, "%s%s%s from %s to %s", units_describe(kind),
		 is_distribution(field) ? " or a distribution" : "",
		 kind == UNITS_COUNT ? "" : ",", low, high);
	return text;
}

const char *field_expect(const struct field *field, char *text, size_t size)
{
	char low[32], high[32];

	switch (field->kind) {
	case FIELD_TEXT:
		snprintf(text, size, "a text of at most %zu characters",
			 field->size - 1);
		return text;
	case FIELD_BOOL:
		snprintf(text, size, "true or false");
		return text;
	case FIELD_NUMBER:
		units_print_number(field->low, low, sizeof(low));
		units_print_number(field->high, high, sizeof(high));
		snprintf(text, size, "a number from %s to %s", low, high);
		return text;
	case FIELD_ENUM:
		return expect_names(field, text, size);
	default:
		return expect_amount(field, text, size);
	}
}

const char *field_expect_form(const struct field *field, char *text,
			      size_t size)
{
	enum units_kind kind = field_units(field);
	char names[128];

	if (kind == UNITS_COUNT)
		return field_expect(field, text, size);
	snprintf(text, size, "%s (%s)%s", units_describe(kind),
		 units_names(kind, names, sizeof(names)),
		 is_distribution(field) ? " or a distribution" : "");
	return text;
}

static uint64_t count_at(const struct field *field, const void *at)
{
	if (field->size == sizeof(uint32_t))
		return *(const uint32_t *)at;
	return *(const uint64_t *)at;
}

/* A number that has not been given is zero where zero cannot be given. */
static const char *print_whole(const struct field *field, uint64_t value,
			       char *text, size_t size)
{
	if (!value && field->low > 0)
		text[0] = '\0';
	else
		units_print(UNITS_COUNT, value, text, size);
	return text;
}

const char *field_print(const struct field *field, const void *base, char *text,
			size_t size)
{
	const void *at = (const char *)base + field->offset;

	switch (field->kind) {
	case FIELD_TEXT:
		snprintf(text, size, "%s", (const char *)at);
		return text;
	case FIELD_BOOL:
		snprintf(text, size, "%s",
			 *(const bool *)at ? "true" : "false");
		return text;
	case FIELD_COUNT:
	case FIELD_BYTES:
	case FIELD_RATE:
		return print_whole(field, count_at(field, at), text, size);
	case FIELD_TIME:
		return print_whole(field, (uint64_t) * (const int64_t *)at,
				   text, size);
	case FIELD_NUMBER:
		text[0] = '\0';
		if (field->low > 0 && !(*(const double *)at > 0))
			return text;
		return units_print_number(*(const double *)at, text, size);
	case FIELD_ENUM:
		snprintf(text, size, "%s", field->names[*(const int *)at]);
		return text;
	case FIELD_TIME_DIST:
	case FIELD_BYTES_DIST:
		text[0] = '\0';
		if (field->low > 0 && distribution_is_zero(at))
			return text;
		return distribution_print(at, text, size);
	case FIELD_WORK:
	case FIELD_WORK_RATE:
		return units_print_number(*(const double *)at, text, size);
	}
	return text;
}

/* Cuts a key behind its first part that is unknown. */
static void cut_unknown(char *key)
{
	char *dot = strchr(key, '.');

	for (; dot; dot = strchr(dot + 1, '.')) {
		*dot = '\0';
		if (!field_is_section(key))
			return;
		*dot = '.';
	}
}

/* The nearest word to the last part of a key among those that may follow the
 * parts before it: `skip` bytes. */
static const char *nearest_sibling(const char *key, size_t skip, char *text,
				   size_t size)
{
	struct nearest nearest = nearest_to(key + skip);
	size_t length, i;

	text[0] = '\0';
	for (i = 0; i < field_count; i++) {
		if (strncmp(field_table[i].key, key, skip) != 0)
			continue;
		length = strcspn(field_table[i].key + skip, ".[");
		if (nearest_take(&nearest, field_table[i].key + skip, length))
			snprintf(text, size, "%.*s", (int)(skip + length),
				 field_table[i].key);
	}
	return nearest.found ? text : NULL;
}

/* The right word in the wrong place, if only one place is right. */
static const char *only_place(const char *word, char *text, size_t size)
{
	const char *found = NULL;
	const char *dot;
	size_t i;

	for (i = 0; i < field_count; i++) {
		dot = strrchr(field_table[i].key, '.');
		if (!dot ||
		    nearest_slips(dot + 1, strlen(dot + 1), word, strlen(word)))
			continue;
		if (found)
			return NULL;
		found = field_table[i].key;
	}
	if (!found)
		return NULL;
	snprintf(text, size, "%s", found);
	return text;
}

const char *field_nearest(const char *key, char *text, size_t size)
{
	char known[FIELD_KEY_MAX];
	const char *dot;
	size_t skip;

	if ((size_t)snprintf(known, sizeof(known), "%s", key) >= sizeof(known))
		return NULL;
	cut_unknown(known);
	dot = strrchr(known, '.');
	skip = dot ? (size_t)(dot + 1 - known) : 0;
	if (synonym_find(known + skip)) {
		snprintf(text, size, "%s", synonym_find(known + skip));
		return text;
	}
	if (nearest_sibling(known, skip, text, size))
		return text;
	return only_place(known + skip, text, size);
}
