/* SPDX-License-Identifier: MIT */
#include "traces/scenario.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "traces/distribution_text.h"
#include "traces/echo.h"
#include "traces/field.h"
#include "traces/value.h"
#include "traces/yaml.h"

#define NATIVE "native"
#define DURATION_NS_MAX INT64_C(3153600000000000000) /* 36,500 d */

/* What setting a member that has been left out means for the others. */
static void reset_profile(struct scenario *scenario)
{
	memset(&scenario->storage.profile, 0,
	       sizeof(scenario->storage.profile));
	scenario->storage.profile.latency_ns = distribution_constant(0);
}

static bool is_in(const void *at, const void *start, size_t size)
{
	const char *byte = at;
	const char *first = start;

	return byte >= first && byte < first + size;
}

/* A device's name stands for its whole profile. */
static int find_device(const struct reader *reader, struct scenario *scenario,
		       const char *key, const struct yaml_value *value)
{
	char quoted[SCENARIO_TEXT_MAX];

	if (strcmp(scenario->storage.device, NATIVE) != 0) {
		value_fault(reader, value,
			    "%s: unknown device %s; expected native, or its "
			    "fields inline such as {bandwidth: 150 MB/s, "
			    "latency: 8 ms}",
			    key,
			    value_quote(value->text, quoted, sizeof(quoted)));
		return -EINVAL;
	}
	reset_profile(scenario);
	scenario->storage.native = true;
	return 0;
}

/* What else changes when a member is given. */
static int note_given(const struct reader *reader, struct scenario *scenario,
		      const struct field *field, const char *key,
		      const struct yaml_value *value)
{
	const void *at = (const char *)scenario + field->offset;
	const struct stage *decompress = &scenario->stages[STAGE_DECOMPRESS];
	struct run_limit *limit = &scenario->limit;

	if (at == scenario->storage.device)
		return find_device(reader, scenario, key, value);
	if (is_in(at, &scenario->storage.profile,
		  sizeof(scenario->storage.profile))) {
		scenario->storage.native = false;
		scenario->storage.device[0] = '\0';
	}
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
	return 0;
}

