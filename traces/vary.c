/* SPDX-License-Identifier: MIT */
#include "traces/vary.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/units.h"
#include "traces/value.h"
#include "traces/vary_range.h"

#define NAME "--vary"
#define QUOTED_MAX 64

static char *trimmed(const char *text, size_t length)
{
	while (length && isspace((unsigned char)*text)) {
		text++;
		length--;
	}
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	return strndup(text, length);
}

/* "echo.0.factor" has the row "echo[].factor". */
static const struct field *row_of_element(const char *key)
{
	char row[FIELD_KEY_MAX + 2];
	const char *digits = key + strcspn(key, "0123456789");
	size_t length = strspn(digits, "0123456789");

	if (digits == key || digits[-1] != '.' || digits[length] != '.')
		return NULL;
	snprintf(row, sizeof(row), "%.*s[]%s", (int)(digits - key - 1), key,
		 digits + length);
	return field_find(row);
}

/* "pipeline.decode.time.mean" has the unit of "pipeline.decode.time". */
static const struct field *row_of_parameter(const char *key)
{
	char row[FIELD_KEY_MAX];
	const char *dot = strrchr(key, '.');
	const struct field *field;

	if (!dot)
		return NULL;
	snprintf(row, sizeof(row), "%.*s", (int)(dot - key), key);
	field = field_find(row);
	if (field && field->kind != FIELD_TIME_DIST &&
	    field->kind != FIELD_BYTES_DIST)
		return NULL;
	return field;
}

static const struct field *row_of(const char *key)
{
	const struct field *field = field_find(key);

	if (!field)
		field = row_of_element(key);
	return field ? field : row_of_parameter(key);
}

static bool is_echo(const char *key)
{
	return !strcmp(key, "echo");
}

static int refuse_key(const struct vary *vary, struct fault *fault)
{
	char near[FIELD_KEY_MAX], quoted[QUOTED_MAX];
	const char *found = field_nearest(vary->key, near, sizeof(near));

	if (found && !strcmp(found, vary->key)) {
		fault_set(fault, NAME, 0,
			  "%s is not one value; expected one of its keys, "
			  "`echosim list fields` has all of them",
			  vary->key);
		return -EINVAL;
	}
	fault_set(fault, NAME, 0, "unknown key %s%s%s%s",
		  value_quote(vary->key, quoted, sizeof(quoted)),
		  found ? "; did you mean \"" :
			  "; `echosim list fields` has "
			  "all of them",
		  found ? found : "", found ? "\"?" : "");
	return -EINVAL;
}

static int read_key(struct vary *vary, const char *text, size_t length,
		    struct fault *fault)
{
	char quoted[QUOTED_MAX];

	if (!length || text[length] != '=') {
		fault_set(fault, NAME, 0,
			  "found %s; expected KEY=LOW..HIGH[:log|lin][:N] or "
			  "KEY=VALUE,VALUE,...",
			  value_quote(text, quoted, sizeof(quoted)));
		return -EINVAL;
	}
	snprintf(vary->key, sizeof(vary->key), "%.*s", (int)length, text);
	if (length >= sizeof(vary->key) ||
	    (!is_echo(vary->key) && !row_of(vary->key)))
		return refuse_key(vary, fault);
	return 0;
}

/* Where the value of a list that begins here ends: commas within brackets and
 * quotes are its own. */
static size_t value_length(const char *text)
{
	const char *at = text;
	int depth = 0;
	char quote = 0;

	for (; *at && (*at != ',' || depth || quote); at++) {
		if (quote)
			quote = *at == quote ? 0 : quote;
		else if (*at == '"' || *at == '\'')
			quote = *at;
		else if (*at == '{' || *at == '[')
			depth++;
		else if ((*at == '}' || *at == ']') && depth)
			depth--;
	}
	return (size_t)(at - text);
}

static int refuse_list(const struct vary *vary, const char *text,
		       struct fault *fault)
{
	char quoted[QUOTED_MAX];

