/* SPDX-License-Identifier: MIT */
/* echosim trace fit: a scenario from a recording. */
#include "analysis/trace/fit.h"

#include <errno.h>
#include <stdlib.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/trace/trace.h"
#include "traces/scenario.h"

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
	"What the trace does not hold is called assumed."
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

static int gather(const struct trace_options *options, struct trace_fit *fit,
		  bool *whole, struct fault *fault)
{
	struct trace_event event;
	struct recorded recorded;
	int got = recorded_open(&recorded, options->path, fault);

	if (got)
		return got;
	do {
		got = recording_next(recorded.recording, &event, fault);
		if (got > 0)
			trace_fit_add(fit, &event);
	} while (got > 0 && !interrupt_stop);
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
	if (!model->example_bytes.known)
		say("%s: no sizes of examples; they are guessed from requests",
		    path);
	if (!model->batch_size)
		say("%s: no batches", path);
}

/* Is it a scenario? A trace may hold what no scenario takes. */
static int check(const char *path, const char *text, size_t size,
		 struct fault *fault)
{
	static struct scenario scenario;
	struct fault about = { 0 };
	int error =
		scenario_parse(&scenario, path, text, size, NULL, 0, &about);

	if (error)
		fault_set(fault, path, 0, "no scenario: %.380s", about.text);
	return error;
}

static int make(const struct trace_options *options, struct trace_fit *fit,
		bool whole, char **text, size_t *size, struct fault *fault)
{
	struct trace_model model;
	int error = trace_fit_finish(fit, &model);
	FILE *out;

	if (error)
		return error;
	if (!model.events) {
		fault_set(fault, options->path, 0,
			  "holds no events; expected some to fit to");
		return -EINVAL;
	}
	out = open_memstream(text, size);
	if (!out)
		return -ENOMEM;
	trace_fit_print(out, &model, options->path);
	if (fclose(out))
		return -ENOMEM;
	error = check(options->path, *text, *size, fault);
	if (!error && !whole)
		say("%s: cut short; what is there is fitted", options->path);
	if (!error && !options->common.quiet)
		say_missing(options->path, &model);
	return error;
}

static int fit_file(const struct trace_options *options, struct fault *fault)
{
	const char *path = options->common.output_path;
	struct trace_fit *fit = trace_fit_open();
	bool whole = false;
	char *text = NULL;
	size_t size = 0;
	int error;

	if (!fit)
		return -ENOMEM;
	error = output_spares(path, options->path, fault);
	if (!error)
		error = gather(options, fit, &whole, fault);
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
