/* SPDX-License-Identifier: MIT */
/*
 * A workload as the text of a scenario, in which every figure stands with where
 * it comes from, and every assumption is called one.
 */
#ifndef TRACES_WORKLOAD_PRINT_H
#define TRACES_WORKLOAD_PRINT_H

#include <stdio.h>

#include "traces/workload/workload.h"
#include "traces/workload/size.h"

/* Steps of a run: at most an epoch by the rule, for years of training would
 * answer the same. */
uint64_t workload_steps(const struct workload *workload,
			const struct workload_setting *setting);

/* Writes the scenario. `keys` says which of the workload's figures are DLIO's
 * defaults; NULL: none is worth a word. */
void workload_print(FILE *out, const struct workload *workload,
		    const struct workload_keys *keys,
		    const struct workload_setting *setting);

#endif
