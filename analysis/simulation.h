/* SPDX-License-Identifier: MIT */
/*
 * One simulation, in memory of its own: what a setting makes of the model.
 * This is the only way to run the model in virtual time; experiments, the
 * search for what limits a run, sweeps and plans all go through it. Any number
 * may be under way at once in different threads.
 */
#ifndef ANALYSIS_SIMULATION_H
#define ANALYSIS_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/stall/resource.h"
#include "analysis/trace/timeline.h"
#include "sim/figures.h"
#include "sim/watch.h"

/* How the caller takes part. `go_on` is told now and then which share of the
 * work is done, 0 to 1, and answers false to end it; NULL: it goes on. */
struct simulation_watch {
	bool (*go_on)(void *context, double done);
	void *context;
	size_t memory_max; /* more is refused */
	/* Is told what happens; not in runs that only explain. NULL: nobody. */
	const struct watcher *watcher;
	/* To be filled by the run, not by those that explain; NULL: none. */
	struct timeline *timeline;
	struct device *device; /* the first volume as the run left it, without
				  its slots */
};

/* Memory that a run of this setting takes; SIZE_MAX: more than can be. */
size_t simulation_memory_bytes(const struct setting *setting);

/* Runs a setting to its end, or until go_on ends it. -ENOMEM, with *figures
 * not complete, or 0. */
int simulation_run(const struct setting *setting,
		   const struct simulation_watch *watch,
		   struct figures *figures) __attribute__((warn_unused_result));

#endif
