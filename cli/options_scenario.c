/* SPDX-License-Identifier: MIT */
/* The scenario that the arguments name: a file, or a workload. */
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "traces/workload_scenario.h"

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

void options_say_varied(const struct options *options, const char *key)
{
	if (!options->workload || options->quiet)
		return;
	if (strcmp(key, "accelerator.count") &&
	    strcmp(key, "accelerator.hosts"))
		return;
	say("%s: dataset and storage.queue_depth are those of the "
	    "accelerators that are there now and stay so while %s varies; "
	    "--set storage.queue_depth=N allows for more",
	    options->workload, key);
}

int options_scenario(const struct options *options, struct scenario *scenario,
		     struct fault *fault)
{
	struct workload_decision decision;
	int error;

	if (!options->workload)
		return scenario_read(scenario, options->scenario_path,
				     options->overrides,
				     options->override_count, fault);
	error = workload_scenario(scenario, options->workload,
				  options->host_memory_bytes,
				  options->overrides, options->override_count,
				  &decision, fault);
	if (!error && !options->quiet)
		say_decision(&decision);
	return error;
}
