/* SPDX-License-Identifier: MIT */
#include "traces/scenario.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "traces/echo.h"
#include "traces/field.h"
#include "traces/section.h"
#include "traces/text_file.h"
#include "traces/value.h"
#include "traces/yaml.h"

#define DURATION_NS_MAX INT64_C(3153600000000000000) /* 36,500 d */

void scenario_init(struct scenario *scenario)
{
	const struct reader reader = { .source.name = "default" };
	struct yaml_value value = { .kind = YAML_SCALAR };
	size_t i;

	memset(scenario, 0, sizeof(*scenario));
	for (i = 0; i < field_count; i++) {
		value.text = field_table[i].fallback;
		if (*value.text && !field_is_listed(&field_table[i]))
			CHECK(!value_read(&reader, &field_table[i],
					  field_table[i].key, &value,
					  scenario));
	}
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

static int read_text(struct scenario *scenario, const char *name,
		     const char *text, size_t size, struct fault *fault)
{
	const struct reader reader = { { name, true }, fault, 0 };
	struct yaml_tree *tree;
	int error = yaml_open(&tree, &reader.source, text, size, fault);

	if (error)
		return error;
	error = section_read(&reader, scenario, "", yaml_root(tree));
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

int scenario_read(struct scenario *scenario, const char *path,
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
	error = scenario_parse(scenario, path, text, size, overrides,
			       override_count, fault);
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
	uint64_t client = scenario->storage.client_bandwidth_bytes_per_s;
	uint64_t *link = &tiers->link.bandwidth_bytes_per_s;

	*tiers = (struct tiers_profile){
		.device = scenario->storage.profile,
		.cache = scenario->cache,
		.link = scenario->link,
	};
	if (client && (!*link || client < *link))
		*link = client;
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
