/* SPDX-License-Identifier: MIT */
#include "analysis/sweep/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/run_data.h"
#include "analysis/metric.h"
#include "sim/check.h"

#define RUN_SHARE 0.6 /* of a job; the rest finds out what limits it */

const char *const sweep_chief_metrics[SWEEP_CHIEF_COUNT] = {
	"au",
	"steps_per_s",
	"examples_per_s",
	"fresh_examples_per_s",
	"time_to_target_s",
};

/* The grid. */

uint32_t sweep_index(const struct sweep *sweep, uint32_t point, uint32_t axis)
{
	uint32_t i;

	for (i = sweep->axis_count; --i > axis;)
		point /= sweep->axes[i].count;
	return point % sweep->axes[axis].count;
}

const char *sweep_at(const struct sweep *sweep, uint32_t point, char *text,
		     size_t size)
{
	const struct vary *axis;
	size_t used = 0;
	uint32_t i;

	text[0] = '\0';
	for (i = 0; i < sweep->axis_count && used < size; i++) {
		axis = &sweep->axes[i];
		used += (size_t)snprintf(
			text + used, size - used, "%s%s=%s", i ? ", " : "",
			axis->key,
			axis->values[sweep_index(sweep, point, i)].text);
	}
	return text;
}

static bool is_axis(const struct sweep *sweep, const char *key)
{
	uint32_t i;

	for (i = 0; i < sweep->axis_count; i++)
		if (!strcmp(sweep->axes[i].key, key))
			return true;
	return false;
}

/* Keys that change which files are opened, before any point is looked at. */
static bool is_fixed(const char *key)
{
	return !strcmp(key, "dataset.path") ||
	       !strncmp(key, "training.", strlen("training."));
}

static int check_axes(const struct sweep *sweep, struct fault *fault)
{
	const char *key;
	uint32_t i, other;

	for (i = 0; i < sweep->axis_count; i++) {
		key = sweep->axes[i].key;
		if (is_fixed(key)) {
			fault_set(fault, "--vary", 0,
				  "%s cannot be varied; expected a key of the "
				  "model, one sweep for each file",
				  key);
			return -EINVAL;
		}
		for (other = 0; other < i; other++) {
			if (strcmp(sweep->axes[other].key, key) != 0)
				continue;
			fault_set(fault, "--vary", 0,
				  "%s is varied twice; expected each key once",
				  key);
			return -EINVAL;
		}
	}
	if (sweep->repeat > 1 && is_axis(sweep, "seed")) {
		fault_set(fault, "--repeat", 0,
			  "the seed is varied already; expected either");
		return -EINVAL;
	}
	return 0;
}

static int count_points(struct sweep *sweep, struct fault *fault)
{
	uint64_t jobs = sweep->repeat;
	uint32_t i;

	sweep->point_count = 1;
	for (i = 0; i < sweep->axis_count && jobs <= SWEEP_POINTS_MAX; i++) {
		jobs *= sweep->axes[i].count;
		sweep->point_count *= sweep->axes[i].count;
	}
	if (jobs <= SWEEP_POINTS_MAX)
		return 0;
	fault_set(fault, "--vary", 0,
		  "the grid has more than %d points (with --repeat: runs); "
		  "that is the limit",
		  SWEEP_POINTS_MAX);
	return -EINVAL;
}

/* The scenario of a point. */
static int make_scenario(const struct sweep *sweep, uint32_t point,
			 struct scenario *scenario, struct fault *fault)
{
	struct vary_change changes[SWEEP_AXES_MAX];
	const struct vary *axis;
	uint32_t i;

	for (i = 0; i < sweep->axis_count; i++) {
		axis = &sweep->axes[i];
		changes[i] = (struct vary_change){
			.key = axis->key,
			.text = axis->values[sweep_index(sweep, point, i)].text,
		};
	}
	return experiment_change(&sweep->base, changes, sweep->axis_count,
				 scenario, fault);
}

static int check_scenario(const struct sweep *sweep, uint32_t point,
			  struct scenario *scenario, struct fault *fault)
{
	const struct layout *layout = sweep->base.layout;
	struct fault inner = { 0 };
	char at[160];
	int error = make_scenario(sweep, point, scenario, fault);

	if (error)
		return error;
	if (scenario->storage.native) {
		fault_set(&inner, sweep->name, 0,
			  "storage.device: native is this machine's own "
			  "device, which cannot be simulated");
		error = -EINVAL;
	}
	if (!error)
		error = scenario_check(scenario, sweep->name, &inner);
	if (!error && layout)
		error = scenario_check_layout(scenario, layout, sweep->name,
					      &inner);
	if (error)
		fault_set(fault, sweep->name, 0, "%.230s (at %s)", inner.text,
			  sweep_at(sweep, point, at, sizeof(at)));
	return error;
}

static int check_points(const struct sweep *sweep, struct fault *fault)
{
	struct scenario *scenario = malloc(sizeof(*scenario));
	uint32_t point;
	int error = scenario ? 0 : -ENOMEM;

	for (point = 0; point < sweep->point_count && !error; point++)
		error = check_scenario(sweep, point, scenario, fault);
	free(scenario);
	return error;
}

