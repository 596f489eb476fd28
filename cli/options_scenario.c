/* SPDX-License-Identifier: MIT */
/* The scenario that the arguments name: a file, or a workload. */
#include "cli/command.h"
#include "cli/options.h"

static void say_decision(const struct workload_decision *decision)
{
	const struct workload *workload = &decision->workload;
	const struct workload_setting *setting = &decision->setting;
	char said[WORKLOAD_SAID_MAX];

	say("%s: %s", setting->name,
	    workload_say_size(workload, setting, &decision->size, said));
	if (decision->device_assumed)
		say("%s: no workload says what it reads from; " WORKLOAD_DEVICE
		    " is assumed, --set storage.device=NAME asks about "
		    "another",
		    setting->name);
	if (setting->batch_size != workload->batch_size)
		say("%s: its step time is that of a batch of %llu; with "
		    "another batch, give accelerator.step_time too",
		    setting->name, (unsigned long long)workload->batch_size);
}

struct workload_origin options_workload(const struct options *options)
{
	return (struct workload_origin){
		.name = options->workload,
		.host_memory_bytes = options->host_memory_bytes,
		.overrides = options->overrides,
		.override_count = options->override_count,
	};
}

int options_scenario(const struct options *options, struct scenario *scenario,
		     struct fault *fault)
{
	struct workload_decision decision;
	struct workload_origin origin;
	int error;

	if (!options->workload) {
		error = scenario_load(scenario, options->scenario_path,
				      options->overrides,
				      options->override_count, fault);
		if (!error && !vary_cache_begin(&options->varies, scenario))
			say("no cache.policy is given; lru is assumed");
		return error ? error :
			       scenario_check(scenario, options->scenario_path,
					      fault);
	}
	origin = options_workload(options);
	error = workload_scenario(scenario, &origin, &decision, fault);
	if (!error && !options->quiet)
		say_decision(&decision);
	return error;
}
