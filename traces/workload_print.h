/* SPDX-License-Identifier: MIT */
/*
 * A workload as the text of a scenario, in which every figure stands with where
 * it comes from, and every assumption is called one.
 */
#ifndef TRACES_WORKLOAD_PRINT_H
#define TRACES_WORKLOAD_PRINT_H

#include <stdio.h>

#include "traces/workload.h"
#include "traces/workload_size.h"

/* Writes the scenario. `keys` says which of the workload's figures are DLIO's
 * defaults; NULL: none is worth a word. */
void workload_print(FILE *out, const struct workload *workload,
		    const struct workload_keys *keys,
		    const struct workload_setting *setting);

#endif
