/* SPDX-License-Identifier: MIT */
#include "sim/pipeline.h"

#include "sim/bounds.h"

uint32_t pipeline_host_loaders(const struct pipeline *pipeline)
{
	return pipeline->loading.kind == LOADER_WORKERS ?
		       pipeline->accelerators.count :
		       1;
}

uint32_t pipeline_lanes(const struct pipeline *pipeline)
{
	return pipeline->accelerators.count / pipeline_host_loaders(pipeline);
}

uint64_t pipeline_read_ahead_min(const struct pipeline *pipeline)
{
	struct bounds bounds;

	bounds_find(&bounds, pipeline);
	return bounds.read_ahead_min;
}

uint64_t pipeline_read_ahead_default(const struct pipeline *pipeline)
{
	struct bounds bounds;

	bounds_find(&bounds, pipeline);
	return bounds.read_ahead_default;
}

uint32_t pipeline_stage_room(const struct pipeline *pipeline,
			     enum stage_name stage)
{
	struct bounds bounds;

	bounds_find(&bounds, pipeline);
	return bounds.stage_slots[stage];
}
