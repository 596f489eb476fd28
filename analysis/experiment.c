/* SPDX-License-Identifier: MIT */
#include "analysis/experiment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stall/attribution.h"
#include "analysis/plan/cost.h"
#include "analysis/law/rank.h"
#include "traces/vary_cache.h"

/* Briefly: of a run's examples, at least so many, in at least so many steps.
 * Some dozen such runs are made. */
#define BRIEF_SHARE 48
#define BRIEF_EXAMPLES_MIN 8192
#define BRIEF_STEPS_MIN 8

static bool have_one_size(const struct scenario *one,
			  const struct scenario *other)
{
	return one->accelerators.count == other->accelerators.count &&
	       one->accelerators.hosts == other->accelerators.hosts &&
	       one->batch_size == other->batch_size;
}

int experiment_change(const struct experiment *experiment,
		      const struct vary_change *changes, size_t change_count,
		      struct scenario *scenario, struct fault *fault)
{
	const struct scenario *before = experiment->scenario;
	int error;

	*scenario = *before;
	error = vary_cache_apply(changes, change_count, scenario, fault);
	if (error || !experiment->workload || have_one_size(scenario, before))
		return error;
	error = workload_resize(scenario, experiment->workload, fault);
	if (error)
		return error;
	scenario->echo_count = before->echo_count;
	memcpy(scenario->echoes, before->echoes, sizeof(before->echoes));
	return vary_cache_apply(changes, change_count, scenario, fault);
}

void experiment_begin(const struct experiment *experiment,
		      const struct echo *echo, struct result *result)
{
	*result = (struct result){
		.echo = *echo,
		.has_cache = experiment->scenario->cache.policy != CACHE_NONE,
		.by_start = experiment->by_start ||
			    burst_knows_job(experiment->scenario),
	};
	scenario_pipeline(experiment->scenario, echo, experiment->layout,
			  &result->pipeline);
	cost_find(&result->cost, experiment->scenario);
}

static struct setting setting_of(const struct experiment *experiment,
				 const struct result *result)
{
	struct setting setting = { .pipeline = result->pipeline };

	scenario_tiers(experiment->scenario, &setting.tiers);
	if (experiment->drained)
		burst_drain(&setting.tiers.device);
	return setting;
}

void experiment_refuse_memory(size_t size, struct fault *fault)
{
	fault_set(fault, NULL, 0,
		  "the run would need %.0f MiB of memory for its buffers; "
		  "pipeline.shuffle_examples, pipeline.read_ahead_examples and "
		  "batch sizes make them",
		  (double)size / 0x1p20);
}

int experiment_judge(const struct figures *figures,
		     const struct device_profile *device, struct fault *fault)
{
	if (!figures->storage.failed)
		return 0;
	fault_set(fault, NULL, 0,
		  "a read failed for good after %.3f s: the device's errors "
		  "(storage.device.error) outlasted its %u retries",
		  (double)figures->run_ns / 1e9, device->error.retries);
	return -EIO;
}

int experiment_run(const struct experiment *experiment, struct result *result,
		   struct fault *fault)
{
	struct setting setting = setting_of(experiment, result);
	struct simulation_watch watch = experiment->watch;
	struct device device;
	int error;

	watch.device = &device;
	error = simulation_run(&setting, &watch, &result->figures);
	if (error) {
		experiment_refuse_memory(simulation_memory_bytes(&setting),
					 fault);
		return error;
	}
	burst_find(&device,
		   tiers_volumes(&setting.tiers,
				 setting.pipeline.accelerators.hosts),
		   result);
	rank_judge(experiment->law, result);
	return experiment_judge(&result->figures, &setting.tiers.device, fault);
}

int experiment_sustain(const struct experiment *experiment,
		       struct result *result, struct fault *fault)
{
	struct experiment drained = *experiment;
	const struct setting setting = setting_of(experiment, result);
	struct result *sustained;
	int error;

