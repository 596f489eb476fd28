/* SPDX-License-Identifier: MIT */
/*
 * One simulation, in memory of its own: what a setting makes of the model, or,
 * from further up, what a scenario and a strategy do. This is the only way to
 * run the model in virtual time; sim and compare, the search for what limits a
 * run, sweeps and plans all go through it. Any number may be under way at once
 * in different threads.
 */
#ifndef ANALYSIS_EXPERIMENT_H
#define ANALYSIS_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/law/law.h"
#include "analysis/stall/resource.h"
#include "analysis/result.h"
#include "analysis/trace/timeline.h"
#include "sim/fault.h"
#include "sim/watch.h"
#include "traces/scenario.h"
#include "traces/vary.h"
#include "traces/workload_scenario.h"

/* How the caller takes part. `go_on` is told now and then which share of the
 * work is done, 0 to 1, and answers false to end it; NULL: it goes on. */
struct experiment_watch {
	bool (*go_on)(void *context, double done);
	void *context;
	size_t memory_max; /* more is refused */
	/* Is told what happens; not in runs that only explain. NULL: nobody. */
	const struct watcher *watcher;
	/* To be filled by the run, not by those that explain; NULL: none. */
	struct timeline *timeline;
};

struct experiment {
	const struct scenario *scenario; /* resolved and checked */
	/* That the scenario was made of; NULL: a file. */
	const struct workload_origin *workload;
	const struct layout *layout; /* of a packed dataset; NULL: the
					scenario describes one */
	const struct law *law;	     /* of training; NULL: none */
	struct experiment_watch watch;
};

/* Memory that a run of this setting takes; SIZE_MAX: more than can be. */
size_t experiment_memory_bytes(const struct setting *setting);

/* Runs a setting to its end, or until go_on ends it. -ENOMEM, with *figures
 * not complete, or 0. */
int experiment_figures(const struct setting *setting,
		       const struct experiment_watch *watch,
		       struct figures *figures)
	__attribute__((warn_unused_result));

/* The experiment's scenario with changes made in their order, which is then to
 * be checked. One of a workload is sized for the accelerators, hosts and batch
 * that they come to, as if all had been said of the workload at once. 0 or
 * negative errno. */
int experiment_change(const struct experiment *experiment,
		      const struct vary_change *changes, size_t change_count,
		      struct scenario *scenario, struct fault *fault)
	__attribute__((warn_unused_result));

/* Begins a result: what is asked, and the pipeline that it makes. */
void experiment_begin(const struct experiment *experiment,
		      const struct echo *echo, struct result *result);

/* Runs a result's pipeline and puts what came of it to the law. Ended early is
 * no error: the figures then say that they are not complete. -ENOMEM; -EIO
 * when the modelled device's errors ended the run; or 0. */
int experiment_run(const struct experiment *experiment, struct result *result,
		   struct fault *fault) __attribute__((warn_unused_result));

/* What its two errors say, for live runs too: there is not so much memory; a
 * modelled read failed for good (-EIO, otherwise 0). */
void experiment_refuse_memory(size_t size, struct fault *fault);
int experiment_judge(const struct figures *figures,
		     const struct device_profile *device, struct fault *fault)
	__attribute__((warn_unused_result));

/* Finds out by further simulations why a result of experiment_run() is as it
 * is. Those that look for the bottleneck have at most so many examples; 0: any
 * number. -ENOMEM or 0. */
int experiment_explain(const struct experiment *experiment,
		       uint64_t examples_max, struct result *result,
		       struct fault *fault) __attribute__((warn_unused_result));

/* The same for one point of many, where it may take about as long as the run
 * itself: all of it is found in runs cut short, the stalls too, and is then
 * scaled to the whole run. */
int experiment_explain_briefly(const struct experiment *experiment,
			       struct result *result, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
