/* SPDX-License-Identifier: MIT */
/* echosim probe: a device profile from real reads. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/calibration.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/show.h"
#include "cli/progress.h"
#include "storage/clock.h"
#include "storage/probe/probe.h"
#include "traces/units.h"

#define NS_PER_S 1000000000LL
#define BUDGET_NS (20 * NS_PER_S)
#define BUDGET_NS_MAX (24 * 3600 * NS_PER_S)

enum key {
	KEY_FORMAT = 512,
	KEY_CREATE,
	KEY_TIME,
	KEY_SOAK,
	KEY_DIRECT,
	KEY_BUFFERED,
	KEY_SEED,
};

struct probe_arguments {
	struct options common; /* first: the children's input */
	struct probe_options probe;
	const char *profile_path;
};

static const struct argp_option option_list[] = {
	{ "output", 'o', "FILE", 0,
	  "Write the profile to FILE, for storage.device of a scenario", 0 },
	{ "format", KEY_FORMAT, "FORMAT", 0,
	  "Of what is printed: text (default), json, csv or html", 0 },
	{ "create", KEY_CREATE, "SIZE", 0,
	  "Read a file of SIZE that is made in the folder PATH and goes away "
	  "at the end, whatever the end is",
	  0 },
	{ "time", KEY_TIME, "TIME", 0,
	  "How long to measure (default 20 s); more is more exact", 0 },
	{ "soak", KEY_SOAK, NULL, 0,
	  "First read at full rate for half of the time, to find a burst and "
	  "what is behind it",
	  0 },
	{ "direct", KEY_DIRECT, NULL, 0,
	  "Give up where O_DIRECT is refused (default: read through the page "
	  "cache then, and say so)",
	  0 },
	{ "buffered", KEY_BUFFERED, NULL, 0,
	  "Read through the page cache in any case", 0 },
	{ "seed", KEY_SEED, "N", 0, "Of the places that are read (default 1)",
	  0 },
	{ 0 },
};

static const struct argp_child children[] = {
	{ &chatter_argp, 0, NULL, 0 },
	{ 0 },
};

static uint64_t amount(enum units_kind kind, const char *option,
		       const char *text, const struct argp_state *state)
{
	uint64_t value;

	if (units_parse(kind, text, &value))
		options_refuse(state, "%s %s: expected %s", option, text,
			       units_describe(kind));
	return value;
}

static const struct printer *find_printer(const char *name,
					  const struct argp_state *state)
{
	const struct printer *printer = printer_find(name);

	if (!printer)
		options_refuse(state,
			       "--format %s: expected text, json, csv or html",
			       name);
	return printer;
}

static void set_time(struct probe_options *probe, const char *text,
		     const struct argp_state *state)
{
	uint64_t budget_ns = amount(UNITS_TIME, "--time", text, state);

	if (!budget_ns || budget_ns > BUDGET_NS_MAX)
		options_refuse(state, "--time %s: expected 1 ns to 24 h", text);
	probe->budget_ns = (int64_t)budget_ns;
}

static void set_create(struct probe_options *probe, const char *text,
		       const struct argp_state *state)
{
	probe->create_bytes = amount(UNITS_BYTES, "--create", text, state);
	if (probe->create_bytes < PROBE_BYTES_MIN)
		options_refuse(state, "--create %s: expected at least 1 MiB",
			       text);
}

static void set_cache(struct probe_options *probe, enum probe_cache cache,
		      const struct argp_state *state)
{
	if (probe->cache != PROBE_DIRECT_OR_NOT && probe->cache != cache)
		options_refuse(state, "--direct or --buffered, not both");
	probe->cache = cache;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct probe_arguments *arguments = state->input;
	struct probe_options *probe = &arguments->probe;

	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, children);
		return 0;
	case 'o':
		arguments->profile_path = text;
		return 0;
	case KEY_FORMAT:
		arguments->common.printer = find_printer(text, state);
		return 0;
	case KEY_CREATE:
		set_create(probe, text, state);
		return 0;
	case KEY_TIME:
		set_time(probe, text, state);
		return 0;
	case KEY_SOAK:
		probe->soak = true;
		return 0;
	case KEY_DIRECT:
		set_cache(probe, PROBE_DIRECT, state);
		return 0;
	case KEY_BUFFERED:
		set_cache(probe, PROBE_BUFFERED, state);
		return 0;
	case KEY_SEED:
		probe->seed = amount(UNITS_COUNT, "--seed", text, state);
		return 0;
	case ARGP_KEY_ARG:
		if (probe->path)
			options_refuse(state, "one PATH, not \"%s\" too", text);
		probe->path = text;
		return 0;
	case ARGP_KEY_NO_ARGS:
		options_refuse(state, "PATH is missing: a file, a folder or a "
				      "block device");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool show_progress(void *context, const char *what, double done)
{
	struct progress *progress = context;

	if (strcmp(progress->label, what) != 0)
		progress_start(progress, what);
	progress_update(progress, done);
	return !interrupt_stop;
}

static int measure(struct probe_arguments *arguments,
		   struct probe_result *result, struct fault *fault)
{
	struct progress progress;
	int error;

