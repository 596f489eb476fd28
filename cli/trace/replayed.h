/* SPDX-License-Identifier: MIT */
/*
 * sim --replay: a recording takes the place of the device, and for a live one
 * of the threads that decompressed. Same decisions, same figures.
 */
#ifndef CLI_REPLAYED_H
#define CLI_REPLAYED_H

#include "cli/runner.h"

/* How the recorded run was made decides how the scenario is opened: looks into
 * the recording of options->replay_path. */
int replayed_look(struct options *options, struct fault *fault)
	__attribute__((warn_unused_result));

/* The same as runner_sim(), with the recording. */
int replayed_run(struct runner *runner, const struct echo *echo,
		 struct result *result, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
