/* SPDX-License-Identifier: MIT */
/* echosim trace cut: a stretch of a recording, as a recording. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/trace/recorder.h"
#include "cli/trace/trace.h"

enum { KEY_OUTPUT = 'o' };

static const struct argp_option cut_options[] = {
	{ "output", KEY_OUTPUT, "FILE", 0, "Where it goes; must be given", 0 },
	{ 0 },
};

static const struct argp_child children[] = {
	{ &trace_range_argp, 0, NULL, 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct trace_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, children);
		return 0;
	case KEY_OUTPUT:
		options->common.output_path = argument;
		return 0;
	case ARGP_KEY_END:
		if (!options->common.output_path)
			options_refuse(state, "-o FILE is missing: where the "
					      "excerpt goes");
		return 0;
	default:
		return trace_parse(key, argument, state);
	}
}

static const char doc[] =
	"Write the events of a stretch of time, or of some kinds, as a "
	"recording of its own. It can be looked at and its requests issued "
	"again (run --replay); sim --replay wants a whole run."
	"\v"
	"Examples:\n"
	"  echosim trace cut run.trace --from '10 s' --to '20 s' -o "
	"part.trace\n"
	"  echosim trace cut run.trace --kind request -o requests.trace\n";

const struct argp trace_cut_argp = {
	.options = cut_options,
	.parser = parse,
	.args_doc = "FILE -o FILE",
	.doc = doc,
	.children = children,
};

static int copy(const struct trace_options *options, struct recorded *recorded,
		struct recorder *recorder, struct fault *fault)
{
	struct trace_event event;
	int got = 1;

	while (got > 0 && !interrupt_stop) {
		got = recording_next(recorded->recording, &event, fault);
		if (got > 0 && trace_wants(options, &event))
			recorder_add(recorder, &event);
	}
	if (interrupt_stop)
		return -EINTR;
	return got < 0 ? got : 0;
}

/* How the whole run ended. */
static struct figures figures_of(const struct recorded *recorded)
{
	const struct recording_end *end = recording_end(recorded->recording);
	struct figures figures = { 0 };

	if (end) {
		figures.complete = end->complete;
		figures.run_ns = end->run_ns;
		figures.digest = end->decisions;
	}
	return figures;
}

static int cut(const struct trace_options *options, struct recorded *recorded,
	       struct fault *fault)
{
	struct recording_head head = *recorded->head;
	struct figures figures;
	struct recorder recorder;
	struct fault late = { 0 };
	int error, closed;

	head.excerpt = true;
	error = output_spares(options->common.output_path, options->path,
			      fault);
	if (!error)
		error = recorder_open(&recorder, options->common.output_path,
				      &head, fault);
	if (error)
		return error;
	error = copy(options, recorded, &recorder, fault);
	figures = figures_of(recorded);
	closed = recorder_close(&recorder, &figures, &late);
	if (!error && closed)
		*fault = late;
	return error ? error : closed;
}

int trace_cut(int argc, char **argv)
{
	static struct trace_options options;
	struct fault fault = { 0 };
	struct recorded recorded;
	int error;

	trace_options_init(&options);
	argp_parse(&trace_cut_argp, argc, argv, 0, NULL, &options);
	interrupt_catch();
	error = recorded_open(&recorded, options.path, &fault);
	if (error)
		return complain(error, &fault);
	error = cut(&options, &recorded, &fault);
	recorded_close(&recorded);
	return error ? complain(error, &fault) : STATUS_DONE;
}