	progress_init(&progress, arguments->common.progress,
		      arguments->common.quiet);
	arguments->probe.progress = show_progress;
	arguments->probe.context = &progress;
	error = probe_run(&arguments->probe, result, fault);
	progress_stop(&progress);
	return error;
}

static enum calibration_use use_of(const struct probe_point *point)
{
	if (point->sequential)
		return CALIBRATION_SHOWN;
	return point->held_out ? CALIBRATION_HELD_OUT : CALIBRATION_FITTED;
}

static int calibrate(const struct probe_options *probe,
		     const struct probe_result *result,
		     struct calibration *calibration, struct fault *fault)
{
	size_t i;

	*calibration = (struct calibration){
		.path = probe->path,
		.what = result->facts.what,
		.files = result->facts.files,
		.bytes = result->facts.bytes,
		.direct = result->facts.direct,
		.complete = result->complete,
		.backend = result->facts.backend,
		.notes = result->facts.notes,
		.date = calibration->date,
		.seed = probe->seed,
		.count = result->count,
		.latency_ns = &result->latency_ns,
		.soak_bytes_per_s = result->soak_bytes_per_s,
		.soak_count = result->soak_count,
		.soak_period_s = PROBE_SOAK_PERIOD_S,
	};
	for (i = 0; i < result->count; i++) {
		const struct probe_measure *measure = &result->measures[i];

		calibration->points[i] = (struct calibration_point){
			.point = { measure->point.inflight,
				   measure->point.bytes,
				   measure->requests_per_s },
			.use = use_of(&measure->point),
			.rounds = measure->rounds,
			.lower_per_s = measure->lower_per_s,
			.upper_per_s = measure->upper_per_s,
		};
	}
	return calibration_make(calibration, fault);
}

/* Notes stand in the text; beside the other formats they go to stderr. */
static void say_notes(const struct probe_arguments *arguments,
		      const struct calibration *calibration)
{
	const char *at = calibration->notes;

	if (arguments->common.printer == &printer_table[0] ||
	    arguments->common.quiet)
		return;
	while (*at) {
		int length = (int)strcspn(at, "\n");

		say("%s: %.*s", calibration->path, length, at);
		at += length;
		at += *at == '\n';
	}
}

/* What is printed; without a file for it, the profile too. */
static int show_calibration(const struct probe_arguments *arguments,
			    const struct calibration *calibration,
			    struct fault *fault)
{
	struct document *document = calibration_document(calibration);
	char *profile = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&profile, &size);
	int error;

	if (stream) {
		calibration_yaml(stream, calibration);
		if (!fclose(stream) && !arguments->profile_path)
			document_literal(document, "profile",
					 "The profile, which -o FILE writes "
					 "to a file",
					 profile);
	}
	free(profile);
	error = show(&arguments->common, document, fault);
	return stream ? error : -ENOMEM;
}

static const char doc[] =
	"Measure real storage with reads and make a device profile of it: "
	"rates by requests in flight and by size, the latency of a single "
	"request, and how well the device model, given the profile, predicts "
	"points that it was not fitted to."
	"\v"
	"PATH is a file, a folder, whose largest files are read, or a block "
	"device. Nothing is written, but for a file of its own with --create.\n"
	"\n"
	"Examples:\n"
	"  echosim probe /mnt/data --create 2GiB --time 60s -o mine.yaml\n"
	"  echosim probe /mnt/data/train -o mine.yaml\n"
	"  echosim probe /mnt/data --create 8GiB --time 5min --soak\n"
	"  echosim sim train.yaml --set storage.device=mine.yaml\n";

/* The profile's file is opened before anything is measured: where it cannot
 * be, nothing else needs to be tried. */
static int probe(struct probe_arguments *arguments, struct probe_result *result,
		 struct calibration *calibration, struct fault *fault)
{
	const char *path = arguments->profile_path;
	struct output profile;
	int error = output_spares(path, arguments->probe.path, fault);

	if (path && !error)
		error = output_open(&profile, path, fault);
	if (error)
		return error;
	error = measure(arguments, result, fault);
	if (!error)
		error = calibrate(&arguments->probe, result, calibration,
				  fault);
	if (path && error)
		output_abandon(&profile);
	if (error)
		return error;
	if (path) {
		calibration_yaml(profile.stream, calibration);
		error = output_commit(&profile, fault);
	}
	say_notes(arguments, calibration);
	return error ? error : show_calibration(arguments, calibration, fault);
}

const struct argp probe_argp = {
	.options = option_list,
	.parser = parse,
	.args_doc = "PATH",
	.doc = doc,
	.children = children,
};

int command_probe(int argc, char **argv)
{
	static struct probe_arguments arguments = {
		.probe = { .budget_ns = BUDGET_NS, .seed = 1 },
	};
	static struct probe_result result;
	static struct calibration calibration;
	char date[CLOCK_DATE_BYTES];
	struct fault fault = { 0 };
	int error;

	options_init(&arguments.common);
	argp_parse(&probe_argp, argc, argv, 0, NULL, &arguments);
	interrupt_catch();
	clock_date(date);
	calibration.date = date;
	error = probe(&arguments, &result, &calibration, &fault);
	probe_release(&result);
	if (error)
		return complain(error, &fault);
	return calibration.complete ? STATUS_DONE : STATUS_INTERRUPTED;
}
