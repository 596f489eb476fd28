/* SPDX-License-Identifier: MIT */
/*
 * The walk over the keys that a person wrote. A key is looked up in the field
 * table by its full, dotted name; a map under a key is a section of the names
 * that begin with it. What is no single member (echo strategies, a device by
 * name, its buckets) is handed to the file that knows it.
 */
#ifndef TRACES_SECTION_H
#define TRACES_SECTION_H

#include "traces/scenario.h"
#include "traces/value.h"
#include "traces/yaml.h"

/* Reads all keys of a map below `section`, "" for the whole scenario. */
int section_read(const struct reader *reader, struct scenario *scenario,
		 const char *section, const struct yaml_value *map)
	__attribute__((warn_unused_result));

/* Reads one key of a section's map. */
int section_read_member(const struct reader *reader, struct scenario *scenario,
			const char *section, const struct yaml_value *value)
	__attribute__((warn_unused_result));

/* Reads the value of a full key, which may also name an element of a list
 * (echo.0.factor) or a parameter of a distribution (pipeline.decode.time.mean).
 * The key is changed meanwhile. */
int section_set(const struct reader *reader, struct scenario *scenario,
		char *key, const struct yaml_value *value)
	__attribute__((warn_unused_result));

#endif