int sweep_init(struct sweep *sweep, struct fault *fault)
{
	int error;

	CHECK(sweep->repeat && sweep->axis_count);
	sweep->points = NULL;
	sweep->samples = NULL;
	sweep->knees = NULL;
	error = check_axes(sweep, fault);
	if (!error)
		error = count_points(sweep, fault);
	if (!error)
		error = check_points(sweep, fault);
	if (error) {
		sweep->point_count = 0;
		return error;
	}
	sweep->points = calloc(sweep->point_count, sizeof(*sweep->points));
	sweep->samples = calloc(sweep_jobs(sweep), sizeof(*sweep->samples));
	sweep->knees = calloc((size_t)sweep->point_count * sweep->axis_count,
			      sizeof(*sweep->knees));
	if (sweep->points && sweep->samples && sweep->knees)
		return 0;
	sweep_release(sweep);
	return -ENOMEM;
}

static void release_point(struct sweep_point *point)
{
	size_t i;

	for (i = 0; point->values && i < metric_count; i++)
		if (metric_table[i].kind == METRIC_TEXT)
			free((char *)point->values[i].text);
	free(point->values);
	node_free(point->run);
	*point = (struct sweep_point){ 0 };
}

void sweep_release(struct sweep *sweep)
{
	uint32_t i;

	for (i = 0; sweep->points && i < sweep->point_count; i++)
		release_point(&sweep->points[i]);
	free(sweep->points);
	free(sweep->samples);
	free(sweep->knees);
	sweep->points = NULL;
	sweep->samples = NULL;
	sweep->knees = NULL;
}

uint32_t sweep_jobs(const struct sweep *sweep)
{
	return sweep->point_count * sweep->repeat;
}

/* Running. */

/* The share of a job that is done, of which its parts know nothing. */
struct course {
	const struct simulation_watch *watch;
	double from;
	double share;
	bool ended;
};

static bool go_on(void *context, double done)
{
	struct course *course = context;
	const struct simulation_watch *watch = course->watch;

	if (watch->go_on &&
	    !watch->go_on(watch->context, course->from + done * course->share))
		course->ended = true;
	return !course->ended;
}

static struct metric_value kept(const struct metric *metric,
				struct metric_value value, bool *lost)
{
	if (metric->kind != METRIC_TEXT || !value.known) {
		value.text = NULL;
		return value;
	}
	value.text = strdup(value.text);
	*lost |= !value.text;
	return value;
}

static int keep_point(struct sweep_point *point, const struct result *result)
{
	bool lost;
	size_t i;

	point->values = calloc(metric_count, sizeof(*point->values));
	point->run = run_tree(result);
	lost = !point->values || !point->run;
	for (i = 0; i < metric_count && !lost; i++)
		point->values[i] = kept(&metric_table[i],
					metric_table[i].get(result), &lost);
	if (lost)
		release_point(point);
	return lost ? -ENOMEM : 0;
}

/* `first`: of the point's seeds, the one whose result is kept. */
static int run_result(const struct sweep *sweep,
		      const struct scenario *scenario, bool first,
		      struct course *course, struct result *result,
		      struct fault *fault)
{
	struct experiment experiment = sweep->base;
	bool explains = sweep->explains && first;
	int error;

	experiment.scenario = scenario;
	experiment.watch = (struct simulation_watch){
		.go_on = go_on,
		.context = course,
		.memory_max = course->watch->memory_max,
	};
	course->share = explains ? RUN_SHARE : 1;
	experiment_begin(&experiment, &scenario->echoes[0], result);
	error = experiment_run(&experiment, result, fault);
	if (!error && !course->ended && first)
		error = experiment_sustain(&experiment, result, fault);
	if (error || !explains || course->ended)
		return error;
	course->from = course->share;
	course->share = 1 - course->share;
	return experiment_explain_briefly(&experiment, result, fault);
}

static int do_job(struct sweep *sweep, uint32_t job, struct scenario *scenario,
		  struct result *result, const struct simulation_watch *watch,
		  struct fault *fault)
{
	uint32_t point = job / sweep->repeat, turn = job % sweep->repeat;
	struct sweep_sample *sample = &sweep->samples[job];
	struct course course = { .watch = watch };
	char at[160];
	size_t i;
	int error;

	error = make_scenario(sweep, point, scenario, fault);
	if (error)
		return error;
	scenario->seed += turn;
	error = run_result(sweep, scenario, !turn, &course, result, fault);
	if (error)
		goto say_where;
	if (course.ended || !result->figures.complete)
		return 0;
	for (i = 0; i < SWEEP_CHIEF_COUNT; i++)
		sample->chief[i] = metric_get(sweep_chief_metrics[i], result);
	if (!turn)
		error = keep_point(&sweep->points[point], result);
	sample->done = !error;
say_where:
	if (error && fault->text[0]) {
		size_t used = strlen(fault->text);

		snprintf(fault->text + used, sizeof(fault->text) - used,
			 " (at %s)", sweep_at(sweep, point, at, sizeof(at)));
	}
	return error;
}

int sweep_job(struct sweep *sweep, uint32_t job,
	      const struct simulation_watch *watch, struct fault *fault)
{
	struct scenario *scenario;
	struct result *result;
	int error = -ENOMEM;

	if (sweep->points[job / sweep->repeat].done)
		return 0;
	scenario = malloc(sizeof(*scenario));
	result = calloc(1, sizeof(*result));
	if (scenario && result)
		error = do_job(sweep, job, scenario, result, watch, fault);
	if (result)
		free(result->sustained);
	free(scenario);
	free(result);
	return error;
}
