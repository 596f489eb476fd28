/* SPDX-License-Identifier: MIT */
/*
 * Distributions as people write them: one amount ("8 ms": always this), a map
 * with the kind and its parameters ({dist: lognormal, mean: 3 ms, stdev:
 * 1 ms}), or a bare table of quantiles ({p50: .., p90: .., p99: .., p999:
 * ..}). A sequence of values in turn, by the number of what they are of, is
 * {dist: cycle, values: [10 ms, 10 ms, 160 ms]}. A parameter that the kind does
 * not use is a mistake.
 */
#ifndef TRACES_DISTRIBUTION_TEXT_H
#define TRACES_DISTRIBUTION_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/distribution.h"
#include "traces/units.h"

/* By kind; ends with NULL. */
extern const char *const distribution_kinds[];

struct distribution_parameter {
	const char *name;
	size_t offset;	/* within struct distribution */
	unsigned kinds; /* that use it, a bit each */
};

#define DISTRIBUTION_PARAMETERS 9
extern const struct distribution_parameter
	distribution_parameters[DISTRIBUTION_PARAMETERS];

bool distribution_uses(enum distribution_kind kind, size_t parameter);

/* The parameters of a kind: "mean, stdev". Returns text. */
const char *distribution_used(enum distribution_kind kind, char *text,
			      size_t size);

/* "lognormal mean=3000000 stdev=1000000", in base units; of a cycle, how many
 * values, their mean and a digest of them. Returns text. */
const char *distribution_print(const struct distribution *distribution,
			       char *text, size_t size);

#define DISTRIBUTION_WRITE_MAX 192 /* bytes, enough for any but a cycle */

/* The form that distribution_read() takes, for a file: "323 ms",
 * "{dist: normal, mean: 3 ms, stdev: 1 ms}", in whole base units of the kind.
 * Not for a cycle. Returns text. */
const char *distribution_write(const struct distribution *distribution,
			       enum units_kind kind, char *text, size_t size);

#endif
