/* SPDX-License-Identifier: MIT */
#include "traces/workload_size.h"

#include <stdio.h>

#define RULE_STEPS 500
#define RULE_MEMORIES 5
#define SAMPLES_MAX 0x1p62 /* far beyond what a scenario takes */

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
