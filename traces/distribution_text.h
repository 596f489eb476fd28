/* SPDX-License-Identifier: MIT */
/*
 * Distributions as people write them: one amount ("8 ms": always this), a map
 * with the kind and its parameters ({dist: lognormal, mean: 3 ms, stdev:
 * 1 ms}), or a bare table of quantiles ({p50: .., p90: .., p99: .., p999:
 * ..}). A parameter that the kind does not use is a mistake.
 */
#ifndef TRACES_DISTRIBUTION_TEXT_H
#define TRACES_DISTRIBUTION_TEXT_H

#include <stddef.h>

#include "sim/distribution.h"
#include "traces/field.h"
#include "traces/value.h"

/* Reads and prepares a whole distribution. 0 or -EINVAL. */
int distribution_read(const struct reader *reader, const struct field *field,
		      const char *key, const struct yaml_value *value,
		      struct distribution *distribution)
	__attribute__((warn_unused_result));

/* Replaces one parameter of a distribution, prepared anew: `key` is that of
 * the field, `name` the parameter's. 0 or -EINVAL. */
int distribution_read_parameter(const struct reader *reader,
				const struct field *field, const char *key,
				const char *name,
				const struct yaml_value *value,
				struct distribution *distribution)
	__attribute__((warn_unused_result));

/* "lognormal mean=3000000 stdev=1000000", in base units. Returns text. */
const char *distribution_print(const struct distribution *distribution,
			       char *text, size_t size);

#define DISTRIBUTION_WRITE_MAX 192 /* bytes, enough for any */

/* The form that distribution_read() takes, for a file: "323 ms",
 * "{dist: normal, mean: 3 ms, stdev: 1 ms}", in whole base units of the kind.
 * Returns text. */
const char *distribution_write(const struct distribution *distribution,
			       enum units_kind kind, char *text, size_t size);

#endif
