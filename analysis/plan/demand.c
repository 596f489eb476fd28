/* SPDX-License-Identifier: MIT */
#include "analysis/plan/demand.h"

#include "analysis/result.h"

#define NS_PER_S 1e9

double demand_example_bytes(const struct layout *layout)
{
	double bytes = 0;
	uint64_t i;

	if (!layout->entries)
		return distribution_mean(&layout->example_bytes);
	for (i = 0; i < layout->blocks; i++)
		bytes += layout->entries[i].stored_bytes;
	return layout->examples ? bytes / (double)layout->examples : 0;
}

double demand_bytes_per_s(const struct pipeline *pipeline)
{
	const struct echo *echo = &pipeline->echo;
	double step_s =
		distribution_mean(&pipeline->accelerators.step_ns) / NS_PER_S;
	double uses = echo->place != ECHO_NONE && echo->policy == ECHO_FIXED ?
			      echo->factor :
			      1;

	return pipeline->batch_size * demand_example_bytes(&pipeline->layout) /
	       (step_s * uses);
}

struct metric_value demand_accelerators(const struct pipeline *pipeline,
					uint64_t bandwidth_bytes_per_s)
{
	if (!bandwidth_bytes_per_s)
		return value_unknown();
	return value_ratio((double)bandwidth_bytes_per_s,
			   demand_bytes_per_s(pipeline));
}

struct metric_value demand_metric(const struct result *result)
{
	return value_real(demand_bytes_per_s(&result->pipeline));
}

struct metric_value demand_all_metric(const struct result *result)
{
	const struct accelerators *accelerators =
		&result->pipeline.accelerators;

	return value_real(demand_bytes_per_s(&result->pipeline) *
			  accelerators->count * accelerators->hosts);
}
