/* SPDX-License-Identifier: MIT */
#include "traces/workload_scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/value.h"
#include "traces/workloads.h"

#define RULE_STEPS 500
#define RULE_MEMORIES 5
#define SAMPLES_MAX 0x1p62 /* far beyond what a scenario takes */

/* ---- the rule ---- */

static uint64_t batch_of(const struct workload *workload,
			 const struct workload_setting *setting)
{
	return setting->batch_size ? setting->batch_size : workload->batch_size;
}

static uint64_t divide_up(uint64_t value, uint64_t by)
{
	return value / by + (value % by > 0);
}

static uint64_t memory_samples(const struct workload *workload,
			       const struct workload_setting *setting)
{
	double bytes = (double)RULE_MEMORIES * setting->hosts *
		       (double)setting->host_memory_bytes;
	double samples = bytes / workload->stored_bytes;
	uint64_t whole;

	if (samples > SAMPLES_MAX)
		return (uint64_t)SAMPLES_MAX;
	whole = (uint64_t)samples;
	return whole + ((double)whole < samples);
}

void workload_size(const struct workload *workload,
		   const struct workload_setting *setting,
		   struct workload_size *size)
{
	uint64_t accelerators =
		(uint64_t)setting->accelerators * setting->hosts;
	uint64_t samples;

	*size = (struct workload_size){
		.file_samples = workload->files * workload->samples_per_file,
		.steps_samples =
			RULE_STEPS * batch_of(workload, setting) * accelerators,
		.memory_samples = memory_samples(workload, setting),
	};
	samples = size->file_samples;
	size->files = workload->files;
	if (setting->by_rule &&
	    (size->steps_samples > samples || setting->host_memory_bytes)) {
		size->binding = WORKLOAD_BOUND_STEPS;
		samples = size->steps_samples;
	}
	if (setting->by_rule && size->memory_samples > samples) {
		size->binding = WORKLOAD_BOUND_MEMORY;
		samples = size->memory_samples;
	}
	size->files = divide_up(samples, workload->samples_per_file);
	size->samples = size->files * workload->samples_per_file;
}

/* "3500 samples (513.1 GB)" */
static const char *say_samples(const struct workload *workload,
			       uint64_t samples, char *text, size_t size)
{
	double bytes = (double)samples * workload->stored_bytes;
	bool large = bytes >= 1e9;

	snprintf(text, size, "%llu samples (%.1f %s)",
		 (unsigned long long)samples, bytes / (large ? 1e9 : 1e6),
		 large ? "GB" : "MB");
	return text;
}

const char *workload_say_size(const struct workload *workload,
			      const struct workload_setting *setting,
			      const struct workload_size *size, char *text)
{
	static const char *const binding[] = {
		[WORKLOAD_BOUND_FILE] = "The file's own number",
		[WORKLOAD_BOUND_STEPS] = "The bound of 500 steps",
		[WORKLOAD_BOUND_MEMORY] = "The bound of memory",
	};
	char steps[80], memory[80], whole[80];
	size_t used;

	used = (size_t)snprintf(text, WORKLOAD_SAID_MAX,
				"500 steps an epoch want %s; five times the "
				"memory of %u host%s ",
				say_samples(workload, size->steps_samples,
					    steps, sizeof(steps)),
				setting->hosts, setting->hosts > 1 ? "s" : "");
	if (setting->host_memory_bytes)
		used += (size_t)snprintf(
			text + used, WORKLOAD_SAID_MAX - used,
			"with %.4g GiB%s %s",
			(double)setting->host_memory_bytes / 0x1p30,
			setting->hosts > 1 ? " each want" : " wants",
			say_samples(workload, size->memory_samples, memory,
				    sizeof(memory)));
	else
		used += (size_t)snprintf(text + used, WORKLOAD_SAID_MAX - used,
					 "is not known (--host-memory)");
	snprintf(text + used, WORKLOAD_SAID_MAX - used,
		 ". %s binds: %s in %llu file%s.", binding[size->binding],
		 say_samples(workload, size->samples, whole, sizeof(whole)),
		 (unsigned long long)size->files, size->files > 1 ? "s" : "");
	return text;
}

/* ---- the catalogue ---- */

static int refuse_name(const char *name, struct fault *fault)
{
	char quoted[64], near[WORKLOADS_NEAREST_MAX];

	value_quote(name, quoted, sizeof(quoted));
	if (workloads_nearest(name, near, sizeof(near))[0])
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
		    !is_below(override, "pipeline.batch_size"))
			continue;
		if (scenario_set(scenario, override, &fault))
			continue;
	}
	take_size(&decision->setting, scenario);
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
	return error;
}

static int find_workload(const struct workload_origin *origin,
			 struct workload_decision *decision,
			 struct fault *fault)
{
	const struct workloads_entry *entry = workloads_find(origin->name);

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
	return print_and_read(scenario, origin, &decision, fault);
}
