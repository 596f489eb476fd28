/* SPDX-License-Identifier: MIT */
/* The scenario that the arguments name: a file, or a workload. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/trace/recorded.h"

void options_vary(struct options *options, const char *argument)
{
	if (options->varied_count < VARIED_MAX)
		options->varied[options->varied_count++] = argument;
}

/* Is an argument "KEY=...", or one of a key below it? */
static bool names(const char *argument, const char *key)
{
	size_t length = strlen(key);

	return strncmp(argument, key, length) == 0 &&
	       (argument[length] == '=' || argument[length] == '.' ||
		!argument[length]);
}

bool options_varies(const struct options *options, const char *key)
{
	uint32_t i;

	for (i = 0; i < options->varied_count; i++)
		if (names(options->varied[i], key))
			return true;
	return false;
}

static bool is_set(const struct options *options, const char *key)
{
	uint32_t i;

	for (i = 0; i < options->override_count; i++)
		if (names(options->overrides[i], key))
			return true;
	return variant_gives(options->variant, key);
}

/* Do runs of the command differ in what the dataset is sized for? */
static bool is_sized_anew(const struct options *options)
{
	return options_varies(options, "accelerator.count") ||
	       options_varies(options, "accelerator.hosts") ||
	       options_varies(options, "pipeline.batch_size");
}

static void say_decision(const struct options *options,
			 const struct workload_decision *decision)
{
	const struct workload *workload = &decision->workload;
	const struct workload_setting *setting = &decision->setting;
	char said[WORKLOAD_SAID_MAX], name[2 * VARIANT_NAME_MAX];

	snprintf(name, sizeof(name), "%s%s%s", setting->name,
		 options->side ? ", " : "", options->side ? options->side : "");
	say("%s: %s%s", name,
	    workload_say_size(workload, setting, &decision->size, said),
	    is_sized_anew(options) ?
		    " This is the scenario as it is; each run is sized anew." :
		    "");
	if (decision->device_assumed &&
	    !options_varies(options, "storage.device"))
		say("%s: no workload says what it reads from; " WORKLOAD_DEVICE
		    " is assumed, --set storage.device=NAME asks about "
		    "another",
		    name);
	if (decision->dropped_steps)
		say("%s: its run of %llu steps is dropped, for run.epochs or "
		    "run.duration say how long a run is",
		    name, (unsigned long long)decision->dropped_steps);
	if (setting->batch_size != workload->batch_size &&
	    !is_set(options, "accelerator.step_time") &&
	    !options_varies(options, "accelerator.step_time"))
		say("%s: its step time is that of a batch of %llu; with "
		    "another batch, give accelerator.step_time too",
		    name, (unsigned long long)workload->batch_size);
}

struct workload_origin options_workload(const struct options *options)
{
	return (struct workload_origin){
		.name = options->workload,
		.host_memory_bytes = options->host_memory_bytes,
		.overrides = options->overrides,
		.override_count = options->override_count,
		.variant = options->variant,
		.own_end = options_varies(options, "run.epochs") ||
			   options_varies(options, "run.duration"),
	};
}

/* That of a file, or of the recording that is replayed; yet to be checked. */
static int load(const struct options *options, struct scenario *scenario,
		struct fault *fault)
{
	const char *const *overrides = options->overrides;
	uint32_t count = options->override_count;
	int error;

	if (options->scenario_recorded)
		return recorded_scenario(options->replay_path, overrides, count,
					 scenario, fault);
	if (options->scenario_text)
		error = scenario_begin(scenario, options->scenario_path,
				       options->scenario_text,
				       options->scenario_text_bytes, overrides,
				       count, fault);
	else
		error = scenario_load(scenario, options->scenario_path,
				      overrides, count, fault);
	if (!error && options->variant)
		error = variant_apply(options->variant, scenario, fault);
	return error;
}

int options_scenario(const struct options *options, struct scenario *scenario,
		     struct fault *fault)
{
	struct workload_decision decision;
	struct workload_origin origin;
	int error;

	if (!options->workload) {
		error = load(options, scenario, fault);
		if (!error && !vary_cache_begin(&options->varies, scenario))
			say("no cache.policy is given; lru is assumed");
		return error ? error :
			       scenario_check(scenario, options->scenario_path,
					      fault);
	}
	origin = options_workload(options);
	error = workload_scenario(scenario, &origin, &decision, fault);
	if (!error && !options->quiet)
		say_decision(options, &decision);
	return error;
}
