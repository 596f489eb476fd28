/* SPDX-License-Identifier: MIT */
/*
 * A YAML value as a person wrote it: what it amounts to, and how it is refused.
 * Every refusal says the key, what was found and what was expected.
 */
#ifndef TRACES_VALUE_H
#define TRACES_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/fault.h"
#include "traces/field.h"
#include "traces/yaml.h"

/* What is being read, and who is told about mistakes. */
struct reader {
	struct yaml_source source;
	struct fault *fault;
	int depth; /* files that led to this one */
};

/* A fault at the line of a value. */
#define value_fault(reader, value, ...)                                        \
	fault_set((reader)->fault, (reader)->source.name,                      \
		  (reader)->source.numbered ? (value)->line : 0, __VA_ARGS__)

/* A mistake in a file that a value names is said at the value. */
void value_pass_on(const struct reader *reader, const struct yaml_value *value,
		   const char *name, const struct fault *mistake);

/* Reads a scalar with the field's unit and upper bound, not below low. */
int value_read_amount(const struct reader *reader, const struct field *field,
		      const char *key, const struct yaml_value *value,
		      double low, uint64_t *amount)
	__attribute__((warn_unused_result));

/* Says "KEY: found VALUE; expected EXPECTED". Returns -EINVAL. */
int value_refuse(const struct reader *reader, const char *key,
		 const struct yaml_value *value, const char *expected);

/* The same, with what the field expects. */
int value_refuse_field(const struct reader *reader, const struct field *field,
		       const char *key, const struct yaml_value *value);

/* What was found, in few words and without control characters: "a list",
 * "nothing", "\"8 mss\"". Returns text. */
const char *value_describe(const struct yaml_value *value, char *text,
			   size_t size);

/* Is there no control character in it? */
bool value_is_plain(const char *text);

/* A hostile text in quotes, cut to the size and without control characters.
 * Returns quoted. */
const char *value_quote(const char *text, char *quoted, size_t size);

#endif
