/* SPDX-License-Identifier: MIT */
/* echosim sweep: a grid over scenario keys. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sweep/sweep.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/show.h"
#include "cli/paths.h"
#include "cli/points.h"
#include "cli/runner.h"
#include "traces/text_file.h"
#include "traces/units.h"

#define WORKERS_MAX 256
#define EARLIER_BYTES_MAX ((size_t)256 << 20)

enum key {
	KEY_VARY = 512,
	KEY_WORKERS,
	KEY_REPEAT,
	KEY_RESUME,
};

static const struct argp_option option_list[] = {
	{ "vary", KEY_VARY, "KEY=LOW..HIGH", 0,
	  "An axis: a range with :log or :lin (default) and :N points, or "
	  "values with commas between; may be repeated",
	  0 },
	{ "repeat", KEY_REPEAT, "N", 0,
	  "Each point with N seeds: mean, ends and 95 % interval", 0 },
	{ "workers", KEY_WORKERS, "N", 0,
	  "Simulations at a time (default: one a processor)", 0 },
	{ "resume", KEY_RESUME, "FILE", 0,
	  "Go on from an earlier JSON result of this sweep", 0 },
	{ 0 },
};

static const struct argp_child children[] = {
	{ &scenario_argp, 0, NULL, 0 },
	{ &output_argp, 0, NULL, 0 },
	{ &chatter_argp, 0, NULL, 0 },
	{ 0 },
};

struct sweep_options {
	struct options common; /* first: the children's input */
	const char *axes[SWEEP_AXES_MAX];
	uint32_t axis_count;
	uint64_t workers;
	uint64_t repeat;
	const char *resume;
};

static uint64_t whole(const char *option, const char *text, uint64_t high,
		      const struct argp_state *state)
{
	uint64_t value = 0;

	if (units_parse(UNITS_COUNT, text, &value) || !value || value > high)
		options_refuse(state,
			       "%s %s: expected a whole number from 1 to %llu",
			       option, text, (unsigned long long)high);
	return value;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct sweep_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, children);
		return 0;
	case KEY_VARY:
		if (options->axis_count == SWEEP_AXES_MAX)
			options_refuse(state, "--vary: at most %d of them",
				       SWEEP_AXES_MAX);
		options->axes[options->axis_count++] = argument;
		vary_cache_add(&options->common.varies, argument);
		options_vary(&options->common, argument);
		return 0;
	case KEY_REPEAT:
		options->repeat =
			whole("--repeat", argument, SWEEP_REPEAT_MAX, state);
		return 0;
	case KEY_WORKERS:
		options->workers =
			whole("--workers", argument, WORKERS_MAX, state);
		return 0;
	case KEY_RESUME:
		options->resume = argument;
		return 0;
	case ARGP_KEY_END:
		if (!options->axis_count)
			options_refuse(state, "--vary is missing: what shall "
					      "change, such as storage."
					      "queue_depth=1..64:log");
		if (options->common.goal_count)
			options_refuse(state, "--require: a sweep shows every "
					      "point, whatever it reaches");
		if (options->common.echo_count > 1)
			options_refuse(state, "--echo: one strategy at a time; "
					      "--vary echo=A,B takes several");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const char doc[] =
	"Simulate every point of a grid over scenario keys, on all processors: "
	"where does more stop paying, and what limits each point? The strategy "
	"is the scenario's first unless --echo names one."
	"\v"
	"An axis is a range of a number, with its unit, or a list of values:\n"
	"  --vary storage.device.bandwidth='50 MB/s..2 GB/s:log:9'\n"
	"  --vary accelerator.count=1..64:log\n"
	"  --vary storage.device=aws-ebs-gp3,aws-s3-standard\n"
	"  --vary echo=none,batch:2,example-before-augment:2\n"
	"The first axis changes slowest. Results are the same whatever the "
	"number of workers. An interrupt keeps the points that are done; "
	"--resume goes on from them.\n"
	"\n"
	"Examples:\n"
	"  echosim sweep train.yaml --vary pipeline.decode.workers=1..16\n"
	"  echosim sweep train.yaml --vary storage.queue_depth=1..256:log\n"
	"  echosim sweep train.yaml --vary seed=1..5 --format csv -o s.csv\n"
	"  echosim sweep train.yaml --vary storage.device=gcs,hdd-7200rpm "
	"--repeat 5\n";

const struct argp sweep_argp = {
	.options = option_list,
	.parser = parse,
	.args_doc = "SCENARIO",
	.doc = doc,
	.children = children,
};

static void release_axes(struct sweep *sweep)
{
	while (sweep->axis_count)
		vary_release(&sweep->axes[--sweep->axis_count]);
}

