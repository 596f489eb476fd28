/* SPDX-License-Identifier: MIT */
/* echosim trace export: a recording for other programs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/trace/export.h"
#include "cli/help_filter.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/trace/trace.h"

#define NAMES_MAX 1024

enum key {
	KEY_TO = 512,
	KEY_OBJECT,
};

struct export_arguments {
	struct options common; /* first: the children's input */
	const char *path;
	const struct exporter *exporter;
	const char *names[NAMES_MAX];
	struct export_options export;
};

static const struct argp_option option_list[] = {
	{ "to", KEY_TO, "FORMAT", 0, "What to write", 0 },
	{ "output", 'o', "OUT", 0, "Write to OUT instead of stdout", 0 },
	{ "object", KEY_OBJECT, "NAME", 0,
	  "The name of object 0; again: of object 1, and so on (default "
	  "object-0, object-1, ...)",
	  0 },
	{ 0 },
};

static const struct exporter *find(const char *name,
				   const struct argp_state *state)
{
	const struct exporter *found = exporter_find(name);

	if (!found)
		options_refuse(
			state,
			"--to %s: no such format; `%s --help` lists them", name,
			state->name);
	return found;
}

static void take_name(struct export_arguments *arguments, const char *name,
		      const struct argp_state *state)
{
	if (arguments->export.name_count == NAMES_MAX)
		options_refuse(state, "--object: at most %d names", NAMES_MAX);
	if (!name[0] || name[strcspn(name, " \t\n")])
		options_refuse(state,
			       "--object \"%s\": expected a name "
			       "without blanks",
			       name);
	arguments->names[arguments->export.name_count++] = name;
}

static const struct argp_child children[] = {
	{ &chatter_argp, 0, NULL, 0 },
	{ 0 },
};

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct export_arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, children);
		return 0;
	case KEY_TO:
		arguments->exporter = find(text, state);
		return 0;
	case 'o':
		arguments->common.output_path = text;
		return 0;
	case KEY_OBJECT:
		take_name(arguments, text, state);
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->path)
			options_refuse(state, "one FILE, not \"%s\" too", text);
		arguments->path = text;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->path)
			options_refuse(state, "FILE is missing: a recording, "
					      "or - for stdin");
		if (!arguments->exporter)
			options_refuse(state, "--to FORMAT is missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* How far, by the bytes of the file. */
struct distance {
	struct progress progress;
	uint64_t total_bytes; /* 0: not known */
};

static void show_distance(struct distance *distance,
			  const struct recorded *recorded)
{
	uint64_t taken = byte_stream_taken(recorded->stream);

	if (distance->total_bytes)
		progress_update(&distance->progress,
				(double)taken / (double)distance->total_bytes);
}

static int copy_events(struct recorded *recorded, struct exporting *export,
		       struct distance *distance, struct fault *fault)
{
	struct trace_event event;
	int got;

	while ((got = recording_next(recorded->recording, &event, fault)) > 0) {
		show_distance(distance, recorded);
		if (interrupt_stop) {
			fault_set(fault, NULL, 0, "interrupted");
			return -EINTR;
		}
		got = export_put(export, &event, fault);
		if (got)
			return got;
	}
	return got;
}

static int export_all(const struct export_arguments *arguments,
		      struct recorded *recorded, FILE *out, struct fault *fault)
{
	struct distance distance = { 0 };
	struct exporting export;
	struct stat status;
	int error, ending;

	error = export_begin(&export, arguments->exporter, &arguments->export,
			     out);
	if (error)
		return error;
	if (!stat(arguments->path, &status) && S_ISREG(status.st_mode))
		distance.total_bytes = (uint64_t)status.st_size;
	progress_init(&distance.progress, arguments->common.progress,
		      arguments->common.quiet);
	progress_start(&distance.progress, "export");
	error = copy_events(recorded, &export, &distance, fault);
	progress_stop(&distance.progress);
	ending = export_end(&export, fault);
	if (error || ending)
		return error ? error : ending;
	if (export.left && !arguments->common.quiet)
		say("%llu events have no place in %s and are left out",
		    (unsigned long long)export.left, arguments->exporter->name);
	if (!recording_end(recorded->recording) && !arguments->common.quiet)
		say("%s: is cut short; what there is was exported",
		    arguments->path);
	return 0;
}

static int export_file(const struct export_arguments *arguments,
		       struct fault *fault)
{
	const char *target = arguments->common.output_path;
	struct recorded recorded;
	struct output output;
	int error;

	error = output_spares(target, arguments->path, fault);
	if (!error)
		error = recorded_open(&recorded, arguments->path, fault);
	if (error)
		return error;
	error = output_open(&output, target, fault);
	if (error)
		goto close_recorded;
	error = export_all(arguments, &recorded, output.stream, fault);
	if (error && !fault->file)
		fault->file = arguments->path;
	if (error)
		output_abandon(&output);
	else
		error = output_commit(&output, fault);
close_recorded:
	recorded_close(&recorded);
	return error;
}

static void write_help(FILE *out, const char *text)
{
	size_t i;

	fputs("Formats:\n", out);
	for (i = 0; i < exporter_count; i++)
		fprintf(out, "  %-10s %s\n", exporter_table[i]->name,
			exporter_table[i]->help);
	fprintf(out, "\n%s", text);
}

static char *filter(int key, const char *text, void *input)
{
	(void)input;
	return help_filter(key, text, write_help);
}

static const char doc[] =
	"Write a recording, or what `echosim trace import` made of a foreign "
	"trace, for other programs."
	"\v"
	"Examples:\n"
	"  echosim trace export run.trace --to csv -o run.csv\n"
	"  echosim trace export run.trace --to iolog --object /dev/nvme1n1 -o "
	"run.iolog\n"
	"  fio --name=replay --read_iolog=run.iolog\n";

const struct argp trace_export_argp = {
	.options = option_list,
	.parser = parse,
	.args_doc = "FILE",
	.doc = doc,
	.children = children,
	.help_filter = filter,
};

int trace_export(int argc, char **argv)
{
	static struct export_arguments arguments;
	struct fault fault = { 0 };
	int error;

	options_init(&arguments.common);
	arguments.export.names = arguments.names;
	argp_parse(&trace_export_argp, argc, argv, 0, NULL, &arguments);
	interrupt_catch();
	error = export_file(&arguments, &fault);
	return error ? complain(error, &fault) : STATUS_DONE;
}
