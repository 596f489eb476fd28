/* SPDX-License-Identifier: MIT */
/*
 * An axis of a grid over scenarios: one key and the values that it takes, as
 * --vary has it. Either a range of a number,
 *
 *   storage.device.bandwidth=50 MB/s..2 GB/s:log:9
 *   pipeline.decode.workers=1..16
 *
 * of N points, evenly spaced (lin, the default) or with equal ratios (log),
 * both ends among them; or a list of any values that --set would take:
 *
 *   storage.device=aws-ebs-gp3,aws-s3-standard
 *   echo=none,batch:2,example-before-augment:2
 *
 * where `echo` takes strategies in the form of --echo. Values are rounded to
 * whole base units (bytes, nanoseconds, pieces) and each is there once. Without
 * N a range has 8 points; on a linear scale all whole numbers if they are at
 * most 16; on a logarithmic one the doublings if the ends are such.
 */
#ifndef TRACES_VARY_H
#define TRACES_VARY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fault.h"
#include "traces/field.h"
#include "traces/scenario.h"

#define VARY_VALUES_MAX 4096

struct vary_value {
	char *text;    /* as --set reads it: "50 MB/s"; a strategy: "batch:2" */
	double number; /* in SI base units, of an axis of numbers */
};

struct vary {
	char key[FIELD_KEY_MAX];
	bool is_number;	  /* every value is one, and in rising order */
	bool whole;	  /* of pieces: 1, 2, 3 */
	const char *unit; /* of `number`: "s", "B", "B/s", "" */
	uint32_t count;
	struct vary_value *values;
};

/* Reads "KEY=...". -EINVAL and a fault that says what was found and what was
 * expected, or -ENOMEM. What was read is released by vary_release(). */
int vary_parse(struct vary *vary, const char *text, struct fault *fault)
	__attribute__((warn_unused_result));
void vary_release(struct vary *vary);

/* A key and a text that an axis of it could have as a value. */
struct vary_change {
	const char *key;
	const char *text;
};

/* Sets the key, with the checks of --set; the whole is then to be checked by
 * scenario_check(). 0 or negative errno. */
int vary_apply(const struct vary_change *change, struct scenario *scenario,
	       struct fault *fault) __attribute__((warn_unused_result));

#endif
