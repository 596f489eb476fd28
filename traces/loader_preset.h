/* SPDX-License-Identifier: MIT */
/*
 * A loader by its name in the catalogue (traces/loaders.h), under
 * pipeline.loader.like or, with nothing else to say, as pipeline.loader itself.
 * In a map it is read before the map's other keys, wherever it stands, so that
 * they are what differs from it.
 *
 * As an override (--loader, --set, a variant) it takes the place of the loader
 * that the scenario has: keys of pipeline.loader that the person gave and the
 * preset does not name stay, and keys given before that have no effect in a
 * loader of its kind are left out (struct scenario.left_out), where one file
 * that has both is refused.
 */
#ifndef TRACES_LOADER_PRESET_H
#define TRACES_LOADER_PRESET_H

#include <stdbool.h>

#include "traces/embedded.h"
#include "traces/scenario.h"
#include "traces/value.h"
#include "traces/yaml.h"

#define LOADER_DIFFERS_MAX 1024

/* What is known of a loader besides its keys. */
struct loader_facts {
	char description[SCENARIO_TEXT_MAX];
	char source[SCENARIO_TEXT_MAX];
	char as_of[SCENARIO_TEXT_MAX];
	/* What the preset leaves out of the real thing. */
	char differs[LOADER_DIFFERS_MAX];
};

/* Is the key one that loader_read() reads? */
bool loader_reads(const char *key, const struct yaml_value *value);

/* Reads such a key. 0 or negative errno. */
int loader_read(const struct reader *reader, struct scenario *scenario,
		const char *key, const struct yaml_value *value)
	__attribute__((warn_unused_result));

/* Reads a preset over the scenario; facts may be NULL. 0 or -EINVAL. */
int loader_preset_read(const struct embedded_file *entry,
		       struct scenario *scenario, struct loader_facts *facts,
		       struct fault *fault) __attribute__((warn_unused_result));

#endif