	fault_set(fault, NAME, 0,
		  "%s: found %s; expected at least two values, "
		  "LOW..HIGH[:log|lin][:N] or VALUE,VALUE,...",
		  vary->key, value_quote(text, quoted, sizeof(quoted)));
	return -EINVAL;
}

static int add_value(struct vary *vary, const char *text, size_t length,
		     struct fault *fault)
{
	struct vary_value *value = &vary->values[vary->count];
	uint32_t i;

	value->text = trimmed(text, length);
	if (!value->text)
		return -ENOMEM;
	vary->count++;
	if (!*value->text) {
		fault_set(fault, NAME, 0,
			  "%s: value %u is empty; expected VALUE,VALUE,...",
			  vary->key, vary->count);
		return -EINVAL;
	}
	for (i = 0; i + 1 < vary->count; i++) {
		if (strcmp(vary->values[i].text, value->text) != 0)
			continue;
		fault_set(fault, NAME, 0, "%s: %s stands there twice",
			  vary->key, value->text);
		return -EINVAL;
	}
	return 0;
}

/* Numbers, if all are and they rise. */
static void read_numbers(struct vary *vary, const struct field *field)
{
	uint32_t i;

	vary->is_number = vary_range_is_of(field);
	for (i = 0; i < vary->count && vary->is_number; i++) {
		if (vary_range_number(field, vary->values[i].text,
				      &vary->values[i].number) ||
		    (i && vary->values[i].number <= vary->values[i - 1].number))
			vary->is_number = false;
	}
}

static int read_list(struct vary *vary, const struct field *field,
		     const char *text, struct fault *fault)
{
	const char *at = text;
	size_t length;
	int error;

	for (;; at += length + 1) {
		length = value_length(at);
		if (vary->count == VARY_VALUES_MAX) {
			fault_set(fault, NAME, 0,
				  "%s: more than %d values; that is the limit",
				  vary->key, VARY_VALUES_MAX);
			return -EINVAL;
		}
		error = add_value(vary, at, length, fault);
		if (error)
			return error;
		if (!at[length])
			break;
	}
	if (vary->count < 2)
		return refuse_list(vary, text, fault);
	if (field)
		read_numbers(vary, field);
	return 0;
}

static int read_values(struct vary *vary, const char *text, struct fault *fault)
{
	const struct field *field = is_echo(vary->key) ? NULL :
							 row_of(vary->key);

	vary->values = calloc(VARY_VALUES_MAX, sizeof(*vary->values));
	if (!vary->values)
		return -ENOMEM;
	vary->unit = vary_range_unit(field);
	vary->whole = field && field->kind == FIELD_COUNT;
	if (strstr(text, "..") && vary_range_is_of(field))
		return vary_range_read(vary, field, text, fault);
	return read_list(vary, field, text, fault);
}

int vary_parse(struct vary *vary, const char *text, struct fault *fault)
{
	size_t length = strcspn(text, "=");
	int error;

	*vary = (struct vary){ 0 };
	error = read_key(vary, text, length, fault);
	if (!error)
		error = read_values(vary, text + length + 1, fault);
	if (error)
		vary_release(vary);
	return error;
}

void vary_release(struct vary *vary)
{
	uint32_t i;

	for (i = 0; i < vary->count; i++)
		free(vary->values[i].text);
	free(vary->values);
	vary->values = NULL;
	vary->count = 0;
}

int vary_apply(const struct vary_change *change, struct scenario *scenario,
	       struct fault *fault)
{
	char *assignment;
	int error;

	if (is_echo(change->key)) {
		scenario->echo_count = 1;
		error = scenario_parse_echo(change->text, &scenario->echoes[0],
					    fault);
	} else if (asprintf(&assignment, "%s=%s", change->key, change->text) <
		   0) {
		error = -ENOMEM;
	} else {
		error = scenario_set(scenario, assignment, fault);
		free(assignment);
	}
	if (error)
		fault->file = NAME;
	return error;
}
