/* SPDX-License-Identifier: MIT */
#include "traces/workload/scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/nearest.h"
#include "traces/value.h"
#include "traces/workload/print.h"
#include "traces/workloads.h"

static int refuse_name(const char *name, struct fault *fault)
{
	char quoted[64], near[NEAREST_OFFERS_MAX];

	value_quote(name, quoted, sizeof(quoted));
	if (nearest_offers(name, &workloads, near, sizeof(near))[0])
		fault_set(fault, "--workload", 0,
			  "unknown workload %s; did you mean %s?", quoted,
			  near);
	else
		fault_set(fault, "--workload", 0,
			  "unknown workload %s; expected a name of `echosim "
			  "list workloads`; a file of your own goes through "
			  "`echosim import-workload`",
			  quoted);
	return -EINVAL;
}

static bool is_below(const char *assignment, const char *key)
{
	size_t length = strlen(key);

	return strncmp(assignment, key, length) == 0 &&
	       strchr("=.", assignment[length]) && assignment[length];
}

/* A job's size as a scenario has it. */
static void take_size(struct workload_setting *setting,
		      const struct scenario *scenario)
{
	setting->accelerators = scenario->accelerators.count;
	setting->hosts = scenario->accelerators.hosts;
	setting->batch_size = scenario->batch_size;
}

/* Does the person say how long a run is, and not in steps? */
static bool ends_itself(const struct scenario *scenario,
			const struct workload_origin *origin)
{
	const struct run_limit *limit = &scenario->limit;

	return !scenario->steps_given &&
	       (origin->own_end || limit->epochs || limit->duration_ns);
}

/* Its mistakes, too, are said when it is read for good. */
static void take_variant(struct scenario *scenario,
			 const struct variant *variant)
{
	struct fault fault = { 0 };

	if (variant && variant_apply(variant, scenario, &fault))
		return;
}

/* What the overrides say about the size of the job. Their mistakes are said
 * when they are read for good. */
static void read_setting(struct scenario *scenario,
			 const struct workload_origin *origin,
			 struct workload_decision *decision)
{
	uint32_t i;

	scenario_init(scenario);
	scenario->batch_size = (uint32_t)decision->workload.batch_size;
	decision->device_assumed = true;
	for (i = 0; i < origin->override_count; i++) {
		const char *override = origin->overrides[i];
		bool device = is_below(override, "storage.device") ||
			      strncmp(override, "storage=", 8) == 0;
		struct fault fault = { 0 };

		decision->device_assumed &= !device;
		if (!is_below(override, "accelerator") &&
		    !is_below(override, "pipeline.batch_size") &&
		    !is_below(override, "run"))
			continue;
		if (scenario_set(scenario, override, &fault))
			continue;
	}
	take_variant(scenario, origin->variant);
	decision->device_assumed &=
		!variant_gives(origin->variant, "storage.device");
	take_size(&decision->setting, scenario);
	decision->setting.own_end = ends_itself(scenario, origin);
}

static int print_and_read(struct scenario *scenario,
			  const struct workload_origin *origin,
			  const struct workload_decision *decision,
			  struct fault *fault)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int error = -ENOMEM;

	if (out) {
		workload_print(out, &decision->workload, NULL,
			       &decision->setting);
		error = fclose(out) ? -ENOMEM : 0;
	}
	if (!error)
		error = scenario_begin(scenario, decision->setting.name, text,
				       size, origin->overrides,
				       origin->override_count, fault);
	free(text);
	if (!error && origin->variant)
		error = variant_apply(origin->variant, scenario, fault);
	return error;
}

static int find_workload(const struct workload_origin *origin,
			 struct workload_decision *decision,
			 struct fault *fault)
{
	const struct embedded_file *entry =
		embedded_find(&workloads, origin->name);

	if (!entry)
		return refuse_name(origin->name, fault);
	*decision = (struct workload_decision){
		.setting = {
			.name = entry->name,
			.host_memory_bytes = origin->host_memory_bytes,
			.by_rule = true,
		},
	};
	return workload_parse(&decision->workload, NULL, entry->name,
			      entry->text, entry->size, fault);
}

int workload_scenario(struct scenario *scenario,
		      const struct workload_origin *origin,
		      struct workload_decision *decision, struct fault *fault)
{
	int error = find_workload(origin, decision, fault);

	if (error)
		return error;
	read_setting(scenario, origin, decision);
	workload_size(&decision->workload, &decision->setting, &decision->size);
	if (decision->setting.own_end)
		decision->dropped_steps =
			workload_steps(&decision->workload, &decision->setting);
	error = print_and_read(scenario, origin, decision, fault);
	if (error)
		return error;
	return scenario_check(scenario, decision->setting.name, fault);
}

int workload_resize(struct scenario *scenario,
		    const struct workload_origin *origin, struct fault *fault)
{
	struct workload_decision decision;
	int error = find_workload(origin, &decision, fault);

	if (error)
		return error;
	take_size(&decision.setting, scenario);
	decision.setting.own_end = ends_itself(scenario, origin);
	return print_and_read(scenario, origin, &decision, fault);
}
