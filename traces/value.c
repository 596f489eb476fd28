/* SPDX-License-Identifier: MIT */
#include "traces/value.h"

#include <errno.h>
#include <string.h>

#include "traces/distribution_text.h"
#include "traces/nearest.h"

#define EXPECTED_MAX 200
#define QUOTED_MAX 64

/* Bytes of the control character at text, which could play tricks with a
 * terminal; 0 when it is none. The second row of them has two bytes in UTF-8. */
static size_t control_bytes(const char *text)
{
	unsigned char byte = (unsigned char)text[0];
	unsigned char next = (unsigned char)text[1];

	if (byte == 0xc2 && next >= 0x80 && next < 0xa0)
		return 2;
	return byte < 0x20 || byte == 0x7f;
}

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
		size_t control = control_bytes(text);

		if (!is_continuation(*text))
			cut = used;
		quoted[used++] = control ? '?' : *text;
		text += control > 1;
	}
	if (*text)
		used = is_continuation(*text) ? cut : used;
	snprintf(quoted + used, size - used, "%s\"", *text ? "..." : "");
	return quoted;
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
	char found[QUOTED_MAX];

	value_fault(reader, value, "%s: found %s; expected %s", key,
		    value_describe(value, found, sizeof(found)), expected);
	return -EINVAL;
}

static int refuse(const struct reader *reader, const struct field *field,
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
		return refuse(reader, field, key, value);
	return 0;
}

static int read_text(const struct reader *reader, const struct field *field,
		     const char *key, const struct yaml_value *value, char *at)
{
	const char *byte = value->text;

	if (value->kind != YAML_SCALAR || strlen(value->text) >= field->size)
		return refuse(reader, field, key, value);
	for (; *byte; byte++)
		if (control_bytes(byte))
			return value_refuse(reader, key, value,
					    "no control characters");
	snprintf(at, field->size, "%s", value->text);
	return 0;
}

static int read_bool(const struct reader *reader, const struct field *field,
		     const char *key, const struct yaml_value *value, bool *at)
{
	bool yes = strcmp(value->text, "true") == 0;

	if (!yes && strcmp(value->text, "false") != 0)
		return refuse(reader, field, key, value);
	*at = yes;
	return 0;
}

static int read_whole(const struct reader *reader, const struct field *field,
		      const char *key, const struct yaml_value *value, void *at)
{
	uint64_t amount;
	int error = value_read_amount(reader, field, key, value, field->low,
				      &amount);

	if (error)
		return error;
	if (field->size == sizeof(uint32_t))
		*(uint32_t *)at = (uint32_t)amount;
	else if (field->kind == FIELD_TIME)
		*(int64_t *)at = (int64_t)amount;
	else
		*(uint64_t *)at = amount;
	return 0;
}

static int read_number(const struct reader *reader, const struct field *field,
		       const char *key, const struct yaml_value *value,
		       double *at)
{
	double number;
	int error = units_parse_number(value->text, &number);

	if (error || number < field->low || number > field->high)
		return refuse(reader, field, key, value);
	*at = number;
	return 0;
}

static int read_name(const struct reader *reader, const struct field *field,
		     const char *key, const struct yaml_value *value, int *at)
{
	char expected[EXPECTED_MAX], said[EXPECTED_MAX];
	const char *near;
	int i;

	for (i = 0; field->names[i]; i++) {
		if (strcmp(field->names[i], value->text) == 0) {
			*at = i;
			return 0;
		}
	}
	near = nearest_name(value->text, field->names);
	if (!near)
		return refuse(reader, field, key, value);
	snprintf(said, sizeof(said), "%s; did you mean \"%s\"?",
		 field_expect(field, expected, sizeof(expected)), near);
	return value_refuse(reader, key, value, said);
}

void value_pass_on(const struct reader *reader, const struct yaml_value *value,
		   const char *name, const struct fault *mistake)
{
	if (mistake->line)
		value_fault(reader, value, "%.100s:%d: %.280s", name,
			    mistake->line, mistake->text);
	else
		value_fault(reader, value, "%.100s: %.280s", name,
			    mistake->text);
}

struct field value_field(const struct field *field, const void *base)
{
	const struct device_bucket *bucket = base;
	struct field written = *field;

	if (field->kind != FIELD_WORK && field->kind != FIELD_WORK_RATE)
		return written;
	if (bucket->of == BUCKET_OF_OPS)
		written.kind = FIELD_COUNT;
	else
		written.kind = field->kind == FIELD_WORK ? FIELD_BYTES :
							   FIELD_RATE;
	return written;
}

static int read_work(const struct reader *reader, const struct field *field,
		     const char *key, const struct yaml_value *value,
		     const void *base, double *at)
{
	const struct field written = value_field(field, base);
	uint64_t amount;
	int error = value_read_amount(reader, &written, key, value, written.low,
				      &amount);

	if (!error)
		*at = (double)amount;
	return error;
}

int value_read(const struct reader *reader, const struct field *field,
	       const char *key, const struct yaml_value *value, void *base)
{
	void *at = (char *)base + field->offset;

	switch (field->kind) {
	case FIELD_TEXT:
		return read_text(reader, field, key, value, at);
	case FIELD_BOOL:
		return read_bool(reader, field, key, value, at);
	case FIELD_NUMBER:
		return read_number(reader, field, key, value, at);
	case FIELD_ENUM:
		return read_name(reader, field, key, value, at);
	case FIELD_TIME_DIST:
	case FIELD_BYTES_DIST:
		return distribution_read(reader, field, key, value, at);
	case FIELD_WORK:
	case FIELD_WORK_RATE:
		return read_work(reader, field, key, value, base, at);
	default:
		return read_whole(reader, field, key, value, at);
	}
}
