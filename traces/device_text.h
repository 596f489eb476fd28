/* SPDX-License-Identifier: MIT */
/*
 * A storage device as people write it under storage.device: a name of the
 * catalogue, a profile file, `native`, or a map of fields. A map may begin
 * with another device (extends: NAME-or-file) and changes what it names; a
 * profile file holds the same map, without a scenario around it. What a device
 * extends is read first, then the fields of the map, then its `scale`: so a
 * field that is given outlives the rules of the device that is extended.
 */
#ifndef TRACES_DEVICE_TEXT_H
#define TRACES_DEVICE_TEXT_H

#include <stdbool.h>

#include "traces/field.h"
#include "traces/scenario.h"
#include "traces/value.h"
#include "traces/yaml.h"

/* Is the key one that device_read() reads: storage.device itself, what it
 * extends, its buckets, its scale? */
bool device_reads(const char *key);

/* Reads such a key. 0 or negative errno: a profile file may not be readable. */
int device_read(const struct reader *reader, struct scenario *scenario,
		const char *key, const struct yaml_value *value)
	__attribute__((warn_unused_result));

/* Reads a profile's text as the scenario's device, in the place of the one it
 * had; `name` stands for its file in faults. */
int device_parse(struct scenario *scenario, const char *name, const char *text,
		 size_t size, struct fault *fault)
	__attribute__((warn_unused_result));

/* Behind a key that was set alone: does the size, or what hangs on it, need
 * another look? */
int device_scale_again(const struct reader *reader, struct scenario *scenario,
		       const char *key, const struct yaml_value *value)
	__attribute__((warn_unused_result));

#endif
