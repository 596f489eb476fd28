/* SPDX-License-Identifier: MIT */
/* echosim trace print: events, one a line. */
#include <errno.h>
#include <string.h>

#include "analysis/trace/table.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/trace/trace.h"

static const struct argp_child children[] = {
	{ &trace_range_argp, 0, NULL, 0 },
	{ &output_argp, 0, NULL, 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	const struct trace_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, children);
		return 0;
	case ARGP_KEY_END:
		if (!strcmp(options->common.printer->name, "html"))
			options_refuse(state, "--format html: events are "
					      "printed as text, json or csv");
		return 0;
	default:
		return trace_parse(key, argument, state);
	}
}

static const char doc[] =
	"Print the events of a recording in the order in which they were told. "
	"Times are nanoseconds of the run. With --format json every line is an "
	"object."
	"\v"
	"Examples:\n"
	"  echosim trace print run.trace --kind request --to '100 ms'\n"
	"  echosim trace print run.trace --format csv -o events.csv\n";

const struct argp trace_print_argp = {
	.parser = parse,
	.args_doc = "FILE",
	.doc = doc,
	.children = children,
};

static enum trace_format format_of(const struct trace_options *options)
{
	const char *name = options->common.printer->name;

	if (!strcmp(name, "json"))
		return TRACE_JSON_LINES;
	return !strcmp(name, "csv") ? TRACE_CSV : TRACE_TEXT;
}

static int print(const struct trace_options *options, struct recorded *recorded,
		 FILE *out, struct fault *fault)
{
	enum trace_format format = format_of(options);
	struct trace_event event;
	int got = 1;

	trace_table_head(out, format);
	while (got > 0 && !interrupt_stop && !ferror(out)) {
		got = recording_next(recorded->recording, &event, fault);
		if (got > 0 && trace_wants(options, &event))
			trace_table_row(out, format, &event);
	}
	return got < 0 ? got : 0;
}

int trace_print(int argc, char **argv)
{
	static struct trace_options options;
	struct fault fault = { 0 }, late = { 0 };
	struct recorded recorded;
	struct output output;
	int error, committed;

	trace_options_init(&options);
	argp_parse(&trace_print_argp, argc, argv, 0, NULL, &options);
	interrupt_catch();
	error = output_spares(options.common.output_path, options.path, &fault);
	if (!error)
		error = recorded_open(&recorded, options.path, &fault);
	if (error)
		return complain(error, &fault);
	error = output_open(&output, options.common.output_path, &fault);
	if (error) {
		recorded_close(&recorded);
		return complain(error, &fault);
	}
	/* What was read before it went wrong is printed. */
	error = print(&options, &recorded, output.stream, &fault);
	committed = output_commit(&output, &late);
	recorded_close(&recorded);
	if (error)
		return complain(error, &fault);
	if (committed)
		return complain(committed, &late);
	return interrupt_stop ? STATUS_INTERRUPTED : STATUS_DONE;
}
