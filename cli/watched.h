/* SPDX-License-Identifier: MIT */
/*
 * Runs that are looked at: with --detail, --timeline or a format that shows
 * details, a run's timeline is recorded (analysis/trace/timeline.h); its
 * details become part of the result, and the timeline itself a file.
 */
#ifndef CLI_WATCHED_H
#define CLI_WATCHED_H

#include "cli/options.h"
#include "cli/output.h"
#include "cli/runner.h"

/* Which option of these would have no effect; NULL: none. */
const char *watched_idle_option(const struct options *options);

/* Runs one strategy, as runner_sim() or runner_live(). `output` is where
 * --timeline goes, when it is given. */
int watched_run(struct runner *runner, const struct options *options,
		const struct echo *echo, bool live, struct output *output,
		struct result *result, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
