/* SPDX-License-Identifier: MIT */
/* Reading what traces/distribution_text.h writes. */
#ifndef TRACES_DISTRIBUTION_READ_H
#define TRACES_DISTRIBUTION_READ_H

#include "sim/distribution.h"
#include "traces/field.h"
#include "traces/value.h"
#include "traces/yaml.h"

/* Reads and prepares a whole distribution. 0 or -EINVAL. */
int distribution_read(const struct reader *reader, const struct field *field,
		      const char *key, const struct yaml_value *value,
		      struct distribution *distribution)
	__attribute__((warn_unused_result));

/* Is a value a distribution that is written as a map? */
bool distribution_is_map(const struct yaml_value *value);

/* Replaces one parameter of a distribution, prepared anew: `key` is that of
 * the field, `name` the parameter's. 0 or -EINVAL. */
int distribution_read_parameter(const struct reader *reader,
				const struct field *field, const char *key,
				const char *name,
				const struct yaml_value *value,
				struct distribution *distribution)
	__attribute__((warn_unused_result));

#endif