	if (!burst_is_ahead(&setting.tiers.device) || !result->figures.complete)
		return 0;
	sustained = calloc(1, sizeof(*sustained));
	if (!sustained)
		return -ENOMEM;
	drained.drained = true;
	drained.watch.watcher = NULL;
	drained.watch.timeline = NULL;
	*sustained = (struct result){ .echo = result->echo,
				      .pipeline = result->pipeline,
				      .has_cache = result->has_cache,
				      .cost = result->cost };
	sustained->pipeline.external_decompress = false;
	error = experiment_run(&drained, sustained, fault);
	if (!error && sustained->figures.complete) {
		result->sustained = sustained;
		return 0;
	}
	free(sustained);
	return error;
}

/* `limit`: of the run that the figures are of. */
static int explain(const struct experiment *experiment, const struct echo *echo,
		   const struct run_limit *limit, const struct figures *figures,
		   uint64_t examples_max, bool first_only,
		   struct attribution *attribution, struct fault *fault)
{
	struct scenario *alone = malloc(sizeof(*alone));
	const struct attribution_subject subject = {
		.scenario = alone,
		.layout = experiment->layout,
		.limit = *limit,
		.drained = experiment->drained,
	};
	const struct attribution_watch watch = {
		.go_on = experiment->watch.go_on,
		.context = experiment->watch.context,
		.examples_max = examples_max,
		.first_only = first_only,
	};
	int error = -ENOMEM;

	if (alone) {
		*alone = *experiment->scenario;
		alone->echo_count = 1;
		alone->echoes[0] = *echo;
		error = attribution_find(attribution, &subject, figures,
					 &watch);
	}
	free(alone);
	if (error)
		fault_set(fault, NULL, 0,
			  "there is not enough memory to find out what limits "
			  "the run");
	return error;
}

int experiment_explain(const struct experiment *experiment,
		       uint64_t examples_max, struct result *result,
		       struct fault *fault)
{
	return explain(experiment, &result->echo, &result->pipeline.limit,
		       &result->figures, examples_max, false,
		       &result->attribution, fault);
}

/* How many steps a brief run has. */
static uint64_t brief_steps(const struct result *result)
{
	const struct figures *figures = &result->figures;
	uint64_t step_examples =
		(uint64_t)result->pipeline.batch_size * figures->accelerators;
	uint64_t least = BRIEF_EXAMPLES_MIN / step_examples + 1;
	uint64_t steps = figures->run_steps / BRIEF_SHARE;

	if (steps < least)
		steps = least;
	return steps > BRIEF_STEPS_MIN ? steps : BRIEF_STEPS_MIN;
}

/* Makes the setting that of its first steps. */
static void cut(struct setting *setting, uint64_t steps)
{
	struct run_limit *limit = &setting->pipeline.limit;

	limit->steps = steps;
	if (limit->warmup_steps > steps / 2)
		limit->warmup_steps = steps / 2;
}

int experiment_explain_briefly(const struct experiment *experiment,
			       struct result *result, struct fault *fault)
{
	struct attribution *attribution = &result->attribution;
	struct simulation_watch watch = experiment->watch;
	struct setting setting = setting_of(experiment, result);
	uint64_t steps = brief_steps(result);
	struct figures *figures;
	int error;

	*attribution = (struct attribution){ 0 };
	if (!result->figures.complete || !result->figures.steps)
		return 0;
	if (result->figures.run_steps <= steps)
		return explain(experiment, &result->echo,
			       &result->pipeline.limit, &result->figures, 0,
			       true, attribution, fault);
	figures = calloc(1, sizeof(*figures));
	if (!figures)
		return -ENOMEM;
	cut(&setting, steps);
	watch.watcher = NULL;
	watch.timeline = NULL;
	error = simulation_run(&setting, &watch, figures);
	if (!error)
		error = explain(experiment, &result->echo,
				&setting.pipeline.limit, figures, 0, true,
				attribution, fault);
	if (attribution->known)
		attribution->cut_steps = steps;
	attribution_adopt(attribution, &result->figures);
	free(figures);
	return error;
}
