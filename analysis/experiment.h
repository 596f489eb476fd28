/* SPDX-License-Identifier: MIT */
/*
 * An experiment: what a scenario and a strategy do, simulated, and why; sim and
 * compare, sweeps and plans are made of them.
 */
#ifndef ANALYSIS_EXPERIMENT_H
#define ANALYSIS_EXPERIMENT_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/law/law.h"
#include "analysis/result.h"
#include "analysis/simulation.h"
#include "sim/fault.h"
#include "traces/scenario.h"
#include "traces/vary.h"
#include "traces/workload/scenario.h"

struct experiment {
	const struct scenario *scenario; /* resolved and checked */
	/* That the scenario was made of; NULL: a file. */
	const struct workload_origin *workload;
	const struct layout *layout; /* of a packed dataset; NULL: the
					scenario describes one */
	const struct law *law;	     /* of training; NULL: none */
	struct simulation_watch watch;
	bool by_start; /* goals are put to the start, while credit lasts */
	bool drained;  /* without any credit of the device's buckets */
};

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

/* Finds out what of a result is sustained once the device's burst credit is
 * gone, by the same run without any: result->sustained. Of a live run it is
 * simulated. Nothing where there is no credit. -ENOMEM or 0. */
int experiment_sustain(const struct experiment *experiment,
		       struct result *result, struct fault *fault)
	__attribute__((warn_unused_result));

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
