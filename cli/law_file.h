/* SPDX-License-Identifier: MIT */
/* The law of training that a scenario names: built in, or a file. */
#ifndef CLI_LAW_FILE_H
#define CLI_LAW_FILE_H

#include "analysis/law/law.h"
#include "traces/scenario.h"

/* *law is NULL when the scenario names none. What was read is in *own, which
 * the caller frees; the built-in ones stay. `path` is the scenario's. */
int law_file_open(const struct scenario *scenario, const char *path,
		  const struct law **law, struct law **own, struct fault *fault)
	__attribute__((warn_unused_result));

/* The law's file, when the scenario names one of its own; NULL: none. */
const char *law_file_path(const struct scenario *scenario);

#endif
