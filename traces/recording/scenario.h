/* SPDX-License-Identifier: MIT */
/*
 * The scenario of a recording: the text of a scenario file
 * (traces/scenario_write.h) with the one strategy that ran. It is read as any
 * such file is, with the same checks, and compared field by field, so that a
 * replay can say what differs.
 */
#ifndef TRACES_RECORDING_SCENARIO_H
#define TRACES_RECORDING_SCENARIO_H

#include <stddef.h>

#include "traces/recording/recording.h"
#include "traces/scenario.h"

/* The resolved scenario with one strategy. Memory that the caller frees; NULL
 * without memory. */
char *recording_describe(const struct scenario *scenario,
			 const struct echo *echo, size_t *size)
	__attribute__((warn_unused_result));

/* Where every block of a packed dataset lies, in one number that is not 0. */
uint64_t recording_layout(const struct layout *layout);

/* Reads the scenario of a head, then the overrides, without scenario_check():
 * an imported trace has little more than a name. `name` stands for the file in
 * faults. -EINVAL also where a recording of version 1 has no such text. */
int recording_scenario(const struct recording_head *head, const char *name,
		       const char *const *overrides, uint32_t override_count,
		       struct scenario *scenario, struct fault *fault)
	__attribute__((warn_unused_result));

/* Does a run of `own` with `echo` take the same decisions as one of
 * `recorded`? Names, sources, prices and laws of training may differ. -EINVAL
 * and a fault that says which key differs and how. */
int recording_same(const struct scenario *recorded, const struct scenario *own,
		   const struct echo *echo, const char *name,
		   struct fault *fault) __attribute__((warn_unused_result));

#endif
