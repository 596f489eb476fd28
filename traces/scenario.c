/* SPDX-License-Identifier: MIT */
/* What a scenario makes of the model. */
#include "traces/scenario.h"

#include <string.h>

#include "sim/check.h"

#define DURATION_NS_MAX INT64_C(3153600000000000000) /* 36,500 d */

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

enum device_scope scenario_scope(const struct scenario *scenario)
{
	switch (scenario->storage.scope) {
	case SCOPE_GIVEN_SHARED:
		return SCOPE_SHARED;
	case SCOPE_GIVEN_PER_HOST:
		return SCOPE_PER_HOST;
	default:
		return scenario->storage.device_scope;
	}
}

uint64_t scenario_volumes(const struct scenario *scenario)
{
	struct tiers_profile tiers;

	scenario_tiers(scenario, &tiers);
	return tiers_volumes(&tiers, scenario->accelerators.hosts);
}

void scenario_tiers(const struct scenario *scenario,
		    struct tiers_profile *tiers)
{
	uint64_t client = scenario->storage.client_bandwidth_bytes_per_s;
	uint64_t *link = &tiers->link.bandwidth_bytes_per_s;

	*tiers = (struct tiers_profile){
		.device = scenario->storage.profile,
		.scope = scenario_scope(scenario),
		.volumes = scenario->storage.volumes,
		.stripe_bytes = scenario->storage.stripe_bytes,
		.cache = scenario->cache,
		.link = scenario->link,
	};
	if (client && (!*link || client < *link))
		*link = client;
}

uint32_t scenario_depth(const struct scenario *scenario)
{
	const struct loading *loading = &scenario->loading;
	uint64_t depth;

	if (loading->kind == LOADER_STAGES)
		return scenario->storage.queue_depth;
	depth = (uint64_t)(loading->workers ? loading->workers : 1) *
		loading->reads * scenario->accelerators.count;
	return depth < UINT32_MAX ? (uint32_t)depth : UINT32_MAX;
}

/* Any of a host's workers may be at any stage. */
static void use_workers(const struct scenario *scenario,
			struct pipeline *pipeline)
{
	const struct loading *loading = &scenario->loading;
	uint32_t workers = loading->workers ? loading->workers : 1;
	int i;

	for (i = STAGE_DECOMPRESS; i < STAGE_COUNT; i++)
		pipeline->stages[i].workers =
			workers * scenario->accelerators.count;
	pipeline->ordered = loading->in_order;
}

void scenario_pipeline(const struct scenario *scenario, const struct echo *echo,
		       const struct layout *layout, struct pipeline *pipeline)
{
	*pipeline = (struct pipeline){
		.seed = scenario->seed,
		.order = scenario->storage.order,
		.request_bytes = scenario->storage.request_bytes,
		.dependent_requests = scenario->storage.dependent_requests,
		.loading = scenario->loading,
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
	pipeline->stages[STAGE_READ].workers = scenario_depth(scenario);
	if (scenario->loading.kind == LOADER_WORKERS)
		use_workers(scenario, pipeline);
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
