/* SPDX-License-Identifier: MIT */
#include "traces/section.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "traces/device/member.h"
#include "traces/device/text.h"
#include "traces/distribution_read.h"
#include "traces/echo.h"
#include "traces/field.h"
#include "traces/loader_preset.h"
#include "traces/member.h"
#include "traces/price.h"

/* Not an error yet: the key has no row; another reader may know it. */
#define KEY_UNKNOWN 1

/* What else changes when a member is given. */
static void note_given(struct scenario *scenario, const struct field *field)
{
	const void *at = (const char *)scenario + field->offset;
	const struct stage *decompress = &scenario->stages[STAGE_DECOMPRESS];
	struct run_limit *limit = &scenario->limit;

	scenario->given[field - field_table] = true;
	if (device_has(field))
		device_note_given(scenario, field, 0);
	if (at == &decompress->time_ns || at == &decompress->rate_bytes_per_s)
		scenario->decompress_unset = false;
	if (at == scenario->law)
		scenario->law_file[0] = '\0';
	if (at == scenario->law_file)
		scenario->law[0] = '\0';
	if (at == &limit->steps)
		scenario->steps_given = true;
	if ((at == &limit->epochs || at == &limit->duration_ns) &&
	    !scenario->steps_given)
		limit->steps = 0;
}

static int read_field(const struct reader *reader, struct scenario *scenario,
		      const struct field *field, const char *key,
		      const struct yaml_value *value)
{
	int error = member_read(reader, field, key, value, scenario);

	if (!error)
		note_given(scenario, field);
	return error;
}

/* "pipeline.decode" and "rtae": says so, with the nearest key. */
static int refuse_key(const struct reader *reader, const char *section,
		      const char *name, const struct yaml_value *value)
{
	char key[FIELD_KEY_MAX], near[FIELD_KEY_MAX], quoted[FIELD_KEY_MAX];
	size_t skip = *section ? strlen(section) + 1 : 0;
	const char *found = NULL;

	if (snprintf(key, sizeof(key), "%s%s%s", section, *section ? "." : "",
		     name) < (int)sizeof(key))
		found = field_nearest(key, near, sizeof(near));
	/* The nearest key is said as the person would write it there. */
	if (found && strncmp(found, key, skip) == 0)
		found += skip;
	value_fault(reader, value, "unknown key %s%s%s%s%s%s",
		    value_quote(name, quoted, sizeof(quoted)),
		    *section ? " in " : "", section,
		    found ? "; did you mean \"" : "", found ? found : "",
		    found ? "\"?" : "");
	return -EINVAL;
}

static bool is_echo(const char *key)
{
	return strncmp(key, "echo", 4) == 0 &&
	       (!key[4] || key[4] == '.' || key[4] == '[');
}

/* A cost of a loader may be given as its time alone: "handover: 1 ms", or a
 * distribution; its row, or NULL. */
static const struct field *time_alone(const char *key,
				      const struct yaml_value *value)
{
	char full[FIELD_KEY_MAX];

	if (strncmp(key, "pipeline.loader.", 16) != 0 ||
	    (value->kind != YAML_SCALAR && !distribution_is_map(value)) ||
	    snprintf(full, sizeof(full), "%s.time", key) >= (int)sizeof(full))
		return NULL;
	return field_find(full);
}

static int read_key(const struct reader *reader, struct scenario *scenario,
		    const char *key, const struct yaml_value *value)
{
	const struct field *field = field_find(key);
	const struct field *alone = time_alone(key, value);
	bool section = field_is_section(key);

	if (alone)
		return read_field(reader, scenario, alone, key, value);
	/* Read when all else has been: variants_check(). */
	if (reader->source.numbered && !strcmp(key, "variants"))
		return 0;
	if (is_echo(key))
		return echo_read(reader, scenario, key, value);
	if (device_reads(key))
		return device_read(reader, scenario, key, value);
	if (loader_reads(key, value))
		return loader_read(reader, scenario, key, value);
	if (price_reads(key, value))
		return price_read(reader, scenario, value);
	if (field && !(section && value->kind == YAML_MAP))
		return read_field(reader, scenario, field, key, value);
	if (section)
		return section_read(reader, scenario, key, value);
	return KEY_UNKNOWN;
}

int section_read_member(const struct reader *reader, struct scenario *scenario,
			const char *section, const struct yaml_value *value)
{
	char key[FIELD_KEY_MAX], quoted[FIELD_KEY_MAX];
	int error = KEY_UNKNOWN;

	if (strpbrk(value->key, ".[")) {
		value_fault(reader, value,
			    "unknown key %s; expected a key of its own for "
			    "each level, as in {run: {steps: 100}}",
			    value_quote(value->key, quoted, sizeof(quoted)));
		return -EINVAL;
	}
	if (snprintf(key, sizeof(key), "%s%s%s", section, *section ? "." : "",
		     value->key) < (int)sizeof(key))
		error = read_key(reader, scenario, key, value);
	if (error == KEY_UNKNOWN)
		return refuse_key(reader, section, value->key, value);
	return error;
}

int section_read(const struct reader *reader, struct scenario *scenario,
		 const char *section, const struct yaml_value *map)
{
	const struct yaml_value *value;
	int error;

	if (map->kind != YAML_MAP && map->kind != YAML_EMPTY)
		return value_refuse(reader, *section ? section : "scenario",
				    map, "a map of keys and values");
	for (value = map->child; value; value = value->next) {
		error = section_read_member(reader, scenario, section, value);
		if (error)
			return error;
	}
	return 0;
}

/* "pipeline.decode.time.mean": one parameter of a distribution. */
static int set_parameter(const struct reader *reader, struct scenario *scenario,
			 char *key, const struct yaml_value *value)
{
	const struct field *field = NULL;
	char *dot = strrchr(key, '.');
	int error;

	if (dot) {
		*dot = '\0';
		field = field_find(key);
		*dot = '.';
	}
	if (!field ||
	    (field->kind != FIELD_TIME_DIST && field->kind != FIELD_BYTES_DIST))
		return KEY_UNKNOWN;
	*dot = '\0';
	error = distribution_read_parameter(
		reader, field, key, dot + 1, value,
		(struct distribution *)((char *)scenario + field->offset));
	*dot = '.';
	if (!error)
		note_given(scenario, field);
	return error;
}

int section_set(const struct reader *reader, struct scenario *scenario,
		char *key, const struct yaml_value *value)
{
	int error = read_key(reader, scenario, key, value);

	if (error == KEY_UNKNOWN)
		error = set_parameter(reader, scenario, key, value);
	if (error == KEY_UNKNOWN)
		error = refuse_key(reader, "", key, value);
	if (!error)
		error = device_scale_again(reader, scenario, key, value);
	return error;
}
