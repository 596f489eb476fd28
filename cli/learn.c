/* SPDX-License-Identifier: MIT */
/* echosim learn: what a repeat is worth, measured by training. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/learn/measure.h"
#include "analysis/learn/mlp.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "analysis/document/grid.h"
#include "cli/output.h"
#include "cli/show.h"
#include "cli/progress.h"
#include "storage/parallel.h"
#include "traces/echo.h"
#include "traces/scenario.h"
#include "traces/units.h"

#define SEARCHES_DEFAULT 24
#define THREADS_MAX 256
#define BATCH_MAX 1024
#define SHUFFLE_MAX 1000000

enum key {
	KEY_DATA = 512,
	KEY_SEARCHES,
	KEY_SEED,
	KEY_THREADS,
	KEY_ECHO,
	KEY_BATCH,
	KEY_SHUFFLE,
	KEY_SHUFFLE_BATCHES,
};

struct learn_arguments {
	struct options common; /* first: the children's input */
	enum learn_set set;
	uint64_t searches;
	uint64_t seed;
	uint64_t threads; /* 0: one a processor */
	uint64_t batch;
	uint64_t shuffle_examples;
	uint64_t shuffle_batches;
	bool conditions_given;
};

static const struct argp_option option_list[] = {
	{ "data", KEY_DATA, "digits|teacher", 0,
	  "digits (default): 8x8 handwritten digits, epoch after epoch; "
	  "teacher: what a fixed network says about random points, no example "
	  "twice",
	  0 },
	{ "searches", KEY_SEARCHES, "N", 0,
	  "Seeds for each strategy (default 24)", 0 },
	{ "seed", KEY_SEED, "N", 0, "The first of them (default 1)", 0 },
	{ "threads", KEY_THREADS, "N", 0, "Default: one a processor", 0 },
	{ "echo", KEY_ECHO, "PLACE:FACTOR", 0,
	  "Measure this strategy, and no echo, instead of the usual ones; may "
	  "be repeated",
	  0 },
	{ "batch", KEY_BATCH, "N", 0, "Batch for --echo (default 32)", 0 },
	{ "shuffle", KEY_SHUFFLE, "N", 0,
	  "Shuffle buffer in examples for --echo (default 512)", 0 },
	{ "shuffle-batches", KEY_SHUFFLE_BATCHES, "N", 0,
	  "Shuffle of repeated batches for --echo (default 1: none)", 0 },
	{ 0 },
};

static uint64_t whole(const char *option, const char *text, uint64_t low,
		      uint64_t high, const struct argp_state *state)
{
	uint64_t value = 0;

	if (units_parse(UNITS_COUNT, text, &value) || value < low ||
	    value > high)
		options_refuse(state,
			       "%s %s: expected a whole number from %llu to "
			       "%llu",
			       option, text, (unsigned long long)low,
			       (unsigned long long)high);
	return value;
}

static enum learn_set data_of(const char *name, const struct argp_state *state)
{
	int set;

	for (set = 0; set < LEARN_SET_COUNT; set++)
		if (!strcmp(name, learn_set_name((enum learn_set)set)))
			return (enum learn_set)set;
	options_refuse(state, "--data %s: expected digits or teacher", name);
}

static void add_echo(struct options *options, const char *text,
		     const struct argp_state *state)
{
	struct echo *at = &options->echoes[options->echo_count];
	struct fault fault = { 0 };
	struct echo echo;

	if (options->echo_count == SCENARIO_ECHOES_MAX)
		options_refuse(state, "--echo: at most %d of them",
			       SCENARIO_ECHOES_MAX);
	if (scenario_parse_echo(text, &echo, &fault))
		options_refuse(state, "--echo %s: %s", text, fault.text);
	if (echo.policy != ECHO_FIXED)
		options_refuse(state,
			       "--echo %s: expected a fixed factor, a "
			       "trainer here never starves",
			       text);
	/* In the order that a law file wants: rising factors. */
	for (; at > options->echoes && at[-1].factor > echo.factor; at--)
		*at = at[-1];
	*at = echo;
	options->echo_count++;
}

static error_t parse_condition(int key, char *argument,
			       struct argp_state *state)
{
	struct learn_arguments *arguments = state->input;

