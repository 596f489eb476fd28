/* SPDX-License-Identifier: MIT */
/* echosim plan: the least change that meets a goal. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plan/report.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/show.h"
#include "cli/paths.h"
#include "cli/points.h"
#include "cli/runner.h"

enum key {
	KEY_VARY = 512,
	KEY_MAX,
	KEY_MEASURED,
};

struct plan_options {
	struct options common; /* first: the children's input */
	struct vary vary[PLAN_KNOBS_MAX];
	size_t vary_count;
	struct vary max[PLAN_KNOBS_MAX];
	size_t max_count;
	bool measured; /* the one goal is what was measured */
};

static const struct argp_option option_list[] = {
	{ "vary", KEY_VARY, "KEY=LOW..HIGH", 0,
	  "A number of the scenario that may be changed, and how far; "
	  "KEY=LOW..HIGH:log:9 also says which points of it combinations try; "
	  "may "
	  "be repeated",
	  0 },
	{ "max", KEY_MAX, "KEY[=LOW..HIGH]", 0,
	  "The largest value at which the goal holds, such as "
	  "accelerator.count (in a host); may be repeated",
	  0 },
	{ "measured", KEY_MEASURED, "METRIC=X", 0,
	  "Instead of --require: which --vary alone, at which value, explains "
	  "that a real job was measured to come to au=0.4 or "
	  "examples_per_s=800",
	  0 },
	{ 0 },
};

static void read_knob(struct vary *knob, const char *option, const char *text,
		      const struct argp_state *state)
{
	struct fault fault = { 0 };

	if (vary_parse(knob, text, &fault))
		options_refuse(state, "%s: %s", option, fault.text);
	if (!knob->is_number)
		options_refuse(state,
			       "%s: %s: a plan needs rising numbers; expected "
			       "KEY=LOW..HIGH[:log|lin][:N]",
			       option, knob->key);
}

static void add_vary(struct plan_options *options, const char *text,
		     const struct argp_state *state)
{
	struct vary *knob = &options->vary[options->vary_count];
	size_t i;

	if (options->vary_count == PLAN_KNOBS_MAX)
		options_refuse(state, "--vary: at most %d of them",
			       PLAN_KNOBS_MAX);
	read_knob(knob, "--vary", text, state);
	for (i = 0; i < options->vary_count; i++)
		if (!strcmp(options->vary[i].key, knob->key))
			options_refuse(state, "--vary: %s stands there twice",
				       knob->key);
	vary_cache_add(&options->common.varies, knob->key);
	options->vary_count++;
}

/* Without a range: from one piece to as many as the key allows. */
static void add_max(struct plan_options *options, const char *text,
		    const struct argp_state *state)
{
	struct vary *knob = &options->max[options->max_count];
	const struct field *field = field_find(text);
	char range[FIELD_KEY_MAX + 64];

	if (options->max_count == PLAN_KNOBS_MAX)
		options_refuse(state, "--max: at most %d of them",
			       PLAN_KNOBS_MAX);
	if (field && field->kind == FIELD_COUNT && field->low < field->high) {
		snprintf(range, sizeof(range), "%s=%.0f..%.0f:2", text,
			 field->low, field->high);
		text = range;
	}
	read_knob(knob, "--max", text, state);
	options->max_count++;
}

/* Searched for as a goal is: figures on either side of it. */
static void add_measured(struct plan_options *options, const char *text,
			 const struct argp_state *state)
{
	struct options *common = &options->common;
	struct fault fault = { 0 };

	if (common->goal_count)
		options_refuse(state, "--measured: stands alone, without "
				      "--require or another --measured");
	if (goal_parse_measured(&common->goals[0], text, &fault))
		options_refuse(state, "--measured: %s", fault.text);
	common->goal_count = 1;
	options->measured = true;
}

