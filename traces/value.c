/* SPDX-License-Identifier: MIT */
#include "traces/value.h"

#include <errno.h>
#include <string.h>

#include "sim/printable.h"
#include "traces/units.h"

#define EXPECTED_MAX 200
#define QUOTED_MAX 64

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

const char *value_quote(const char *text, char *quoted, size_t size)
{
	size_t room = size - sizeof("\"...\"");
	size_t used = 1;
	size_t cut = 1; /* where a character begins */

	quoted[0] = '"';
	for (; *text && used <= room; text++) {
		if (!is_continuation(*text))
			cut = used;
		quoted[used++] = *text;
	}
	if (*text)
		used = is_continuation(*text) ? cut : used;
	snprintf(quoted + used, size - used, "%s\"", *text ? "..." : "");
	printable(quoted);
	return quoted;
}

bool value_is_plain(const char *text)
{
	bool shown = true;
	size_t bytes;

	while ((bytes = printable_next(text, &shown)) && shown)
		text += bytes;
	return !*text;
}

const char *value_describe(const struct yaml_value *value, char *text,
			   size_t size)
{
	switch (value->kind) {
	case YAML_EMPTY:
		snprintf(text, size, "nothing");
		break;
	case YAML_SCALAR:
		value_quote(value->text, text, size);
		break;
	case YAML_MAP:
		snprintf(text, size, "a map");
		break;
	case YAML_LIST:
		snprintf(text, size, "a list");
		break;
	}
	return text;
}

int value_refuse(const struct reader *reader, const char *key,
		 const struct yaml_value *value, const char *expected)
{
	char found[QUOTED_MAX], units[UNITS_MEANT_MAX];
	const char *meant = value->kind == YAML_SCALAR ?
				    units_meant(value->text, units) :
				    NULL;

	value_fault(reader, value, "%s: found %s; expected %s%s%s%s", key,
		    value_describe(value, found, sizeof(found)), expected,
		    meant ? "; did you mean " : "", meant ? meant : "",
		    meant ? "?" : "");
	return -EINVAL;
}

int value_refuse_field(const struct reader *reader, const struct field *field,
		       const char *key, const struct yaml_value *value)
{
	char expected[EXPECTED_MAX];

	return value_refuse(reader, key, value,
			    field_expect(field, expected, sizeof(expected)));
}

int value_read_amount(const struct reader *reader, const struct field *field,
		      const char *key, const struct yaml_value *value,
		      double low, uint64_t *amount)
{
	char expected[EXPECTED_MAX];
	int error;

	error = value->kind == YAML_SCALAR ?
			units_parse(field_units(field), value->text, amount) :
			-EINVAL;
	if (error == -EINVAL)
		return value_refuse(reader, key, value,
				    field_expect_form(field, expected,
						      sizeof(expected)));
	if (error || (double)*amount < low || (double)*amount > field->high)
		return value_refuse_field(reader, field, key, value);
	return 0;
}
