/* SPDX-License-Identifier: MIT */
/*
 * Many simulations, one per core: jobs by number, in any order, each writing to
 * a place of its own, so that the outcome does not depend on the number of
 * workers. Shows progress and stops when interrupted.
 */
#ifndef CLI_POINTS_H
#define CLI_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/experiment.h"
#include "cli/progress.h"
#include "sim/fault.h"

struct points {
	uint32_t workers; /* 0: one a processor */
	uint32_t jobs;
	/* Does a job on some thread; `watch` is for its simulations. 0 or
	 * negative errno; then no more jobs are begun. */
	int (*run)(void *context, uint32_t job,
		   const struct simulation_watch *watch, struct fault *fault);
	void *context;
	struct progress *progress;
	const char *label; /* of the progress */
};

/* 0: all done, or interrupted (interrupt_stop); otherwise the error of the
 * first job, by number, that failed. */
int points_run(const struct points *points, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
