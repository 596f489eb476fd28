/* SPDX-License-Identifier: MIT */
/* echosim trace fit: a scenario from a recording. */
#include "analysis/trace/fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/experiment.h"
#include "analysis/metric.h"
#include "cli/interrupt.h"
#include "cli/memory.h"
#include "cli/output.h"
#include "cli/trace/trace.h"
#include "traces/recording/scenario.h"
#include "traces/scenario.h"

/* Steps that are simulated to see what the fit comes to. */
#define STEPS_MAX 1000

static const struct argp_option option_list[] = {
	{ "output", 'o', "FILE", 0, "Write to FILE instead of stdout", 0 },
	{ "quiet", 'q', NULL, 0, "Only the scenario and errors", 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct trace_options *options = state->input;

	switch (key) {
	case 'o':
		options->common.output_path = argument;
		return 0;
	case 'q':
		options->common.quiet = true;
		return 0;
	default:
		return trace_parse(key, argument, state);
	}
}

static const char doc[] =
	"Make a scenario of a recording: a device profile, the sizes of "
	"examples, the times of stages and steps, the order of access, each "
	"with its error on the half of the trace that it was not fitted to. "
	"What the trace does not hold is called assumed. The scenario is "
	"simulated, and its AU, rates and waits are printed beside the "
	"trace's own."
	"\v"
	"The device is fitted to the first 65536 requests; a limit that they "
	"never met is left out. Foreign traces come in through `echosim trace "
	"import`.\n"
	"\n"
	"Examples:\n"
	"  echosim trace fit run.trace -o fitted.yaml\n"
	"  echosim compare fitted.yaml\n"
	"  echosim sim fitted.yaml --set storage.device=nvme-pcie4\n";

const struct argp trace_fit_argp = {
	.options = option_list,
	.parser = parse,
	.args_doc = "FILE",
	.doc = doc,
};

/* A run of our own says what it was; an imported trace says nothing, nor does
 * a recording of version 1. */
static int take_known(const struct trace_options *options,
		      const struct recording_head *head,
		      struct trace_known *known, struct fault *fault)
{
	static struct scenario scenario;
	int error;

	*known = (struct trace_known){ 0 };
	if (head->version == 1 && !options->common.quiet)
		say("%s: a recording of version 1, whose scenario cannot be "
		    "read back: order, batch and dataset are fitted as those "
		    "of a foreign trace",
		    options->path);
	if (head->imported || head->version == 1)
		return 0;
	error = recording_scenario(head, options->path, NULL, 0, &scenario,
				   fault);
	if (error)
		return error;
	snprintf(known->order, sizeof(known->order), "%s",
		 read_order_name(scenario.storage.order));
	known->numbered = true;
	known->batch_size = scenario.batch_size;
	known->examples = scenario.dataset.examples;
	known->shard_examples = scenario.dataset.shard_examples;
	known->example_bytes =
		distribution_mean(&scenario.dataset.example_bytes);
	return 0;
}

static int gather(const struct trace_options *options, struct trace_fit **out,
		  bool *whole, struct fault *fault)
{
	struct trace_event event;
	struct trace_known known;
	struct recorded recorded;
	int got = recorded_open(&recorded, options->path, fault);

	if (got)
		return got;
	got = take_known(options, recorded.head, &known, fault);
	if (!got) {
		*out = trace_fit_open(&known);
		got = *out ? 1 : -ENOMEM;
	}
	while (got > 0 && !interrupt_stop) {
		got = recording_next(recorded.recording, &event, fault);
		if (got > 0)
			trace_fit_add(*out, &event);
	}
	*whole = recording_end(recorded.recording) != NULL;
	recorded_close(&recorded);
	if (got >= 0 && interrupt_stop) {
		fault_set(fault, options->path, 0, "interrupted");
		return -EINTR;
	}
	return got < 0 ? got : 0;
}

/* What the scenario can only assume. */
static void say_missing(const char *path, const struct trace_model *model)
{
	char caution[TRACE_FIT_CAUTION_MAX];

	trace_fit_caution(model, caution);
	if (caution[0])
		say("%s: %s", path, caution);
	if (!model->example_bytes.known && !model->known.example_bytes)
		say("%s: no sizes of examples; they are guessed from requests",
		    path);
	if (!model->batch_size)
		say("%s: no batches", path);
	if (model->requests && model->sequence.assumed)
		say("%s: the order of access is assumed: objects are numbered "
		    "as they were met and read once",
		    path);
	if (model->endless_requests)
		say("%s: %llu requests have no end and are left out", path,
		    (unsigned long long)model->endless_requests);
	if (model->unexplained)
		say("%s: waits that the trace does not explain are assumed to "
		    "be those for a worker of collate",
		    path);
}

static bool go_on(void *context, double done)
{
	(void)context;
	(void)done;
	return !interrupt_stop;
}

static double known_or_nan(const char *name, const struct result *result)
{
	struct metric_value value = metric_get(name, result);

	return value.known ? value.real : NAN;
}

/* What the scenario comes to, in the trace's steps or the first of them. */
static int simulate(const struct scenario *scenario,
		    struct pace_figures *figures, struct fault *fault)
{
	const struct experiment experiment = {
		.scenario = scenario,
		.watch = { .go_on = go_on, .memory_max = memory_limit() },
	};
	static struct result result;
	int error;

	experiment_begin(&experiment, &scenario->echoes[0], &result);
	if (result.pipeline.limit.steps > STEPS_MAX)
		result.pipeline.limit.steps = STEPS_MAX;
	error = experiment_run(&experiment, &result, fault);
	figures->au = known_or_nan("au", &result);
	figures->steps_per_s = known_or_nan("steps_per_s", &result);
	figures->wait_s = (1 - figures->au) / figures->steps_per_s;
	figures->bytes_per_s = known_or_nan("storage.bytes_per_s", &result);
	if (!error && interrupt_stop) {
		fault_set(fault, NULL, 0, "interrupted");
		error = -EINTR;
	}
	return error;
}

/* Is it a scenario? A trace may hold what no scenario takes. */
static int check(const char *path, const char *text, size_t size,
		 struct pace_figures *simulated, struct fault *fault)
{
	static struct scenario scenario;
	struct fault about = { 0 };
	int error =
		scenario_parse(&scenario, path, text, size, NULL, 0, &about);

	if (!error)
		return simulate(&scenario, simulated, fault);
	fault_set(fault, path, 0, "no scenario: %.380s", about.text);
	return error;
}

/* The scenario, and what it comes to beside the trace. */
static int print(const struct trace_options *options,
		 const struct trace_model *model, char **text, size_t *size,
		 struct pace_figures *simulated, struct fault *fault)
{
	FILE *out = open_memstream(text, size);
	int error;

	if (!out)
		return -ENOMEM;
	trace_fit_print(out, model, options->path);
	error = fflush(out) ? -ENOMEM : 0;
	if (!error)
		error = check(options->path, *text, *size, simulated, fault);
	if (!error)
		trace_fit_print_beside(out, model, simulated);
	if (fclose(out) && !error)
		error = -ENOMEM;
	return error;
}

static void say_beside(const char *path, const struct pace_figures *own,
		       const struct pace_figures *simulated)
{
	if (isnan(own->au) || isnan(simulated->au))
		return;
	say("%s: AU %.1f %% in the trace, %.1f %% simulated; waits of %.4g and "
	    "%.4g ms before a step",
	    path, own->au * 100, simulated->au * 100, own->wait_s * 1e3,
	    simulated->wait_s * 1e3);
}

static int make(const struct trace_options *options, struct trace_fit *fit,
		bool whole, char **text, size_t *size, struct fault *fault)
{
	struct pace_figures simulated;
	struct trace_model model;
	int error = trace_fit_finish(fit, &model);

	if (error)
		return error;
	if (!model.events) {
		fault_set(fault, options->path, 0,
			  "holds no events; expected some to fit to");
		return -EINVAL;
	}
	error = print(options, &model, text, size, &simulated, fault);
	if (!error && trace_fit_is_short(&model, &simulated)) {
		free(*text);
		*text = NULL;
		model.unexplained = true;
		error = print(options, &model, text, size, &simulated, fault);
	}
	if (error)
		return error;
	if (!whole)
		say("%s: cut short; what is there is fitted", options->path);
	if (options->common.quiet)
		return 0;
	say_missing(options->path, &model);
	say_beside(options->path, &model.own, &simulated);
	return 0;
}

static int fit_file(const struct trace_options *options, struct fault *fault)
{
	const char *path = options->common.output_path;
	struct trace_fit *fit = NULL;
	bool whole = false;
	char *text = NULL;
	size_t size = 0;
	int error;

	error = output_spares(path, options->path, fault);
	if (!error)
		error = gather(options, &fit, &whole, fault);
	if (!error)
		error = make(options, fit, whole, &text, &size, fault);
	trace_fit_close(fit);
	if (!error)
		error = output_text(path, text, size, fault);
	free(text);
	return error;
}

int trace_fit(int argc, char **argv)
{
	static struct trace_options options;
	struct fault fault = { 0 };
	int error;

	trace_options_init(&options);
	argp_parse(&trace_fit_argp, argc, argv, 0, NULL, &options);
	interrupt_catch();
	error = fit_file(&options, &fault);
	return error ? complain(error, &fault) : STATUS_DONE;
}
