/* SPDX-License-Identifier: MIT */
/* echosim verify: reads a dataset back and checks every checksum. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/database.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "analysis/document/grid.h"
#include "cli/show.h"
#include "cli/progress.h"
#include "storage/dataset/dataset.h"

#define KEY_DB 512

struct verify_options {
	struct options common; /* first: the children's input */
	const char *path;
	const char *database;
};

static const struct argp_option option_list[] = {
	{ "db", KEY_DB, "NAME", 0,
	  "The database of an LMDB environment (default: the unnamed one)", 0 },
	{ 0 },
};

static const struct argp_child children[] = {
	{ &output_argp, 0, NULL, 0 },
	{ &chatter_argp, 0, NULL, 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct verify_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, children);
		return 0;
	case KEY_DB:
		options->database = argument;
		return 0;
	case ARGP_KEY_ARG:
		if (options->path)
			options_refuse(state, "one DIR, not \"%s\" too",
				       argument);
		options->path = argument;
		return 0;
	case ARGP_KEY_NO_ARGS:
		options_refuse(state, "DIR is missing: a dataset");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

struct verified {
	const char *path;
	struct dataset_facts facts;
};

static const struct view_column columns[] = {
	COLUMN("name", METRIC_TEXT, "", "dataset"),
	COLUMN("format", METRIC_TEXT, "", NULL),
	COLUMN("examples", METRIC_COUNT, "", NULL),
	COLUMN("blocks", METRIC_COUNT, "", NULL),
	COLUMN("shards", METRIC_COUNT, "", NULL),
	COLUMN("stored_bytes", METRIC_COUNT, "B", "stored"),
	COLUMN("content_bytes", METRIC_COUNT, "B", "content"),
	COLUMN("checked_blocks", METRIC_COUNT, "", "checked"),
	COLUMN("verdict", METRIC_TEXT, "", NULL),
};

/* Without a checksum a block is known to be there, not to be right. */
static const char *verdict(const struct dataset_facts *facts)
{
	return facts->checked == facts->blocks ? "whole" : "readable";
}

static struct metric_value cell(const void *context, size_t row, size_t column)
{
	const struct verified *verified = context;
	const struct metric_value values[] = {
		value_text(verified->path),
		value_text(verified->facts.format),
		value_count(verified->facts.examples),
		value_count(verified->facts.blocks),
		value_count(verified->facts.shards),
		value_count(verified->facts.stored_bytes),
		value_count(verified->facts.content_bytes),
		value_count(verified->facts.checked),
		value_text(verdict(&verified->facts)),
	};

	(void)row;
	return values[column];
}

static bool show_progress(void *context, uint64_t done_bytes,
			  uint64_t total_bytes)
{
	if (total_bytes)
		progress_update(context,
				(double)done_bytes / (double)total_bytes);
	return !interrupt_stop;
}

static int verify(const struct verify_options *options,
		  struct verified *verified, struct fault *fault)
{
	struct progress progress;
	int error;

	progress_init(&progress, options->common.progress,
		      options->common.quiet);
	progress_start(&progress, "verify");
	error = dataset_verify(options->path, options->database, show_progress,
			       &progress, &verified->facts, fault);
	if (error)
		database_suggest(options->path, options->database, fault);
	progress_stop(&progress);
	return error;
}

static void say_limits(const struct dataset_facts *facts)
{
	unsigned long long unchecked = facts->blocks - facts->checked;

	if (unchecked)
		say("%llu of %llu blocks carry no checksum: that they are "
		    "there and of their size was checked, not what is in them",
		    unchecked, (unsigned long long)facts->blocks);
	if (facts->left_out)
		say("left out for being empty: %llu",
		    (unsigned long long)facts->left_out);
}

static const char doc[] =
	"Read a whole dataset back, check every checksum and count there is, "
	"and say what it holds. The first fault ends it, with its shard, block "
	"and example. One that others made may lack checksums: it is then "
	"readable, not known to be whole."
	"\v"
	"Examples:\n"
	"  echosim verify mine\n"
	"  echosim verify mine --format json\n";

const struct argp verify_argp = {
	.options = option_list,
	.parser = parse,
	.args_doc = "DIR",
	.doc = doc,
	.children = children,
};

int command_verify(int argc, char **argv)
{
	static struct verify_options options;
	struct verified verified = { 0 };
	struct grid grid = {
		.title = "What was verified",
		.name = "datasets",
		.columns = columns,
		.column_count = sizeof(columns) / sizeof(columns[0]),
		.row_count = 1,
		.context = &verified,
		.cell = cell,
	};
	struct fault fault = { 0 };
	int error;

	options_init(&options.common);
	argp_parse(&verify_argp, argc, argv, 0, NULL, &options);
	interrupt_catch();
	verified.path = options.path;
	error = output_spares(options.common.output_path, options.path, &fault);
	if (!error)
		error = verify(&options, &verified, &fault);
	if (error)
		return complain(error, &fault);
	if (!options.common.quiet)
		say_limits(&verified.facts);
	error = show(&options.common, grid_document(&grid), &fault);
	return error ? complain(error, &fault) : STATUS_DONE;
}
