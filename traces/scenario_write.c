/* SPDX-License-Identifier: MIT */
#include "traces/scenario_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/device/member.h"
#include "traces/distribution_text.h"
#include "traces/echo.h"
#include "traces/member.h"
#include "traces/units.h"

#define BUCKETS_LIST DEVICE_KEY ".buckets"
#define PRICES_KEY "prices."

/* ---- values ---- */

/* All that reads as a text is printable: only these two mean something. */
static const char *quote(const char *value, char *text)
{
	char *at = text;

	*at++ = '"';
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			*at++ = '\\';
		*at++ = *value;
	}
	*at++ = '"';
	*at = '\0';
	return text;
}

static uint64_t amount_at(const struct field *field, const void *at)
{
	if (field->kind == FIELD_WORK || field->kind == FIELD_WORK_RATE)
		return (uint64_t)(*(const double *)at + 0.5);
	if (field->size == sizeof(uint32_t))
		return *(const uint32_t *)at;
	return *(const uint64_t *)at;
}

static bool is_cycle(const struct field *field, const void *at)
{
	return (field->kind == FIELD_TIME_DIST ||
		field->kind == FIELD_BYTES_DIST) &&
	       ((const struct distribution *)at)->kind == DISTRIBUTION_CYCLE;
}

_Static_assert(2 * SCENARIO_TEXT_MAX + 3 < SCENARIO_VALUE_MAX,
	       "a text with all its bytes escaped is a value");

const char *scenario_value(const struct field *field, const void *base,
			   char text[SCENARIO_VALUE_MAX])
{
	const void *at = (const char *)base + field->offset;
	struct field written;

	field_print(field, base, text, SCENARIO_VALUE_MAX);
	if (!text[0])
		return text;
	switch (field->kind) {
	case FIELD_TEXT:
		return quote(at, text);
	case FIELD_TIME_DIST:
	case FIELD_BYTES_DIST:
		if (is_cycle(field, at))
			return text;
		return distribution_write(at, field_units(field), text,
					  SCENARIO_VALUE_MAX);
	case FIELD_BYTES:
	case FIELD_RATE:
	case FIELD_TIME:
	case FIELD_WORK:
	case FIELD_WORK_RATE:
		written = member_field(field, base);
		return units_print(field_units(&written), amount_at(field, at),
				   text, SCENARIO_VALUE_MAX);
	default:
		return text;
	}
}

/* ---- lines ---- */

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* Bytes of the sections that both keys lie in, the last dot included. */
static size_t shared(const char *one, const char *other)
{
	size_t bytes = 0, i;

	for (i = 0; one[i] && one[i] == other[i]; i++)
		if (one[i] == '.')
			bytes = i + 1;
	return bytes;
}

static void indent(FILE *out, const char *key, size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		if (key[i] == '.')
			fputs("  ", out);
}

/* Opens the sections that the last key did not lie in, and begins the line:
 * "    workers: ". */
static void begin_line(FILE *out, const char *last, const char *key)
{
	size_t at = shared(last, key);
	size_t length;

	for (;; at += length + 1) {
		length = strcspn(key + at, ".");
		indent(out, key, at);
		fprintf(out, "%.*s:", (int)length, key + at);
		if (!key[at + length])
			break;
		fputc('\n', out);
	}
}

/* Thousands of values, maybe. */
static void write_cycle(FILE *out, const struct field *field,
			const struct scenario *scenario)
{
	const struct distribution *cycle =
		(const void *)((const char *)scenario + field->offset);
	char value[32];
	uint32_t i;

	fputs(" {dist: cycle, values: [", out);
	for (i = 0; i < cycle->value_count; i++)
		fprintf(out, "%s%s", i ? ", " : "",
			units_print(field_units(field),
				    (uint64_t)cycle->values[i], value,
				    sizeof(value)));
	fputs("]}\n", out);
}

