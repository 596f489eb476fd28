/* SPDX-License-Identifier: MIT */
/*
 * From a scenario to results: opens the dataset when there is one, makes each
 * strategy's pipeline, and runs it in virtual time or against the dataset.
 */
#ifndef CLI_RUNNER_H
#define CLI_RUNNER_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/experiment.h"
#include "analysis/law/law.h"
#include "analysis/report.h"
#include "cli/host.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "storage/dataset/dataset.h"
#include "storage/live/live.h"

struct runner {
	struct scenario scenario;	 /* resolved */
	struct workload_origin workload; /* name NULL: it is a file */
	struct dataset *dataset;	 /* NULL: the scenario describes it */
	struct layout layout;		 /* the dataset's */
	const struct law *law;		 /* of training; NULL: none */
	struct law *own_law;		 /* when it is a file */
	struct host host;
	const char *side;	 /* its name among those compared; NULL: none */
	const char *trace_path;	 /* to record to; NULL: not */
	const char *replay_path; /* of a recording; NULL: none */
	bool by_start;		 /* goals are put to the start of a burst */
	struct notes notes;
	struct progress progress;
	struct timeline *timeline;   /* of the next run; NULL: none is made */
	enum reader_backend backend; /* of live runs */
	struct live_report live;     /* of the last live run */
	bool live_ran;
};

/* Reads the scenario and opens its dataset. `sim`, `live`: the modes it will
 * be run in. */
int runner_open(struct runner *runner, const struct options *options, bool sim,
		bool live, struct fault *fault)
	__attribute__((warn_unused_result));
void runner_close(struct runner *runner);

/* The simulations of what was opened, for whoever makes many of them (cli/
 * points.h). */
struct experiment runner_experiment(const struct runner *runner);

/* Runs one strategy and fills the result, whose `sustained` is to be freed.
 * Interrupted is not an error: the
 * figures then say that they are not complete. After an error they hold what
 * was counted until then. */
int runner_sim(struct runner *runner, const struct echo *echo,
	       struct result *result, struct fault *fault)
	__attribute__((warn_unused_result));
int runner_live(struct runner *runner, const struct echo *echo,
		struct result *result, struct fault *fault)
	__attribute__((warn_unused_result));

/* Finds out by further simulations why a result of runner_sim() is as it is;
 * `share`: how many results share the time that this may take. */
int runner_explain(struct runner *runner, uint32_t share, struct result *result,
		   struct fault *fault) __attribute__((warn_unused_result));

/* The same for a live result, from `twin`, the simulation of its strategy, or
 * with NULL from one that is made for it. */
int runner_explain_live(struct runner *runner, const struct result *twin,
			struct result *result, struct fault *fault)
	__attribute__((warn_unused_result));

/* Adds what the last live run got to the host's facts, and the time. */
void runner_finish(struct runner *runner);

#endif
