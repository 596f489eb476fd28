/* SPDX-License-Identifier: MIT */
/* echosim trace stat: what a recording amounts to. */
#include "analysis/trace/stat.h"

#include <errno.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/show.h"
#include "cli/trace/trace.h"

static const struct argp_child children[] = {
	{ &trace_range_argp, 0, NULL, 0 },
	{ &output_argp, 0, NULL, 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	if (key != ARGP_KEY_INIT)
		return trace_parse(key, argument, state);
	options_pass_on(state, children);
	return 0;
}

static const char doc[] =
	"Say what a recording amounts to: rates, quantiles of latency, sizes, "
	"how far requests follow each other, requests in flight and "
	"accelerators busy over time, and how often places are read again: "
	"their n-th reading is that of the n-th epoch. The whole run counts, "
	"warm-up included. CSV has the figures, text and JSON the tables too."
	"\v"
	"Examples:\n"
	"  echosim trace stat run.trace\n"
	"  echosim trace stat run.trace --from '10 s' --to '20 s' --format "
	"json\n";

const struct argp trace_stat_argp = {
	.parser = parse,
	.args_doc = "FILE",
	.doc = doc,
	.children = children,
};

static int gather(const struct trace_options *options,
		  struct recorded *recorded, struct trace_stat *stat,
		  struct fault *fault)
{
	struct trace_event event;
	int got = 1;

	while (got > 0 && !interrupt_stop) {
		got = recording_next(recorded->recording, &event, fault);
		if (got > 0 && trace_wants(options, &event))
			trace_stat_add(stat, &event);
	}
	trace_stat_finish(stat);
	return got < 0 ? got : 0;
}

static int run(const struct trace_options *options, struct fault *fault)
{
	struct trace_stat *stat = trace_stat_open();
	struct recorded recorded;
	int error;

	if (!stat)
		return -ENOMEM;
	error = recorded_open(&recorded, options->path, fault);
	if (error)
		goto close_stat;
	error = gather(options, &recorded, stat, fault);
	if (!error && !recording_end(recorded.recording) && !interrupt_stop)
		say("%s: cut short; what is there is counted", options->path);
	recorded_close(&recorded);
	if (!error)
		error = show(&options->common, trace_stat_document(stat),
			     fault);
close_stat:
	trace_stat_close(stat);
	return error;
}

int trace_stat(int argc, char **argv)
{
	static struct trace_options options;
	struct fault fault = { 0 };
	int error;

	trace_options_init(&options);
	argp_parse(&trace_stat_argp, argc, argv, 0, NULL, &options);
	interrupt_catch();
	error = output_spares(options.common.output_path, options.path, &fault);
	if (!error)
		error = run(&options, &fault);
	if (error)
		return complain(error, &fault);
	return interrupt_stop ? STATUS_INTERRUPTED : STATUS_DONE;
}
