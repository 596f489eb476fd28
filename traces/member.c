/* SPDX-License-Identifier: MIT */
#include "traces/member.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/check.h"
#include "traces/distribution_read.h"
#include "traces/nearest.h"

#define EXPECTED_MAX 200

static int read_text(const struct reader *reader, const struct field *field,
		     const char *key, const struct yaml_value *value, char *at)
{
	if (value->kind != YAML_SCALAR || strlen(value->text) >= field->size)
		return value_refuse_field(reader, field, key, value);
	if (!value_is_plain(value->text))
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
		return value_refuse_field(reader, field, key, value);
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
		return value_refuse_field(reader, field, key, value);
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
		return value_refuse_field(reader, field, key, value);
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

struct field member_field(const struct field *field, const void *base)
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
	const struct field written = member_field(field, base);
	uint64_t amount;
	int error = value_read_amount(reader, &written, key, value, written.low,
				      &amount);

	if (!error)
		*at = (double)amount;
	return error;
}

int member_read(const struct reader *reader, const struct field *field,
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

void member_reset(const struct field *field, void *base)
{
	const struct reader reader = { .source.name = "default" };
	const struct yaml_value value = { .kind = YAML_SCALAR,
					  .text = field->fallback };

	memset((char *)base + field->offset, 0, field->size);
	if (*field->fallback)
		CHECK(!member_read(&reader, field, field->key, &value, base));
}
