/* SPDX-License-Identifier: MIT */
/* A scenario read: defaults, a file, overrides. */
#include "traces/scenario.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/echo.h"
#include "traces/field.h"
#include "traces/member.h"
#include "traces/section.h"
#include "traces/text_file.h"
#include "traces/value.h"
#include "traces/variant.h"
#include "traces/yaml.h"

void scenario_init(struct scenario *scenario)
{
	size_t i;

	memset(scenario, 0, sizeof(*scenario));
	for (i = 0; i < field_count; i++)
		if (!field_is_listed(&field_table[i]))
			member_reset(&field_table[i], scenario);
	scenario->decompress_unset = true;
	scenario->echo_count = 1;
	echo_init(&scenario->echoes[0]);
}

static int memory_fault(struct fault *fault, const char *name)
{
	fault_set(fault, name, 0, "not enough memory to read it");
	return -ENOMEM;
}

int scenario_set(struct scenario *scenario, const char *assignment,
		 struct fault *fault)
{
	const struct reader reader = { { "--set", false }, fault, 0 };
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
	error = section_set(&reader, scenario, key, yaml_root(tree));
	yaml_close(tree);
free_key:
	free(key);
	return error;
}

/* Its variants are those of the whole of it. */
static int check_variants(const struct reader *reader,
			  const struct scenario *scenario,
			  const struct yaml_value *root)
{
	const struct yaml_value *value;

	for (value = root->child; value; value = value->next)
		if (!strcmp(value->key, "variants"))
			return variants_check(reader, scenario, value);
	return 0;
}

static int read_text(struct scenario *scenario, const char *name,
		     const char *text, size_t size, struct fault *fault)
{
	const struct reader reader = { { name, true }, fault, 0 };
	struct yaml_tree *tree;
	int error = yaml_open(&tree, &reader.source, text, size, fault);

	if (error)
		return error;
	error = section_read(&reader, scenario, "", yaml_root(tree));
	if (!error)
		error = check_variants(&reader, scenario, yaml_root(tree));
	yaml_close(tree);
	return error;
}

int scenario_begin(struct scenario *scenario, const char *name,
		   const char *text, size_t size, const char *const *overrides,
		   uint32_t override_count, struct fault *fault)
{
	uint32_t i;
	int error;

	scenario_init(scenario);
	error = read_text(scenario, name, text, size, fault);
	for (i = 0; !error && i < override_count; i++)
		error = scenario_set(scenario, overrides[i], fault);
	return error;
}

int scenario_parse(struct scenario *scenario, const char *name,
		   const char *text, size_t size, const char *const *overrides,
		   uint32_t override_count, struct fault *fault)
{
	int error = scenario_begin(scenario, name, text, size, overrides,
				   override_count, fault);

	return error ? error : scenario_check(scenario, name, fault);
}

int scenario_load(struct scenario *scenario, const char *path,
		  const char *const *overrides, uint32_t override_count,
		  struct fault *fault)
{
	char *text;
	size_t size = 0;
	int error = text_file_read(path, &text, &size);

	if (error) {
		fault_set(fault, path, 0, "cannot be read: %s",
			  strerror(-error));
		return error;
	}
	error = scenario_begin(scenario, path, text, size, overrides,
			       override_count, fault);
	free(text);
	return error;
}

int scenario_read(struct scenario *scenario, const char *path,
		  const char *const *overrides, uint32_t override_count,
		  struct fault *fault)
{
	int error =
		scenario_load(scenario, path, overrides, override_count, fault);

	return error ? error : scenario_check(scenario, path, fault);
}
