/* SPDX-License-Identifier: MIT */
/*
 * A workload becomes a scenario: its YAML text, in which every figure stands
 * with where it comes from, and every assumption is called one.
 *
 * How large is the dataset? The rule of MLPerf Storage (3.1.2 of its rules)
 * wants at least 500 steps an epoch, 500 x batch x all accelerators samples,
 * and, so that no host can keep it in memory, at least five times the memory
 * of all hosts, 5 x hosts x memory / record samples. The larger of the two
 * binds; files are whole, so it is rounded up to a full file. (The benchmark's
 * own program rounds down, which for several samples a file is less than its
 * rule asks for.)
 */
#ifndef TRACES_WORKLOAD_SCENARIO_H
#define TRACES_WORKLOAD_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "traces/scenario.h"
#include "traces/workload.h"

#define WORKLOAD_SAID_MAX 400 /* bytes of what workload_say_size() says */
#define WORKLOAD_DEVICE "nvme-pcie4" /* where nobody says another */

/* What a workload file does not say. */
struct workload_setting {
	const char *name;      /* of the scenario; NULL: the model's */
	const char *device;    /* NULL: WORKLOAD_DEVICE, called an assumption */
	uint32_t accelerators; /* of each host */
	uint32_t hosts;	       /* */
	uint64_t batch_size;   /* 0: the workload's */
	uint64_t host_memory_bytes; /* of each host; 0: not known */
	/* Is the dataset sized by the rule? Else it is as large as the file
	 * says. By the rule, but without host memory, it is never smaller
	 * than that. */
	bool by_rule;
};

enum workload_bound {
	WORKLOAD_BOUND_FILE,
	WORKLOAD_BOUND_STEPS,
	WORKLOAD_BOUND_MEMORY,
};

/* Samples that each bound asks for, before whole files; the one that binds;
 * what comes of it. */
struct workload_size {
	uint64_t file_samples;
	uint64_t steps_samples;
	uint64_t memory_samples; /* 0: the memory is not known */
	enum workload_bound binding;
	uint64_t files;
	uint64_t samples;
};

void workload_size(const struct workload *workload,
		   const struct workload_setting *setting,
		   struct workload_size *size);

/* Both bounds and which one binds, in a sentence or three. Returns text. */
const char *workload_say_size(const struct workload *workload,
			      const struct workload_setting *setting,
			      const struct workload_size *size, char *text);

/* Writes the scenario. `keys` says which of the workload's figures are DLIO's
 * defaults; NULL: none is worth a word. */
void workload_print(FILE *out, const struct workload *workload,
		    const struct workload_keys *keys,
		    const struct workload_setting *setting);

/* What was decided about a workload of the catalogue. */
struct workload_decision {
	struct workload workload;
	struct workload_setting setting;
	struct workload_size size;
	bool device_assumed;
};

/* What a scenario is made of that is a workload of the catalogue: its name,
 * and overrides on top as in scenario_read(). */
struct workload_origin {
	const char *name;
	uint64_t host_memory_bytes; /* as in struct workload_setting */
	const char *const *overrides;
	uint32_t override_count;
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
