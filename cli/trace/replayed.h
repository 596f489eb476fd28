/* SPDX-License-Identifier: MIT */
/*
 * sim --replay: a recording takes the place of the device, and for a live one
 * of the threads that decompressed. Same decisions, same figures.
 */
#ifndef CLI_REPLAYED_H
#define CLI_REPLAYED_H

#include "analysis/experiment.h"
#include "analysis/report.h"
#include "cli/options.h"
#include "cli/progress.h"

/* What is replayed, for whom. */
struct replay_request {
	const struct experiment *experiment;
	const char *path;	   /* of the recording */
	struct progress *progress; /* shows how far it is */
	struct notes *notes;	   /* of what a reader must know */
};

/* How the recorded run was made decides how the scenario is opened: looks into
 * the recording of options->replay_path. */
int replayed_look(struct options *options, struct fault *fault)
	__attribute__((warn_unused_result));

/* Runs one strategy and fills the result, as runner_sim() does. */
int replayed_run(const struct replay_request *request, const struct echo *echo,
		 struct result *result, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
