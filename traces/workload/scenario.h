/* SPDX-License-Identifier: MIT */
/*
 * A workload of the catalogue becomes a scenario: its text
 * (traces/workload/print.h), read, with what a person wants otherwise.
 */
#ifndef TRACES_WORKLOAD_SCENARIO_H
#define TRACES_WORKLOAD_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/scenario.h"
#include "traces/variant.h"
#include "traces/workload/workload.h"
#include "traces/workload/size.h"

/* What was decided about a workload of the catalogue. */
struct workload_decision {
	struct workload workload;
	struct workload_setting setting;
	struct workload_size size;
	bool device_assumed;
	uint64_t dropped_steps; /* where the person says how long a run is; 0:
				   none */
};

/* What a scenario is made of that is a workload of the catalogue: its name,
 * and overrides on top as in scenario_read(). */
struct workload_origin {
	const char *name;
	uint64_t host_memory_bytes; /* as in struct workload_setting */
	const char *const *overrides;
	uint32_t override_count;
	const struct variant *variant; /* on top of them; NULL: none */
	bool own_end; /* run.epochs or run.duration are given later */
};

/* Makes it. Dataset, requests in flight, workers and prefetch are sized for as
 * many accelerators, hosts and examples a batch as the overrides say; what
 * they say of those sizes themselves stands. */
int workload_scenario(struct scenario *scenario,
		      const struct workload_origin *origin,
		      struct workload_decision *decision, struct fault *fault)
	__attribute__((warn_unused_result));

/* Makes it anew, sized for the accelerators, hosts and batch of *scenario, one
 * of the same origin in which they were changed. Only the sizes are kept of
 * the changes; what else was changed is to be changed again, and the whole to
 * be checked. */
int workload_resize(struct scenario *scenario,
		    const struct workload_origin *origin, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
