/* SPDX-License-Identifier: MIT */
/*
 * How large is the dataset? The rule of MLPerf Storage (3.1.2 of its rules)
 * wants at least 500 steps an epoch, 500 x batch x all accelerators samples,
 * and, so that no host can keep it in memory, at least five times the memory
 * of all hosts, 5 x hosts x memory / record samples. The larger of the two
 * binds; files are whole, so it is rounded up to a full file. (The benchmark's
 * own program rounds down, which for several samples a file is less than its
 * rule asks for.)
 */
#ifndef TRACES_WORKLOAD_SIZE_H
#define TRACES_WORKLOAD_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/workload/workload.h"

#define WORKLOAD_SAID_MAX 400 /* bytes of what workload_say_size() says */
#define WORKLOAD_DEVICE "nvme-pcie4" /* where nobody says another */

/* What a workload file does not say. */
struct workload_setting {
	const char *name;      /* of the scenario; NULL: the model's */
	const char *device;    /* NULL: WORKLOAD_DEVICE, called an assumption */
	uint32_t accelerators; /* of each host */
	uint32_t hosts;
	uint64_t batch_size;	    /* 0: the workload's */
	uint64_t host_memory_bytes; /* of each host; 0: not known */
	/* Is the dataset sized by the rule? Else it is as large as the file
	 * says. By the rule, but without host memory, it is never smaller
	 * than that. */
	bool by_rule;
	bool own_end; /* run.epochs or run.duration say how long a run is, in
			 the place of steps */
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

#endif
