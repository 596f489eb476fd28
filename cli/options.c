/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace/timeline.h"
#include "cli/command.h"
#include "traces/loaders.h"
#include "traces/nearest.h"
#include "traces/units.h"

/* Options without a letter. */
enum key {
	KEY_PROGRESS = 256,
	KEY_FORMAT,
	KEY_COLOR,
	KEY_SET,
	KEY_SEED,
	KEY_DB,
	KEY_ECHO,
	KEY_REQUIRE,
	KEY_BURST,
	KEY_NO_STALLS,
	KEY_PRICES,
	KEY_WORKLOAD,
	KEY_HOST_MEMORY,
	KEY_LOADER,
	KEY_DETAIL,
	KEY_TIMELINE,
	KEY_TIMELINE_STEPS,
};

void options_init(struct options *options)
{
	*options = (struct options){ .printer = &printer_table[0] };
}

void options_pass_on(struct argp_state *state,
		     const struct argp_child *children)
{
	size_t i;

	for (i = 0; children[i].argp; i++)
		state->child_inputs[i] = state->input;
}

_Noreturn void options_refuse(const struct argp_state *state,
			      const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_words(state->name, format, arguments);
	va_end(arguments);
	exit(STATUS_PERSON);
}

uint64_t options_bytes(const struct argp_state *state, const char *option,
		       const char *argument)
{
	char units[UNITS_MEANT_MAX];
	const char *meant = units_meant(argument, units);
	uint64_t bytes;

	if (units_parse(UNITS_BYTES, argument, &bytes) || !bytes ||
	    bytes > UINT64_C(1) << 60)
		options_refuse(state,
			       "%s %s: expected a size such as 256 GiB%s%s%s",
			       option, argument, meant ? "; did you mean " : "",
			       meant ? meant : "", meant ? "?" : "");
	return bytes;
}

/* --quiet --progress */

static const struct argp_option chatter_options[] = {
	{ "quiet", 'q', NULL, 0, "Only the product and errors", 0 },
	{ "progress", KEY_PROGRESS, NULL, 0,
	  "Show progress although stderr is not a terminal", 0 },
	{ 0 },
};

