/* SPDX-License-Identifier: MIT */
/* echosim trace import: a foreign trace as a recording. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/text.h"
#include "cli/help_filter.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/trace/recorder.h"
#include "cli/trace/trace.h"
#include "storage/byte_stream.h"
#include "traces/import/import.h"
#include "traces/nearest.h"
#include "traces/import/order.h"
#include "traces/units.h"

enum key {
	KEY_FROM = 512,
	KEY_ONLY,
	KEY_STRICT,
	KEY_WAIT_UNIT,
	KEY_WINDOW,
};

struct import_arguments {
	struct options common; /* first: the children's input */
	const char *path;
	const char *target;
	const struct importer *importer;
	struct import_options import;
};

static const struct argp_option option_list[] = {
	{ "output", 'o', "OUT", 0, "The recording to make", 0 },
	{ "from", KEY_FROM, "FORMAT", 0,
	  "What FILE is, if it is not what it looks like", 0 },
	{ "only", KEY_ONLY, "PATH-PREFIX", 0,
	  "Only the requests of files whose path begins so: a log has "
	  "libraries and checkpoints besides",
	  0 },
	{ "strict", KEY_STRICT, NULL, 0,
	  "Stop at the first line that cannot be read", 0 },
	{ "wait-unit", KEY_WAIT_UNIT, "UNIT", 0,
	  "What `wait N` in fio's iolog of version 2 means: ms-absolute "
	  "(default, as fio's code has it) or us-relative (as its "
	  "documentation has it)",
	  0 },
	{ "window", KEY_WINDOW, "N", 0,
	  "Events held in memory to put them in order of time (default 65536, "
	  "5.8 MB; at most 16777216)",
	  0 },
	{ 0 },
};

static const struct importer *find(const char *name,
				   const struct argp_state *state)
{
	const struct importer *found = importer_find(name), *best = NULL;
	struct nearest nearest = nearest_to(name);
	size_t i;

	for (i = 0; !found && i < importer_count; i++)
		if (nearest_take(&nearest, importer_table[i]->name,
				 strlen(importer_table[i]->name)))
			best = importer_table[i];
	if (found)
		return found;
	if (best)
		options_refuse(state,
			       "--from %s: no such format; did you mean %s?",
			       name, best->name);
	options_refuse(state,
		       "--from %s: no such format; `%s --help` lists "
		       "them",
		       name, state->name);
}

static enum import_wait find_wait(const char *name,
				  const struct argp_state *state)
{
	size_t i;

	for (i = 0; i < IMPORT_WAITS; i++)
		if (!strcmp(import_wait_names[i], name))
			return (enum import_wait)i;
	options_refuse(state,
		       "--wait-unit %s: expected ms-absolute or "
		       "us-relative",
		       name);
}

static size_t parse_window(const char *text, const struct argp_state *state)
{
	uint64_t window;

	if (units_parse(UNITS_COUNT, text, &window) || !window ||
	    window > ORDER_EVENTS_MAX)
		options_refuse(state, "--window %s: expected 1 to %u", text,
			       ORDER_EVENTS_MAX);
	return (size_t)window;
}

static const struct argp_child children[] = {
	{ &chatter_argp, 0, NULL, 0 },
	{ 0 },
};

static void take_path(struct import_arguments *arguments, const char *text,
		      const struct argp_state *state)
{
	if (arguments->path)
		options_refuse(state, "one FILE, not \"%s\" too", text);
	arguments->path = text;
	arguments->import.name = text;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct import_arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, children);
		return 0;
	case 'o':
		arguments->target = text;
		return 0;
	case KEY_FROM:
		arguments->importer = find(text, state);
		return 0;
	case KEY_ONLY:
		arguments->import.only = text;
		return 0;
	case KEY_STRICT:
		arguments->import.strict = true;
		return 0;
	case KEY_WAIT_UNIT:
		arguments->import.wait = find_wait(text, state);
		return 0;
	case KEY_WINDOW:
		arguments->import.window = parse_window(text, state);
		return 0;
	case ARGP_KEY_ARG:
		take_path(arguments, text, state);
		return 0;
	case ARGP_KEY_END:
		if (!arguments->path)
			options_refuse(state, "FILE is missing: a trace, or - "
					      "for stdin");
		if (!arguments->target)
			options_refuse(state, "-o OUT is missing: the "
					      "recording to make");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Everything on its way from the file to the recording. */
struct course {
	const struct import_arguments *arguments;
	struct import_report report;
	struct byte_stream *stream;
	struct recorder recorder;
	struct figures end; /* of the recording */
	bool recording;	    /* the recorder is open */
	struct progress progress;
	uint64_t total_bytes; /* 0: not known */
	struct fault *fault;
};

/* The recording is made when there is something to put into it. */
static int open_recording(struct course *course)
{
	const char *from = course->report.importer->name;
	struct recording_head head = { .version = RECORDING_VERSION,
				       .live = true,
				       .native = true,
				       .imported = true };
	char text[128];
	int error;

	head.text = text;
	head.text_bytes = (size_t)snprintf(text, sizeof(text),
					   "name: imported from %s\n", from);
	error = recorder_open(&course->recorder, course->arguments->target,
			      &head, course->fault);
	course->recording = !error;
	return error;
}

static int take_event(void *context, const struct trace_event *event)
{
	struct course *course = context;
	struct watcher *watcher = &course->recorder.watcher;
	int error;

	if (!course->recording) {
		error = open_recording(course);
		if (error)
			return error;
	}
	watcher->event(watcher->context, event);
	if (order_told_ns(event) > course->end.run_ns)
		course->end.run_ns = order_told_ns(event);
	if (event->end_ns > course->end.run_ns)
		course->end.run_ns = event->end_ns;
	return 0;
}

