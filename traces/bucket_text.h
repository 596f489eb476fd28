/* SPDX-License-Identifier: MIT */
/*
 * The buckets of a device: a list of {of: ops|bytes, capacity: .., initial:
 * .., baseline: .., peak: ..}, in operations or bytes (and per second) as `of`
 * says. A list stands in the place of all buckets before it; [] is none.
 */
#ifndef TRACES_BUCKET_TEXT_H
#define TRACES_BUCKET_TEXT_H

#include <stdbool.h>

#include "traces/field.h"
#include "traces/scenario.h"
#include "traces/value.h"
#include "traces/yaml.h"

/* Is the key storage.device.buckets, or below it? */
bool bucket_reads(const char *key);

/* Reads the list, or with "storage.device.buckets.0.peak" one member of one
 * that is there. 0 or -EINVAL. */
int bucket_read(const struct reader *reader, struct scenario *scenario,
		const char *key, const struct yaml_value *value)
	__attribute__((warn_unused_result));

#endif