static error_t parse_chatter(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	(void)argument;
	if (key == 'q')
		options->quiet = true;
	else if (key == KEY_PROGRESS)
		options->progress = true;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

const struct argp chatter_argp = { .options = chatter_options,
				   .parser = parse_chatter };

/* --format --color -o */

static const struct argp_option output_options[] = {
	{ "format", KEY_FORMAT, "FORMAT", 0,
	  "text (default), json, csv or html", 0 },
	{ "color", KEY_COLOR, "auto|always|never", 0,
	  "Colour text; auto (default): on a terminal, but for NO_COLOR and "
	  "TERM=dumb",
	  0 },
	{ "output", 'o', "FILE", 0,
	  "Write to FILE instead of stdout; .txt, .json, .csv or .html decides "
	  "the format",
	  0 },
	{ 0 },
};

/* The suffix of a file decides where --format does not, and may not be
 * another format's. */
static void check_suffix(struct options *options,
			 const struct argp_state *state)
{
	const struct printer *printer = printer_of(options->output_path);

	if (!options->printer_given && printer)
		options->printer = printer;
	if (printer && options->printer != printer)
		options_refuse(state,
			       "-o %s: the name is that of %s, --format says "
			       "%s; expected one of them, or both alike",
			       options->output_path, printer->name,
			       options->printer->name);
}

static error_t parse_output(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	if (key == 'o') {
		options->output_path = argument;
	} else if (key == KEY_FORMAT) {
		options->printer = printer_find(argument);
		options->printer_given = true;
		if (!options->printer)
			options_refuse(state,
				       "--format %s: expected text, json, "
				       "csv or html",
				       argument);
	} else if (key == KEY_COLOR) {
		if (style_color_parse(argument, &options->color))
			options_refuse(state,
				       "--color %s: expected auto, always or "
				       "never",
				       argument);
	} else if (key == ARGP_KEY_END && options->output_path) {
		check_suffix(options, state);
	} else {
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp output_argp = { .options = output_options,
				  .parser = parse_output };

/* SCENARIO --workload --host-memory --loader --set --seed --db --prices --echo
 * --require --burst --no-stalls */

static const struct argp_option scenario_options[] = {
	{ "workload", KEY_WORKLOAD, "WORKLOAD", 0,
	  "A workload of `echosim list workloads` in the place of SCENARIO, "
	  "its dataset sized by the benchmark's rule for accelerator.count "
	  "and accelerator.hosts",
	  0 },
	{ "host-memory", KEY_HOST_MEMORY, "SIZE", 0,
	  "Memory of a host, for the size of a workload's dataset: 256GiB", 0 },
	{ "loader", KEY_LOADER, "LOADER", 0,
	  "A loader of `echosim list loaders` in the place of the scenario's; "
	  "what --set says is on top of it",
	  0 },
	{ "set", KEY_SET, "KEY=VALUE", 0,
	  "Override a field of the scenario; `echosim list fields`", 0 },
	{ "seed", KEY_SEED, "N", 0, "The same as --set seed=N", 0 },
	{ "db", KEY_DB, "NAME", 0, "The same as --set dataset.db=NAME", 0 },
	{ "prices", KEY_PRICES, "FILE", 0,
	  "Prices of hosts, accelerators and storage, as in the scenario's "
	  "prices section; the same as --set prices=FILE",
	  0 },
	{ "no-stalls", KEY_NO_STALLS, NULL, 0,
	  "Leave out what idles for, and what limits the rate: only the run "
	  "itself, a tenth of the time",
	  0 },
	{ "echo", KEY_ECHO, "PLACE:FACTOR", 0,
	  "Strategy instead of the scenario's: none, batch:2, "
	  "example-after-augment:1.5, batch:when-starved:4; may be repeated",
	  0 },
	{ "require", KEY_REQUIRE, "METRIC>=X", 0,
	  "Exit with 1 unless the metric is at least (<=: at most) X; may be "
	  "repeated",
	  0 },
	{ "burst", KEY_BURST, NULL, 0,
	  "Put goals to the start, while the burst credit of the device lasts; "
	  "without, to what is sustained, unless run.duration or run.epochs "
	  "say how long the job is",
	  0 },
	{ 0 },
};

static void add_override(struct options *options, const char *assignment,
			 const struct argp_state *state)
{
	if (options->override_count == OVERRIDES_MAX)
		options_refuse(state, "--set: at most %d of them",
			       OVERRIDES_MAX);
	options->overrides[options->override_count++] = assignment;
}

static void take_loader(struct options *options, const char *name,
			const struct argp_state *state)
{
	char near[NEAREST_OFFERS_MAX];
	uint32_t i;

	if (options->loader_count && !options->compares_loaders)
		options_refuse(state, "--loader: one loader, not \"%s\" too",
			       name);
	if (options->loader_count == LOADERS_MAX)
		options_refuse(state, "--loader: at most %d of them",
			       LOADERS_MAX);
	for (i = 0; i < options->loader_count; i++)
		if (!strcmp(options->loaders[i], name))
			options_refuse(state, "--loader %s: is there twice",
				       name);
	options->loaders[options->loader_count++] = name;
	if (embedded_find(&loaders, name))
		return;
	if (nearest_offers(name, &loaders, near, sizeof(near))[0])
		options_refuse(state,
			       "--loader %s: no such loader; did you mean %s?",
			       name, near);
	options_refuse(state,
		       "--loader %s: no such loader; `echosim list loaders` "
		       "names them",
		       name);
}

bool options_use_loader(struct options *options, const char *name)
{
	if (options->override_count == OVERRIDES_MAX)
		return false;
	snprintf(options->like, sizeof(options->like),
		 "pipeline.loader.like=%s", name);
	memmove(options->overrides + 1, options->overrides,
		options->override_count * sizeof(options->overrides[0]));
	options->overrides[0] = options->like;
	options->override_count++;
	return true;
}

static void set_loader(struct options *options, const struct argp_state *state)
{
	if (options->loader_count == 1 &&
	    !options_use_loader(options, options->loaders[0]))
		options_refuse(state, "--set: at most %d of them",
			       OVERRIDES_MAX);
}

/* A path is no YAML: it goes in quotes, which it may have itself. */
static void add_prices(struct options *options, const char *path,
		       const struct argp_state *state)
{
	char *at = stpcpy(options->prices, "prices='");

	if (strlen(path) > PRICES_ASSIGNMENT_MAX / 2 - sizeof("prices=''"))
		options_refuse(state, "--prices: the path is too long");
	options->prices_path = path;
	for (; *path; path++) {
		if (*path == '\'')
			*at++ = '\'';
		*at++ = *path;
	}
	*at++ = '\'';
	*at = '\0';
	add_override(options, options->prices, state);
}

static void add_echo(struct options *options, const char *text,
		     const struct argp_state *state)
{
	struct fault fault = { 0 };

	if (options->echo_count == SCENARIO_ECHOES_MAX)
		options_refuse(state, "--echo: at most %d of them",
			       SCENARIO_ECHOES_MAX);
	if (scenario_parse_echo(text, &options->echoes[options->echo_count],
				&fault))
		options_refuse(state, "--echo %s: %s", text, fault.text);
	options->echo_count++;
}

static void add_goal(struct options *options, const char *text,
		     const struct argp_state *state)
{
	struct fault fault = { 0 };

	if (options->goal_count == GOALS_MAX)
		options_refuse(state, "--require: at most %d of them",
			       GOALS_MAX);
	if (goal_parse(&options->goals[options->goal_count], text, &fault))
		options_refuse(state, "--require %s", fault.text);
	options->goal_count++;
}

/* A file or a workload, and nothing that would have no effect. */
static void check_scenario(struct options *options,
			   const struct argp_state *state)
{
	if (options->workload && options->scenario_path)
		options_refuse(state,
			       "--workload %s or SCENARIO, not \"%s\" too",
			       options->workload, options->scenario_path);
	if (!options->workload && options->host_memory_bytes)
		options_refuse(state, "--host-memory: has no effect without "
				      "--workload");
	if (options->burst && !options->goal_count)
		options_refuse(state, "--burst: has no effect without "
				      "--require");
	if (options->workload)
		options->scenario_path = options->workload;
	if (!options->scenario_path && options->replay_path) {
		options->scenario_path = options->replay_path;
		options->scenario_recorded = true;
	}
	if (!options->scenario_path)
		options_refuse(state, "SCENARIO is missing: the path of a "
				      "YAML file, or --workload NAME");
}

static error_t parse_scenario(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_SET:
		add_override(options, argument, state);
		return 0;
	case KEY_SEED:
		snprintf(options->seed, sizeof(options->seed), "seed=%s",
			 argument);
		add_override(options, options->seed, state);
		return 0;
	case KEY_DB:
		snprintf(options->db, sizeof(options->db), "dataset.db=%s",
			 argument);
		add_override(options, options->db, state);
		return 0;
	case KEY_PRICES:
		add_prices(options, argument, state);
		return 0;
	case KEY_ECHO:
		add_echo(options, argument, state);
		return 0;
	case KEY_REQUIRE:
		add_goal(options, argument, state);
		return 0;
	case KEY_BURST:
		options->burst = true;
		return 0;
	case KEY_NO_STALLS:
		options->no_stalls = true;
		return 0;
	case KEY_WORKLOAD:
		options->workload = argument;
		return 0;
	case KEY_LOADER:
		take_loader(options, argument, state);
		return 0;
	case KEY_HOST_MEMORY:
		options->host_memory_bytes =
			options_bytes(state, "--host-memory", argument);
		return 0;
	case ARGP_KEY_ARG:
		if (options->scenario_path)
			options_refuse(state, "one SCENARIO, not \"%s\" too",
				       argument);
		options->scenario_path = argument;
		return 0;
	case ARGP_KEY_END:
		set_loader(options, state);
		check_scenario(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp scenario_argp = { .options = scenario_options,
				    .parser = parse_scenario };

/* --detail --timeline-steps */

static const struct argp_option watch_options[] = {
	{ "detail", KEY_DETAIL, NULL, 0,
	  "With --format json: also what a page shows, the levels of queues "
	  "and the timeline",
	  0 },
	{ "timeline-steps", KEY_TIMELINE_STEPS, "N", 0,
	  "Steps of a timeline at the start, and of one in a steady stretch "
	  "(default 10)",
	  0 },
	{ 0 },
};

static uint64_t parse_steps(const char *text, const struct argp_state *state)
{
	char *end;
	unsigned long long steps = strtoull(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || !steps ||
	    steps > TIMELINE_STEPS_MAX)
		options_refuse(state,
			       "--timeline-steps %s: expected a whole number "
			       "from 1 to %d",
			       text, TIMELINE_STEPS_MAX);
	return steps;
}

static error_t parse_watch(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_DETAIL:
		options->detail = true;
		return 0;
	case KEY_TIMELINE_STEPS:
		options->timeline_steps = parse_steps(argument, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp watch_argp = { .options = watch_options,
				 .parser = parse_watch };

/* --timeline */

static const struct argp_option timeline_options[] = {
	{ "timeline", KEY_TIMELINE, "FILE", 0,
	  "Write what happened in the first steps and in a steady stretch to "
	  "FILE, for ui.perfetto.dev; of each at most 65536 events",
	  0 },
	{ 0 },
};

static error_t parse_timeline(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	if (key != KEY_TIMELINE)
		return ARGP_ERR_UNKNOWN;
	options->timeline_path = argument;
	return 0;
}

const struct argp timeline_argp = { .options = timeline_options,
				    .parser = parse_timeline };
