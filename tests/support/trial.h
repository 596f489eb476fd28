/* SPDX-License-Identifier: MIT */
/*
 * Does what a scenario describes run? Each strategy is run for some events on
 * the model; a false CHECK() or a sanitizer says when it does not. Inline, for
 * the fuzzers link no test support.
 */
#ifndef TESTS_SUPPORT_TRIAL_H
#define TESTS_SUPPORT_TRIAL_H

#include <stdlib.h>

#include "sim/check.h"
#include "sim/virtual.h"
#include "traces/scenario.h"

/* Beyond these a run is right but too slow to try. */
#define TRIAL_MEMORY_MAX (1u << 25)
#define TRIAL_BLOCK_EXAMPLES_MAX 1000

static inline void trial_run(const struct pipeline *pipeline,
			     const struct scenario *scenario, uint64_t events)
{
	uint32_t hosts = pipeline->accelerators.hosts;
	size_t engine_bytes = engine_memory_bytes(pipeline);
	struct tiers_profile profile;
	struct tiers tiers;
	size_t tiers_bytes;
	char *memory;

	scenario_tiers(scenario, &profile);
	tiers_bytes = tiers_memory_bytes(&profile, &pipeline->layout, hosts);
	if (engine_bytes > TRIAL_MEMORY_MAX || tiers_bytes > TRIAL_MEMORY_MAX)
		return;
	engine_bytes = (engine_bytes + 63) / 64 * 64;
	tiers_bytes = (tiers_bytes + 63) / 64 * 64;
	memory = aligned_alloc(64, engine_bytes + tiers_bytes);
	CHECK(memory);
	tiers_init(&tiers, &profile, &pipeline->layout, hosts, pipeline->seed,
		   memory + engine_bytes);
	virtual_run(engine_init(memory, pipeline), &tiers, events);
	free(memory);
}

static inline void trial_scenario(const struct scenario *scenario,
				  uint64_t events)
{
	struct pipeline pipeline;
	uint32_t i;

	if (!scenario_has_layout(scenario))
		return;
	for (i = 0; i < scenario->echo_count; i++) {
		scenario_pipeline(scenario, &scenario->echoes[i], NULL,
				  &pipeline);
		if (pipeline.layout.examples_per_block <=
		    TRIAL_BLOCK_EXAMPLES_MAX)
			trial_run(&pipeline, scenario, events);
	}
}

#endif
