/* SPDX-License-Identifier: MIT */
/*
 * A prices file: the map of a scenario's `prices` section in a file of its own,
 * so that one price list serves many scenarios. `prices: FILE` in a scenario,
 * where FILE lies beside it, or --prices FILE.
 */
#ifndef TRACES_PRICE_H
#define TRACES_PRICE_H

#include <stdbool.h>

#include "traces/scenario.h"
#include "traces/value.h"
#include "traces/yaml.h"

/* Is it the name of such a file? */
bool price_reads(const char *key, const struct yaml_value *value);

/* Reads the file over the prices that are there. 0 or negative errno: it may
 * not be readable. */
int price_read(const struct reader *reader, struct scenario *scenario,
	       const struct yaml_value *value)
	__attribute__((warn_unused_result));

#endif
