/* SPDX-License-Identifier: MIT */
/*
 * From a YAML value to the member of a struct that a field describes, with
 * the field's unit and range.
 */
#ifndef TRACES_MEMBER_H
#define TRACES_MEMBER_H

#include "traces/field.h"
#include "traces/value.h"
#include "traces/yaml.h"

/* The row as its values are written in this base: a bucket counts operations
 * or bytes. */
struct field member_field(const struct field *field, const void *base);

/* Fills the field's member of base (the scenario or a list's element). `key` is
 * the full key as the person knows it. 0 or -EINVAL. */
int member_read(const struct reader *reader, const struct field *field,
		const char *key, const struct yaml_value *value, void *base)
	__attribute__((warn_unused_result));

/* Gives the field's member of base its default, or nothing where it has none. */
void member_reset(const struct field *field, void *base);

#endif