static const struct argp_child children[] = {
	{ &scenario_argp, 0, NULL, 0 },
	{ &output_argp, 0, NULL, 0 },
	{ &chatter_argp, 0, NULL, 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct plan_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, children);
		return 0;
	case KEY_VARY:
		add_vary(options, argument, state);
		options_vary(&options->common, argument);
		return 0;
	case KEY_MAX:
		add_max(options, argument, state);
		options_vary(&options->common, argument);
		return 0;
	case KEY_MEASURED:
		add_measured(options, argument, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* All that one command has under way. */
struct course {
	const struct plan_options *options;
	struct runner runner;
	struct experiment experiment;
	struct plan vary;
	struct plan max;
	struct plan_report report;
};

static void add_result(struct plan_report *report, enum plan_way way,
		       const struct plan *plan, size_t knob)
{
	report->results[report->result_count++] =
		(struct plan_result){ .way = way, .plan = plan, .knob = knob };
}

static void prepare(struct course *course)
{
	const struct plan_options *options = course->options;

	course->experiment = runner_experiment(&course->runner);
	course->vary = (struct plan){
		.experiment = &course->experiment,
		.goals = options->common.goals,
		.goal_count = options->common.goal_count,
		.knobs = options->vary,
		.knob_count = options->vary_count,
	};
	course->max = course->vary;
	course->max.knobs = options->max;
	course->max.knob_count = options->max_count;
	course->report.plan = &course->vary;
	course->report.measured = options->measured;
	course->report.notes = course->runner.notes;
}

/* What is to be answered, the longest first. */
static int list_results(struct course *course, struct fault *fault)
{
	struct plan_report *report = &course->report;
	bool priced = false;
	size_t i;
	int error = 0;

	if (report->measured) {
		for (i = 0; i < course->vary.knob_count; i++)
			add_result(report, PLAN_MEASURED, &course->vary, i);
		return 0;
	}
	if (course->vary.knob_count > 1) {
		error = plan_is_priced(&course->vary, &priced, fault);
		report->unpriced = !priced;
	}
	if (priced)
		add_result(report, PLAN_TOGETHER, &course->vary, 0);
	for (i = 0; i < course->vary.knob_count; i++)
		add_result(report, PLAN_ALONE, &course->vary, i);
	for (i = 0; i < course->max.knob_count; i++)
		add_result(report, PLAN_MOST, &course->max, i);
	return error;
}

static int now_job(void *context, uint32_t job,
		   const struct simulation_watch *watch, struct fault *fault)
{
	struct course *course = context;
	struct experiment experiment = course->experiment;
	struct plan plan = course->vary;
	struct plan_point now = plan_as_is();
	int error;

	(void)job;
	experiment.watch = *watch;
	plan.experiment = &experiment;
	error = plan_try(&plan, &now, true, &course->report.now, fault);
	if (error || !course->report.now.drained)
		return error;
	experiment.by_start = true;
	return plan_try(&plan, &now, false, &course->report.start, fault);
}

/* As it is. A figure that is not known here will not be known elsewhere. */
static int try_now(struct course *course, struct fault *fault)
{
	const struct points points = {
		.jobs = 1,
		.run = now_job,
		.context = course,
		.progress = &course->runner.progress,
		.label = "as it is",
	};
	const struct goal *goal;
	int error = points_run(&points, fault);

	goal = course->report.now.unknown;
	if (error == -EINTR)
		fault_set(fault, NULL, 0,
			  "interrupted before anything was found out");
	if (error || !goal)
		return error;
	fault_set(fault, NULL, 0,
		  "%s %s: a plan's simulations do not know %s; expected "
		  "a metric that `echosim sim --no-stalls` has of this "
		  "scenario",
		  course->report.measured ? "--measured" : "--require",
		  goal->text, goal->metric->name);
	return -EINVAL;
}

static double most_runs(const struct plan_result *result)
{
	switch (result->way) {
	case PLAN_TOGETHER:
		return plan_together_runs(result->plan);
	case PLAN_ALONE:
		return plan_alone_runs(result->plan, result->knob);
	case PLAN_MEASURED:
		return plan_measured_runs(result->plan, result->knob);
	default:
		return plan_most_runs(result->plan, result->knob);
	}
}

/* On some thread, with a watch of its own. */
static int answer(void *context, uint32_t job,
		  const struct simulation_watch *watch, struct fault *fault)
{
	struct course *course = context;
	struct plan_result *result = &course->report.results[job];
	struct experiment experiment = course->experiment;
	struct plan plan = *result->plan;
	struct plan_pace pace;
	int error;

	experiment.watch = plan_pace_begin(&pace, most_runs(result), watch);
	plan.experiment = &experiment;
	switch (result->way) {
	case PLAN_TOGETHER:
		error = plan_together(&plan, &result->answer, fault);
		break;
	case PLAN_ALONE:
		error = plan_alone(&plan, result->knob, &result->answer, fault);
		break;
	case PLAN_MEASURED:
		error = plan_measured(&plan, result->knob, &result->answer,
				      fault);
		break;
	default:
		error = plan_most(&plan, result->knob, &result->answer, fault);
	}
	return error == -EINTR ? 0 : error;
}

static int answer_all(struct course *course, struct fault *fault)
{
	const struct points points = {
		.jobs = (uint32_t)course->report.result_count,
		.run = answer,
		.context = course,
		.progress = &course->runner.progress,
		.label = "plan",
	};
	int error = points_run(&points, fault);

	course->report.complete = !interrupt_stop;
	return error;
}

static int write_report(struct course *course, struct output *output,
			struct fault *fault)
{
	const struct options *options = &course->options->common;

	return show_in(output, options, plan_document(&course->report), fault);
}

static int carry_out(struct course *course, struct output *output)
{
	struct fault fault = { 0 };
	int error;

	prepare(course);
	error = try_now(course, &fault);
	if (!error)
		error = list_results(course, &fault);
	if (!error)
		error = answer_all(course, &fault);
	if (error)
		output_abandon(output);
	else
		error = write_report(course, output, &fault);
	if (error)
		return complain(error, &fault);
	if (interrupt_stop)
		return STATUS_INTERRUPTED;
	return plan_is_reached(&course->report) ? STATUS_DONE : STATUS_MISSED;
}

static const char *mistake(const struct plan_options *options)
{
	if (!options->common.goal_count)
		return "--require is missing: the goal, such as au>=0.9 "
		       "(or --measured au=0.4)";
	if (options->measured && options->common.goal_count > 1)
		return "--measured: stands alone, without --require";
	if (options->measured && options->max_count)
		return "--max: has no effect with --measured; expected --vary, "
		       "the unknowns";
	if (!options->vary_count && !options->max_count)
		return "--vary or --max is missing: what may be changed, such "
		       "as --vary storage.queue_depth=1..64";
	if (options->common.no_stalls)
		return "--no-stalls: a plan says what limits";
	if (options->common.echo_count > 1)
		return "--echo: one strategy at a time";
	return NULL;
}

static const char doc[] =
	"The least change of a scenario that meets a goal: of each --vary "
	"alone, "
	"and, where prices are known, the cheapest combination of them; the "
	"most "
	"of each --max that the goal allows; and what limits then. Exit status "
	"1 "
	"when nothing in range meets the goal. With --measured: which unknown, "
	"within which range, explains a figure of a real job, and what limits "
	"then."
	"\v"
	"Examples:\n"
	"  echosim plan train.yaml --require 'au>=0.9' \\\n"
	"    --vary storage.queue_depth=1..256 \\\n"
	"    --vary 'storage.device.bandwidth=100 MB/s..4 GB/s'\n"
	"  echosim plan train.yaml --require 'au>=0.9' --max "
	"accelerator.count\n"
	"  echosim plan --workload unet3d-h100 --set storage.device=gcs \\\n"
	"    --require 'au>=0.9' --max accelerator.count\n"
	"  echosim plan train.yaml --require 'au>=0.9' --prices prices.yaml "
	"\\\n"
	"    --vary pipeline.decode.workers=1..64 \\\n"
	"    --vary cache.bytes='0 B..1 TiB'\n"
	"  echosim plan train.yaml --measured au=0.4 \\\n"
	"    --vary 'pipeline.decode.time=1 ms..100 ms' \\\n"
	"    --vary 'storage.device.latency=0.1 ms..50 ms'\n";

static int run(const struct plan_options *options)
{
	struct course *course = calloc(1, sizeof(*course));
	const struct options *common = &options->common;
	struct fault fault = { 0 };
	struct output output;
	int error, status;

	if (!course)
		return complain(-ENOMEM, &fault);
	course->options = options;
	interrupt_catch();
	error = runner_open(&course->runner, common, true, false, &fault);
	if (error) {
		status = complain(error, &fault);
		goto free_course;
	}
	error = paths_check(common, &course->runner.scenario, &fault);
	if (!error)
		error = output_open(&output, common->output_path, &fault);
	status = error ? complain(error, &fault) : carry_out(course, &output);
	runner_close(&course->runner);
free_course:
	free(course);
	return status;
}

const struct argp plan_argp = {
	.options = option_list,
	.parser = parse,
	.args_doc = "SCENARIO",
	.doc = doc,
	.children = children,
};

int command_plan(int argc, char **argv)
{
	static struct plan_options options;
	size_t i;
	int status;

	options_init(&options.common);
	argp_parse(&plan_argp, argc, argv, 0, NULL, &options);
	if (mistake(&options)) {
		say("%s", mistake(&options));
		return STATUS_PERSON;
	}
	status = run(&options);
	for (i = 0; i < options.vary_count; i++)
		vary_release(&options.vary[i]);
	for (i = 0; i < options.max_count; i++)
		vary_release(&options.max[i]);
	return status;
}