static int read_field(const struct reader *reader, struct scenario *scenario,
		      const struct field *field, const char *key,
		      const struct yaml_value *value)
{
	int error = value_read(reader, field, key, value, scenario);

	if (error)
		return error;
	return note_given(reader, scenario, field, key, value);
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

static int read_section(const struct reader *reader, struct scenario *scenario,
			const char *section, const struct yaml_value *map);

static int read_key(const struct reader *reader, struct scenario *scenario,
		    const char *key, const struct yaml_value *value)
{
	const struct field *field = field_find(key);
	bool section = field_is_section(key);

	if (field && !(section && value->kind == YAML_MAP))
		return read_field(reader, scenario, field, key, value);
	if (section)
		return read_section(reader, scenario, key, value);
	return -ENOENT;
}

static bool is_echo(const char *key)
{
	return strncmp(key, "echo", 4) == 0 &&
	       (!key[4] || key[4] == '.' || key[4] == '[');
}

static int read_member(const struct reader *reader, struct scenario *scenario,
		       const char *section, const struct yaml_value *value)
{
	char key[FIELD_KEY_MAX], quoted[FIELD_KEY_MAX];
	int error = -ENOENT;

	if (strpbrk(value->key, ".[")) {
		value_fault(reader, value,
			    "unknown key %s; expected a key of its own for "
			    "each level, as in {run: {steps: 100}}",
			    value_quote(value->key, quoted, sizeof(quoted)));
		return -EINVAL;
	}
	if (!*section && strcmp(value->key, "echo") == 0)
		return echo_read(reader, scenario, "echo", value);
	if (snprintf(key, sizeof(key), "%s%s%s", section, *section ? "." : "",
		     value->key) < (int)sizeof(key))
		error = read_key(reader, scenario, key, value);
	if (error == -ENOENT)
		return refuse_key(reader, section, value->key, value);
	return error;
}

static int read_section(const struct reader *reader, struct scenario *scenario,
			const char *section, const struct yaml_value *map)
{
	const struct yaml_value *value;
	int error;

	if (map->kind != YAML_MAP && map->kind != YAML_EMPTY)
		return value_refuse(reader, *section ? section : "scenario",
				    map, "a map of keys and values");
	for (value = map->child; value; value = value->next) {
		error = read_member(reader, scenario, section, value);
		if (error)
			return error;
	}
	return 0;
}

void scenario_init(struct scenario *scenario)
{
	const struct reader reader = { .source.name = "default" };
	struct yaml_value value = { .kind = YAML_SCALAR };
	size_t i;

	memset(scenario, 0, sizeof(*scenario));
	for (i = 0; i < field_count; i++) {
		value.text = field_table[i].fallback;
		if (*value.text && strncmp(field_table[i].key, "echo[", 5) != 0)
			CHECK(!value_read(&reader, &field_table[i],
					  field_table[i].key, &value,
					  scenario));
	}
	scenario->decompress_unset = true;
	scenario->echo_count = 1;
	echo_init(&scenario->echoes[0]);
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
		return -ENOENT;
	*dot = '\0';
	error = distribution_read_parameter(
		reader, field, key, dot + 1, value,
		(struct distribution *)((char *)scenario + field->offset));
	if (!error)
		error = note_given(reader, scenario, field, key, value);
	*dot = '.';
	return error;
}

static int set_key(const struct reader *reader, struct scenario *scenario,
		   char *key, const struct yaml_value *value)
{
	int error;

	if (is_echo(key))
		return echo_read(reader, scenario, key, value);
	error = read_key(reader, scenario, key, value);
	if (error == -ENOENT)
		error = set_parameter(reader, scenario, key, value);
	if (error == -ENOENT)
		error = refuse_key(reader, "", key, value);
	return error;
}

static int memory_fault(struct fault *fault, const char *name)
{
	fault_set(fault, name, 0, "not enough memory to read it");
	return -ENOMEM;
}

int scenario_set(struct scenario *scenario, const char *assignment,
		 struct fault *fault)
{
	const struct reader reader = { { "--set", false }, fault };
	const char *equals = strchr(assignment, '=');
	char quoted[SCENARIO_TEXT_MAX];
	struct yaml_tree *tree;
	char *key;
	int error;

	if (!equals || equals == assignment) {
		fault_set(fault, "--set", 0,
			  "found %s; expected KEY=VALUE such as "
			  "storage.queue_depth=64",
			  value_quote(assignment, quoted, sizeof(quoted)));
		return -EINVAL;
	}
	key = strndup(assignment, (size_t)(equals - assignment));
	if (!key)
		return memory_fault(fault, "--set");
	error = yaml_open(&tree, &reader.source, equals + 1, strlen(equals + 1),
			  fault);
	if (error)
		goto free_key;
	error = set_key(&reader, scenario, key, yaml_root(tree));
	yaml_close(tree);
free_key:
	free(key);
	return error;
}

static int read_text(struct scenario *scenario, const char *name,
		     const char *text, size_t size, struct fault *fault)
{
	const struct reader reader = { { name, true }, fault };
	struct yaml_tree *tree;
	int error = yaml_open(&tree, &reader.source, text, size, fault);

	if (error)
		return error;
	error = read_section(&reader, scenario, "", yaml_root(tree));
	yaml_close(tree);
	return error;
}

int scenario_parse(struct scenario *scenario, const char *name,
		   const char *text, size_t size, const char *const *overrides,
		   uint32_t override_count, struct fault *fault)
{
	uint32_t i;
	int error;

	scenario_init(scenario);
	error = read_text(scenario, name, text, size, fault);
	for (i = 0; !error && i < override_count; i++)
		error = scenario_set(scenario, overrides[i], fault);
	if (error)
		return error;
	return scenario_check(scenario, name, fault);
}

/* Reads at most one byte more than a scenario may have: enough to see that it
 * is too long. */
static int read_file(const char *path, char *text, size_t *size)
{
	FILE *file = fopen(path, "re");
	int error = 0;

	if (!file)
		return -errno;
	errno = 0;
	*size = fread(text, 1, YAML_TEXT_BYTES_MAX + 1, file);
	if (ferror(file))
		error = errno ? -errno : -EIO;
	fclose(file);
	return error;
}

int scenario_read(struct scenario *scenario, const char *path,
		  const char *const *overrides, uint32_t override_count,
		  struct fault *fault)
{
	char *text = malloc(YAML_TEXT_BYTES_MAX + 1);
	size_t size = 0;
	int error;

	if (!text)
		return memory_fault(fault, path);
	error = read_file(path, text, &size);
	if (error) {
		fault_set(fault, path, 0, "cannot be read: %s",
			  strerror(-error));
		goto free_text;
	}
	error = scenario_parse(scenario, path, text, size, overrides,
			       override_count, fault);
free_text:
	free(text);
	return error;
}

bool scenario_has_layout(const struct scenario *scenario)
{
	return scenario->dataset.examples > 0 &&
	       !distribution_is_zero(&scenario->dataset.example_bytes);
}

static void compute_layout(const struct scenario *scenario,
			   struct layout *layout)
{
	CHECK(scenario_has_layout(scenario));
	layout_compute(layout, scenario->dataset.examples,
		       &scenario->dataset.example_bytes,
		       scenario->dataset.compression_ratio,
		       scenario->dataset.block_bytes,
		       scenario->dataset.shard_examples, scenario->seed);
}

void scenario_tiers(const struct scenario *scenario,
		    struct tiers_profile *tiers)
{
	*tiers = (struct tiers_profile){
		.device = scenario->storage.profile,
		.cache = scenario->cache,
		.link = scenario->link,
	};
}

void scenario_pipeline(const struct scenario *scenario, const struct echo *echo,
		       const struct layout *layout, struct pipeline *pipeline)
{
	*pipeline = (struct pipeline){
		.seed = scenario->seed,
		.order = scenario->storage.order,
		.request_bytes = scenario->storage.request_bytes,
		.ordered = scenario->ordered,
		.read_ahead_examples = scenario->read_ahead_examples,
		.shuffle_examples = scenario->shuffle_examples,
		.batch_size = scenario->batch_size,
		.prefetch_batches = scenario->prefetch_batches,
		.accelerators = scenario->accelerators,
		.echo = *echo,
		.limit = scenario->limit,
	};
	memcpy(pipeline->stages, scenario->stages, sizeof(scenario->stages));
	pipeline->stages[STAGE_READ].workers = scenario->storage.queue_depth;
	if (layout)
		pipeline->layout = *layout;
	else
		compute_layout(scenario, &pipeline->layout);
	/* Without an end of its own a run ends before its clock does. */
	if (!pipeline->limit.duration_ns)
		pipeline->limit.duration_ns = DURATION_NS_MAX;
	if (!pipeline->read_ahead_examples)
		pipeline->read_ahead_examples =
			pipeline_read_ahead_default(pipeline);
}