/* "{of: ops, capacity: 100}": the members of a list's element. */
static void write_element(FILE *out, const char *list, const void *element,
			  bool (*counts)(const char *name, const void *element))
{
	char value[SCENARIO_VALUE_MAX];
	const char *comma = "";
	size_t i;

	fputc('{', out);
	for (i = 0; i < field_count; i++) {
		const char *name = field_listed_in(&field_table[i], list);

		if (!name || (counts && !counts(name, element)))
			continue;
		fprintf(out, "%s%s: %s", comma, name,
			scenario_value(&field_table[i], element, value));
		comma = ", ";
	}
	fputc('}', out);
}

static bool counts_in_echo(const char *name, const void *element)
{
	return echo_counts(element, name);
}

static void write_buckets(FILE *out, const char *last,
			  const struct device_profile *profile)
{
	uint32_t i;

	begin_line(out, last, BUCKETS_LIST);
	fputs(" [", out);
	for (i = 0; i < profile->bucket_count; i++) {
		fputs(i ? ", " : "", out);
		write_element(out, BUCKETS_LIST, &profile->buckets[i], NULL);
	}
	fputs("]\n", out);
}

/* ---- the whole ---- */

/* The real device has no figures; a size that nothing hangs on any more, for
 * the figures are written as they are, has no effect. */
static bool device_tells(const struct field *field,
			 const struct scenario *scenario)
{
	const void *at = (const char *)scenario + field->offset;

	if (scenario->storage.native || at == scenario->storage.extends)
		return false;
	return at != &scenario->storage.size_bytes ||
	       scenario->storage.facts.price.per_gib_month > 0 ||
	       scenario->prices.storage.per_gib_month > 0;
}

/* Is its value given, or another than by default, and not told already by what
 * other keys say? `fresh`: of scenario_init(). */
static bool tells(const struct field *field, const struct scenario *scenario,
		  const struct scenario *fresh)
{
	char value[SCENARIO_VALUE_MAX], usual[SCENARIO_VALUE_MAX];
	const void *at = (const char *)scenario + field->offset;

	if (field_is_listed(field) || at == scenario->loader_like ||
	    (device_has(field) && !device_tells(field, scenario)))
		return false;
	if (strcmp(field->key, DEVICE_KEY) == 0)
		return scenario->storage.native;
	scenario_value(field, scenario, value);
	return value[0] &&
	       (scenario->given[field - field_table] ||
		strcmp(value, scenario_value(field, fresh, usual)) != 0);
}

/* The rows of prices, or all others: a size is read after its price. */
static void write_rows(FILE *out, const struct scenario *scenario,
		       const struct scenario *fresh, bool prices)
{
	const struct device_profile *profile = &scenario->storage.profile;
	char value[SCENARIO_VALUE_MAX];
	bool buckets = profile->bucket_count && !scenario->storage.native;
	const char *last = "";
	size_t i;

	for (i = 0; i < field_count; i++) {
		const struct field *field = &field_table[i];

		if (starts_with(field->key, PRICES_KEY) != prices)
			continue;
		if (buckets && field_listed_in(field, BUCKETS_LIST)) {
			write_buckets(out, last, profile);
			last = BUCKETS_LIST;
			buckets = false;
		}
		if (!tells(field, scenario, fresh))
			continue;
		begin_line(out, last, field->key);
		if (is_cycle(field, (const char *)scenario + field->offset))
			write_cycle(out, field, scenario);
		else
			fprintf(out, " %s\n",
				scenario_value(field, scenario, value));
		last = field->key;
	}
}

int scenario_write(FILE *out, const struct scenario *scenario,
		   const struct echo *echo)
{
	struct scenario *fresh = malloc(sizeof(*fresh));

	if (!fresh)
		return -ENOMEM;
	scenario_init(fresh);
	write_rows(out, scenario, fresh, true);
	write_rows(out, scenario, fresh, false);
	fputs("echo:\n  - ", out);
	write_element(out, "echo", echo, counts_in_echo);
	fputc('\n', out);
	free(fresh);
	return 0;
}
