/* SPDX-License-Identifier: MIT */
/*
 * Devices whose figures grow with their size: a map from fields to rules,
 *   scale:
 *     bandwidth: {per_tib: 125 MB/s, max: 1 GB/s}
 *     buckets.0.baseline: {per_gib: 3, min: 100, max: 16000}
 *     iops: [{up_to: 170 GiB, value: 500}, {value: 1000}]
 * A rule is `value`, or so much `per_gib` or `per_tib` of size on top of it,
 * kept between min and max. Of a list the first rule whose up_to is not below
 * the size counts; where all have one, the device comes no larger. Rules are
 * kept with the scenario and worked out again when the size changes. A field
 * that is given after its rule has none any more.
 */
#ifndef TRACES_DEVICE_SCALE_H
#define TRACES_DEVICE_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/field.h"
#include "traces/scenario.h"
#include "traces/value.h"
#include "traces/yaml.h"

/* The keys of a rule, as `list fields` has them. */
struct scale_key {
	const char *key;  /* in full, KEY standing for any field */
	const char *kind; /* of its value */
	const char *help;
};

extern const struct scale_key scale_keys[];
extern const size_t scale_key_count;

/* Reads the map, each field's rules in the place of those it had. */
int scale_read(const struct reader *reader, struct scenario *scenario,
	       const char *key, const struct yaml_value *map)
	__attribute__((warn_unused_result));

/* Works out every field that has rules. `value` is to blame; size_given says
 * that it is a size, which needs rules. */
int scale_apply(const struct reader *reader, struct scenario *scenario,
		const struct yaml_value *value, bool size_given)
	__attribute__((warn_unused_result));

#endif
