/* SPDX-License-Identifier: MIT */
#include "cli/help_filter.h"
#include "cli/trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace/table.h"
#include "traces/nearest.h"
#include "traces/units.h"

const struct command trace_commands[] = {
	{ "info", "what a recording holds, and whether it is whole", trace_info,
	  &trace_info_argp },
	{ "print", "its events, one a line", trace_print, &trace_print_argp },
	{ "stat", "rates, latencies, sizes, order, depth over time", trace_stat,
	  &trace_stat_argp },
	{ "cut", "a stretch of time of it, as a recording", trace_cut,
	  &trace_cut_argp },
	{ "verify", "check every frame, record and count", trace_verify,
	  &trace_verify_argp },
	{ "fit", "a scenario from a recording, with its error", trace_fit,
	  &trace_fit_argp },
	{ "import", "a foreign trace as a recording", trace_import,
	  &trace_import_argp },
	{ "export", "a recording for other programs", trace_export,
	  &trace_export_argp },
};

const size_t trace_command_count =
	sizeof(trace_commands) / sizeof(trace_commands[0]);

/* ---- what the commands share ---- */

void trace_options_init(struct trace_options *options)
{
	*options = (struct trace_options){ .from_ns = INT64_MIN,
					   .to_ns = INT64_MAX };
	options_init(&options->common);
}

static void take_path(struct trace_options *options, char *argument,
		      const struct argp_state *state)
{
	if (!argument && !options->path)
		options_refuse(state, "FILE is missing: what --trace wrote, or "
				      "- for stdin");
	if (argument && options->path)
		options_refuse(state, "one FILE, not \"%s\" too", argument);
	if (argument)
		options->path = argument;
}

error_t trace_parse(int key, char *argument, struct argp_state *state)
{
	switch (key) {
	case ARGP_KEY_ARG:
	case ARGP_KEY_NO_ARGS:
		take_path(state->input, argument, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

enum { KEY_KIND = 512, KEY_FROM, KEY_TO };

static const struct argp_option range_options[] = {
	{ "kind", KEY_KIND, "KIND", 0,
	  "Only requests (request), stages' work (work), batches (batch) or "
	  "steps (step); may be repeated",
	  0 },
	{ "from", KEY_FROM, "TIME", 0,
	  "Only what is under way at TIME or later", 0 },
	{ "to", KEY_TO, "TIME", 0, "Only what began before TIME", 0 },
	{ 0 },
};

static int64_t parse_time(const char *name, const char *text,
			  const struct argp_state *state)
{
	uint64_t time_ns = 0;

	if (units_parse(UNITS_TIME, text, &time_ns) || time_ns > INT64_MAX)
		options_refuse(
			state,
			"--%s %s: expected a time such as 1.5 s or 20 ms", name,
			text);
	return (int64_t)time_ns;
}

static uint32_t parse_kind(const char *text, const struct argp_state *state)
{
	int kind;

	for (kind = 0; kind < TRACE_KINDS; kind++)
		if (!strcmp(text, trace_kind_name((uint8_t)kind)))
			return 1U << kind;
	options_refuse(state,
		       "--kind %s: expected request, work, batch, step or "
		       "carry",
		       text);
}

static error_t parse_range(int key, char *argument, struct argp_state *state)
{
	struct trace_options *options = state->input;

	switch (key) {
	case KEY_KIND:
		options->kinds |= parse_kind(argument, state);
		return 0;
	case KEY_FROM:
		options->from_ns = parse_time("from", argument, state);
		return 0;
	case KEY_TO:
		options->to_ns = parse_time("to", argument, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp trace_range_argp = { .options = range_options,
				       .parser = parse_range };

bool trace_wants(const struct trace_options *options,
		 const struct trace_event *event)
{
	int64_t begin_ns = trace_event_begin_ns(event);
	int64_t end_ns = trace_event_end_ns(event);

	if (options->kinds && !(options->kinds & 1U << event->kind))
		return false;
	return end_ns >= options->from_ns && begin_ns < options->to_ns;
}

/* ---- the command ---- */

struct front {
	const struct command *command;
	int argc; /* of the command, its name first */
	char **argv;
};

static const struct command *find(const char *name,
				  const struct argp_state *state)
{
	struct nearest nearest = nearest_to(name);
	const char *best = NULL;
	size_t i;

	for (i = 0; i < trace_command_count; i++) {
		if (!strcmp(trace_commands[i].name, name))
			return &trace_commands[i];
		if (nearest_take(&nearest, trace_commands[i].name,
				 strlen(trace_commands[i].name)))
			best = trace_commands[i].name;
	}
	if (best)
		options_refuse(state, "no \"%s\"; did you mean \"%s\"?", name,
			       best);
	options_refuse(state,
		       "no \"%s\"; `echosim trace --help` lists what "
		       "there is",
		       name);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct front *front = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		front->command = find(argument, state);
		front->argc = state->argc - state->next + 1;
		front->argv = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		options_refuse(state, "what to do is missing: info, print, "
				      "stat, ...; `echosim trace --help` lists "
				      "them");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void write_help(FILE *out, const char *text)
{
	size_t i;

	fputs("What it does:\n", out);
	for (i = 0; i < trace_command_count; i++)
		fprintf(out, "  %-10s %s\n", trace_commands[i].name,
			trace_commands[i].help);
	fprintf(out, "\n%s", text);
}

static char *filter(int key, const char *text, void *input)
{
	(void)input;
	return help_filter(key, text, write_help);
}

static const char doc[] =
	"Look at what `run --trace` and `sim --trace` recorded, every request, "
	"every stage's work, every batch and every step; make a scenario of "
	"it; bring traces of other programs in, and recordings out."
	"\v"
	"Examples:\n"
	"  echosim run train.yaml --trace run.trace\n"
	"  echosim trace info run.trace\n"
	"  echosim trace stat run.trace\n"
	"  echosim trace print run.trace --kind request --to '1 s'\n"
	"  echosim trace fit run.trace -o fitted.yaml\n"
	"\n"
	"`echosim trace WHAT --help` says more.\n";

const struct argp trace_argp = {
	.parser = parse,
	.args_doc = "WHAT [ARGUMENT...]",
	.doc = doc,
	.help_filter = filter,
};

int command_trace(int argc, char **argv)
{
	struct front front = { 0 };
	char name[64];

	argp_parse(&trace_argp, argc, argv, ARGP_IN_ORDER, NULL, &front);
	snprintf(name, sizeof(name), "%s %s", argv[0], front.command->name);
	front.argv[0] = name;
	return front.command->run(front.argc, front.argv);
}