static int parse_axes(struct sweep *sweep, const struct sweep_options *options,
		      struct fault *fault)
{
	uint32_t i;
	int error = 0;

	for (i = 0; i < options->axis_count && !error; i++) {
		error = vary_parse(&sweep->axes[i], options->axes[i], fault);
		sweep->axis_count += !error;
	}
	return error;
}

static int resume(struct sweep *sweep, const char *path, struct fault *fault)
{
	char *text;
	size_t size = 0;
	int error = text_file_read_most(path, EARLIER_BYTES_MAX, &text, &size);

	if (error) {
		fault_set(fault, path, 0, "cannot be read: %s",
			  strerror(-error));
	} else if (size > EARLIER_BYTES_MAX) {
		fault_set(fault, path, 0,
			  "longer than %zu MiB; expected the JSON result of a "
			  "sweep",
			  EARLIER_BYTES_MAX >> 20);
		error = -EINVAL;
	} else {
		error = sweep_resume(sweep, path, text, size, fault);
	}
	free(text);
	return error;
}

static int run_job(void *context, uint32_t job,
		   const struct simulation_watch *watch, struct fault *fault)
{
	return sweep_job(context, job, watch, fault);
}

static int run_all(struct sweep *sweep, struct runner *runner,
		   const struct sweep_options *options, struct fault *fault)
{
	char label[64];
	const struct points points = {
		.workers = (uint32_t)options->workers,
		.jobs = sweep_jobs(sweep),
		.run = run_job,
		.context = sweep,
		.progress = &runner->progress,
		.label = label,
	};
	int error;

	snprintf(label, sizeof(label), "sweep, %u points", sweep->point_count);
	error = points_run(&points, fault);
	sweep_finish(sweep);
	runner_finish(runner);
	return error;
}

static int write_product(const struct sweep *sweep, const struct runner *runner,
			 const struct options *options, struct output *output,
			 struct fault *fault)
{
	const struct sweep_report report = {
		.sweep = sweep,
		.host = runner->host.facts,
		.host_count = runner->host.fact_count,
		.notes = &runner->notes,
	};

	return show_in(output, options, sweep_document(&report), fault);
}

/* Runs, and writes what came of it; the first failure is the one that counts,
 * and what was done before it is kept. */
static int carry_out(struct sweep *sweep, struct runner *runner,
		     const struct sweep_options *options, struct output *output)
{
	struct fault run_fault = { 0 }, write_fault = { 0 };
	int run_error, write_error = 0, status;

	run_error = run_all(sweep, runner, options, &run_fault);
	status = sweep->complete ? STATUS_DONE : STATUS_INTERRUPTED;
	if (!run_error || sweep_done_count(sweep))
		write_error = write_product(sweep, runner, &options->common,
					    output, &write_fault);
	else
		output_abandon(output);
	if (write_error)
		status = complain(write_error, &write_fault);
	if (run_error)
		status = complain(run_error, &run_fault);
	return status;
}

/* All that may be wrong is found before anything runs. */
static int prepare(struct sweep *sweep, struct runner *runner,
		   const struct sweep_options *options, struct output *output,
		   struct fault *fault)
{
	const struct options *common = &options->common;
	int error;

	sweep->base = runner_experiment(runner);
	sweep->name = common->scenario_path;
	sweep->repeat = (uint32_t)options->repeat;
	sweep->explains = !common->no_stalls;
	error = sweep_init(sweep, fault);
	if (!error && options->resume)
		error = resume(sweep, options->resume, fault);
	if (!error)
		error = paths_check(common, &runner->scenario, fault);
	if (!error)
		error = output_open(output, common->output_path, fault);
	return error;
}

static int run_sweep(struct sweep *sweep, struct runner *runner,
		     const struct sweep_options *options)
{
	struct fault fault = { 0 };
	struct output output;
	int error, status;

	error = parse_axes(sweep, options, &fault);
	if (error) {
		status = complain(error, &fault);
		goto release;
	}
	error = runner_open(runner, &options->common, true, false, &fault);
	if (error) {
		status = complain(error, &fault);
		goto release;
	}
	error = prepare(sweep, runner, options, &output, &fault);
	status = error ? complain(error, &fault) :
			 carry_out(sweep, runner, options, &output);
	sweep_release(sweep);
	runner_close(runner);
release:
	release_axes(sweep);
	return status;
}

int command_sweep(int argc, char **argv)
{
	static struct sweep_options options = { .repeat = 1 };
	static struct runner runner;
	static struct sweep sweep;

	options_init(&options.common);
	argp_parse(&sweep_argp, argc, argv, 0, NULL, &options);
	interrupt_catch();
	return run_sweep(&sweep, &runner, &options);
}