static int take_bytes(void *context, void *bytes, size_t size, size_t *count,
		      struct fault *fault)
{
	struct course *course = context;

	if (interrupt_stop) {
		fault_set(fault, course->arguments->path, 0, "interrupted");
		return -EINTR;
	}
	if (course->total_bytes)
		progress_update(&course->progress,
				(double)byte_stream_taken(course->stream) /
					(double)course->total_bytes);
	return byte_stream_read(course->stream, bytes, size, count, fault);
}

/* What the person should know of what was read. */
static void tell(const struct course *course)
{
	const struct import_report *report = &course->report;
	size_t i;

	if (report->bad)
		say("%s: %llu %ss could not be read; the first is %s %llu: %s",
		    course->arguments->path, (unsigned long long)report->bad,
		    report->importer->unit, report->importer->unit,
		    (unsigned long long)report->bad_line, report->bad_text);
	if (report->unwanted)
		say("%s: %llu requests are of files whose path does not begin "
		    "with \"%s\" and are left out",
		    course->arguments->path,
		    (unsigned long long)report->unwanted,
		    course->arguments->import.only);
	for (i = 0; i < report->note_count; i++)
		say("%s: %s", course->arguments->path, report->notes[i]);
}

static void print_summary(const struct course *course)
{
	const struct import_report *report = &course->report;

	say_product(
		stdout,
		"%s: from %s, %llu requests, %llu batches and %llu steps in "
		"%llu %ss",
		course->arguments->target, report->importer->name,
		(unsigned long long)report->events[TRACE_REQUEST],
		(unsigned long long)report->events[TRACE_BATCH],
		(unsigned long long)report->events[TRACE_STEP],
		(unsigned long long)report->lines, report->importer->unit);
}

static int import(struct course *course)
{
	const struct import_arguments *arguments = course->arguments;
	const struct byte_source source = { course, take_bytes };
	const struct import_sink sink = { course, take_event };
	struct fault late = { 0 };
	int error, closing;

	error = import_run(arguments->importer, &arguments->import, &source,
			   &sink, &course->report, course->fault);
	if (error && !course->fault->file)
		course->fault->file = arguments->path;
	if (!course->recording)
		return error;
	course->end.complete = !error;
	closing = recorder_close(&course->recorder, &course->end,
				 error ? &late : course->fault);
	return error ? error : closing;
}

static int import_file(struct course *course, struct fault *fault)
{
	const struct import_arguments *arguments = course->arguments;
	struct stat status;
	int error;

	error = output_spares(arguments->target, arguments->path, fault);
	if (!error)
		error = byte_stream_open(&course->stream, arguments->path,
					 fault);
	if (error)
		return error;
	if (!stat(arguments->path, &status) && S_ISREG(status.st_mode))
		course->total_bytes = (uint64_t)status.st_size;
	progress_init(&course->progress, arguments->common.progress,
		      arguments->common.quiet);
	progress_start(&course->progress, "import");
	error = import(course);
	progress_stop(&course->progress);
	byte_stream_close(course->stream);
	if (!error && !arguments->common.quiet)
		tell(course);
	if (!error)
		print_summary(course);
	else if (course->recording && !arguments->common.quiet)
		say("%s: what was read before is kept, marked incomplete",
		    arguments->target);
	return error;
}

#define HELP_COLUMNS 78 /* those that argp leaves as they are */

static void write_help(FILE *out, const char *text)
{
	size_t i;

	fputs("Formats, what they hold, and limits:\n", out);
	for (i = 0; i < importer_count; i++) {
		const struct importer *importer = importer_table[i];
		char told[1024];

		snprintf(told, sizeof(told), "%s: %s. Holds %s.%s%s",
			 importer->name, importer->from, importer->yields,
			 importer->limits[0] ? " " : "", importer->limits);
		text_paragraph_within(out, HELP_COLUMNS, "  ", "      ", told);
	}
	fprintf(out, "\n%s", text);
}

static char *filter(int key, const char *text, void *input)
{
	(void)input;
	return help_filter(key, text, write_help);
}

static const char doc[] =
	"Make a recording of a trace that another program wrote. The format is "
	"found from the first bytes; gzip and zstd are unpacked on the way. "
	"Lines that cannot be read are counted and the first is shown."
	"\v"
	"Lines have at most 65536 bytes, a trace at most 4194304 files.\n"
	"\n"
	"Examples:\n"
	"  fio --write_iolog=job.iolog job.fio\n"
	"  echosim trace import job.iolog -o job.trace\n"
	"  strace -f -ttt -T -yy -o job.strace python train.py\n"
	"  echosim trace import job.strace -o job.trace\n"
	"  echosim trace import job.strace --only /data/ -o data.trace\n"
	"  echosim trace import dxt.txt --from darshan --window 1000000 -o "
	"job.trace\n";

const struct argp trace_import_argp = {
	.options = option_list,
	.parser = parse,
	.args_doc = "FILE",
	.doc = doc,
	.children = children,
	.help_filter = filter,
};

int trace_import(int argc, char **argv)
{
	static struct import_arguments arguments;
	static struct course course;
	struct fault fault = { 0 };
	int error;

	options_init(&arguments.common);
	argp_parse(&trace_import_argp, argc, argv, 0, NULL, &arguments);
	interrupt_catch();
	course.arguments = &arguments;
	course.fault = &fault;
	error = import_file(&course, &fault);
	return error ? complain(error, &fault) : STATUS_DONE;
}