	arguments->conditions_given |= key != KEY_ECHO;
	switch (key) {
	case KEY_ECHO:
		add_echo(&arguments->common, argument, state);
		return 0;
	case KEY_BATCH:
		arguments->batch =
			whole("--batch", argument, 1, BATCH_MAX, state);
		return 0;
	case KEY_SHUFFLE:
		arguments->shuffle_examples =
			whole("--shuffle", argument, 1, SHUFFLE_MAX, state);
		return 0;
	default:
		arguments->shuffle_batches = whole(
			"--shuffle-batches", argument, 1, BATCH_MAX, state);
		return 0;
	}
}

static const struct argp_child children[] = {
	{ &output_argp, 0, NULL, 0 },
	{ &chatter_argp, 0, NULL, 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct learn_arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, children);
		return 0;
	case KEY_DATA:
		arguments->set = data_of(argument, state);
		return 0;
	case KEY_SEARCHES:
		arguments->searches = whole("--searches", argument, 1,
					    LEARN_SEARCHES_MAX, state);
		return 0;
	case KEY_SEED:
		arguments->seed =
			whole("--seed", argument, 0, INT64_MAX / 2, state);
		return 0;
	case KEY_THREADS:
		arguments->threads =
			whole("--threads", argument, 1, THREADS_MAX, state);
		return 0;
	case KEY_ECHO:
	case KEY_BATCH:
	case KEY_SHUFFLE:
	case KEY_SHUFFLE_BATCHES:
		return parse_condition(key, argument, state);
	case ARGP_KEY_ARG:
		options_refuse(state, "found \"%s\"; learn takes options only",
			       argument);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const char doc[] =
	"Measure what a repeated example is worth, by really training a small "
	"network on the batches that the engine makes, for every strategy with "
	"a learning rate of its own. The result is a law of training that "
	"compare can use. A small network, not a promise for yours."
	"\v"
	"-o FILE.csv without --format writes a law file, and the table to "
	"stdout.\n"
	"Equal seeds give equal numbers on one machine. An interrupt keeps the "
	"strategies that are done, marked as not complete; where none is, FILE "
	"is left as it was.\n"
	"\n"
	"Examples:\n"
	"  echosim learn\n"
	"  echosim learn --data teacher -o teacher.csv\n"
	"  echosim compare train.yaml --set training.law=teacher.csv\n"
	"  echosim learn --echo batch:2 --echo batch:3 --batch 256\n";

/* Conditions of --echo, each once, behind their baseline. */
static void plan_own(struct learn_table *table,
		     const struct learn_arguments *arguments)
{
	const struct options *common = &arguments->common;
	struct learn_condition condition = {
		.place = ECHO_NONE,
		.factor = 1,
		.batch = (uint32_t)arguments->batch,
		.shuffle_examples = (uint32_t)arguments->shuffle_examples,
		.shuffle_batches = 1,
	};
	uint32_t i, other;

	table->rows[table->count++].condition = condition;
	for (i = 0; i < common->echo_count; i++) {
		for (other = 0; other < i; other++)
			if (echo_equal(&common->echoes[other],
				       &common->echoes[i]))
				break;
		if (other < i || common->echoes[i].factor <= 1)
			continue;
		condition.place = common->echoes[i].place;
		condition.factor = common->echoes[i].factor;
		condition.shuffle_batches =
			condition.place == ECHO_BATCH ?
				(uint32_t)arguments->shuffle_batches :
				1;
		table->rows[table->count++].condition = condition;
	}
}

/* The searches of all rows, one job each. */
struct work {
	struct learn_table *table;
	struct learn_data data;
	struct learn_outcome *outcomes;
	int *errors;
	struct progress progress;
	uint32_t jobs;
};

static void search(void *context, uint32_t job)
{
	struct work *work = context;
	const struct learn_table *table = work->table;
	const struct learn_measure *row = &table->rows[job / table->searches];

	work->errors[job] = learn_search(&work->data, &row->condition,
					 table->seed + job % table->searches,
					 &interrupt_stop, &work->outcomes[job]);
}

static void show_share(void *context, uint32_t done)
{
	struct work *work = context;

	progress_update(&work->progress, (double)done / work->jobs);
}

static int do_all(struct work *work, uint64_t threads)
{
	const struct parallel parallel = {
		.threads = (uint32_t)threads,
		.jobs = work->jobs,
		.work = search,
		.progress = show_share,
		.context = work,
		.stop = &interrupt_stop,
	};
	struct learn_table *table = work->table;
	uint32_t job;
	size_t row;
	int error;

	progress_start(&work->progress, "learning");
	error = parallel_run(&parallel);
	progress_stop(&work->progress);
	for (job = 0; job < work->jobs && !error; job++)
		error = work->errors[job];
	for (row = 0; row < table->count && !error; row++)
		learn_sum_up(&table->rows[row],
			     &work->outcomes[row * table->searches],
			     table->searches);
	return error ? error : learn_fill_gains(table);
}

static int measure(struct learn_table *table,
		   const struct learn_arguments *arguments, struct fault *fault)
{
	struct work work = {
		.table = table,
		.jobs = (uint32_t)table->count * table->searches,
	};
	int error = mlp_load(fault);

	if (!error)
		error = learn_data_open(&work.data, table->set);
	if (error)
		return error;
	error = -ENOMEM;
	work.outcomes = calloc(work.jobs, sizeof(*work.outcomes));
	work.errors = calloc(work.jobs, sizeof(*work.errors));
	progress_init(&work.progress, arguments->common.progress,
		      arguments->common.quiet);
	if (work.outcomes && work.errors)
		error = do_all(&work, arguments->threads);
	free(work.outcomes);
	free(work.errors);
	learn_data_close(&work.data);
	return error;
}

static struct document *table_document(const struct learn_table *table)
{
	struct grid grid = learn_grid(table);
	struct document *document = grid_document(&grid);

	learn_describe(document, table);
	return document;
}

/* Without a format a file is a law, which is a CSV, and the table still
 * shown. */
static bool wants_law(const struct options *options)
{
	const struct printer *printer;

	if (!options->output_path || options->printer_given)
		return false;
	printer = printer_of(options->output_path);
	return !printer || printer == printer_find("csv");
}

static int write_product(const struct options *options, struct output *output,
			 const struct learn_table *table, struct fault *fault)
{
	struct options on_stdout = *options;
	int error;

	if (!wants_law(options))
		return show_in(output, options, table_document(table), fault);
	learn_write_law(output->stream, table);
	error = output_commit(output, fault);
	on_stdout.output_path = NULL;
	on_stdout.printer = &printer_table[0];
	return error ? error : show(&on_stdout, table_document(table), fault);
}

/* What a file holds already is worth more than a table that says nothing. */
static int keep_or_write(const struct options *options, struct output *output,
			 const struct learn_table *table, struct fault *fault)
{
	if (!options->output_path || learn_says_something(table))
		return write_product(options, output, table, fault);
	output_abandon(output);
	fault_set(fault, options->output_path, 0,
		  "left as it was, for no strategy's gain is known");
	return interrupt_stop ? -EINTR : -ENODATA;
}

static int carry_out(const struct learn_arguments *arguments,
		     struct learn_table *table)
{
	struct fault fault = { 0 };
	struct output output;
	int error;

	error = output_open(&output, arguments->common.output_path, &fault);
	if (error)
		return complain(error, &fault);
	error = measure(table, arguments, &fault);
	if (error)
		output_abandon(&output);
	else
		error = keep_or_write(&arguments->common, &output, table,
				      &fault);
	if (error)
		return complain(error, &fault);
	return interrupt_stop ? STATUS_INTERRUPTED : STATUS_DONE;
}

const struct argp learn_argp = {
	.options = option_list,
	.parser = parse,
	.doc = doc,
	.children = children,
};

int command_learn(int argc, char **argv)
{
	static struct learn_arguments arguments = {
		.searches = SEARCHES_DEFAULT,
		.seed = 1,
		.batch = 32,
		.shuffle_examples = 512,
		.shuffle_batches = 1,
	};
	static struct learn_table table;

	options_init(&arguments.common);
	argp_parse(&learn_argp, argc, argv, 0, NULL, &arguments);
	if (arguments.conditions_given && !arguments.common.echo_count) {
		say("--batch, --shuffle and --shuffle-batches are for --echo");
		return STATUS_PERSON;
	}
	table.set = arguments.set;
	table.seed = arguments.seed;
	table.searches = (uint32_t)arguments.searches;
	if (arguments.common.echo_count)
		plan_own(&table, &arguments);
	else
		learn_plan(&table);
	interrupt_catch();
	return carry_out(&arguments, &table);
}
