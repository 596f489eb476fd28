/* SPDX-License-Identifier: MIT */
/* echosim pack: a dataset from files or from nothing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/value.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "storage/pack/pack.h"
#include "traces/units.h"

#define LEVEL_MAX 19
#define BLOCK_BYTES_DEFAULT (256 << 10)

enum key {
	KEY_FORMAT = 512,
	KEY_LEVEL,
	KEY_BLOCK_BYTES,
	KEY_SHARD_EXAMPLES,
	KEY_SYNTHETIC,
	KEY_FORCE,
	KEY_SEED,
};

struct pack_arguments {
	struct options common; /* first: the children's input */
	struct pack_options pack;
	const char **more;
	bool synthetic;
};

static const struct argp_option option_list[] = {
	{ "output", 'o', "DIR", 0, "The dataset's folder, to be made", 0 },
	{ "format", KEY_FORMAT, "LAYOUT", 0,
	  "shards (default): zstd files and an LMDB catalogue; lmdb: one LMDB "
	  "file with an example per value",
	  0 },
	{ "level", KEY_LEVEL, "N", 0,
	  "zstd level 1 to 19 (default 3); 0: not compressed, lmdb only", 0 },
	{ "block-bytes", KEY_BLOCK_BYTES, "SIZE", 0,
	  "Content of a block, which is read and decompressed whole (default "
	  "256 KiB)",
	  0 },
	{ "shard-examples", KEY_SHARD_EXAMPLES, "N", 0,
	  "Examples in a shard (default: about 64 MiB of them)", 0 },
	{ "synthetic", KEY_SYNTHETIC, "examples=N,bytes=SIZE[,...]", 0,
	  "Instead of SOURCE: N generated examples of this size; also "
	  "stdev=SIZE of it (default 0) and ratio=X of compression (default 1)",
	  0 },
	{ "force", KEY_FORCE, NULL, 0, "Replace a dataset that is there", 0 },
	{ "seed", KEY_SEED, "N", 0, "Of the generated content (default 1)", 0 },
	{ 0 },
};

static uint64_t amount(enum units_kind kind, const char *option,
		       const char *text, const struct argp_state *state)
{
	uint64_t value;

	if (!text || units_parse(kind, text, &value))
		options_refuse(state, "%s%s%s: expected %s", option,
			       text ? " " : "", text ? text : "",
			       units_describe(kind));
	return value;
}

enum synthetic_key {
	SYNTHETIC_EXAMPLES,
	SYNTHETIC_BYTES,
	SYNTHETIC_STDEV,
	SYNTHETIC_RATIO,
};

static void parse_synthetic(struct pack_arguments *arguments, char *text,
			    const struct argp_state *state)
{
	static char *const keys[] = { [SYNTHETIC_EXAMPLES] = (char *)"examples",
				      [SYNTHETIC_BYTES] = (char *)"bytes",
				      [SYNTHETIC_STDEV] = (char *)"stdev",
				      [SYNTHETIC_RATIO] = (char *)"ratio",
				      NULL };
	struct pack_options *pack = &arguments->pack;
	struct distribution *bytes = &pack->synthetic_bytes;
	char *value;

	arguments->synthetic = true;
	while (*text) {
		switch (getsubopt(&text, keys, &value)) {
		case SYNTHETIC_EXAMPLES:
			pack->synthetic_examples =
				amount(UNITS_COUNT, "--synthetic examples",
				       value, state);
			break;
		case SYNTHETIC_BYTES:
			bytes->mean = (double)amount(
				UNITS_BYTES, "--synthetic bytes", value, state);
			break;
		case SYNTHETIC_STDEV:
			bytes->stdev = (double)amount(
				UNITS_BYTES, "--synthetic stdev", value, state);
			break;
		case SYNTHETIC_RATIO:
			if (value &&
			    !units_parse_number(value, &pack->synthetic_ratio))
				break;
			options_refuse(state, "--synthetic ratio: expected a "
					      "number of at least 1");
		default:
			options_refuse(state,
				       "--synthetic %s: expected examples=, "
				       "bytes=, stdev= or ratio=",
				       value ? value : "");
		}
	}
}

static void check_arguments(struct pack_arguments *arguments,
			    const struct argp_state *state)
{
	struct pack_options *pack = &arguments->pack;
	struct distribution *bytes = &pack->synthetic_bytes;

	if (!pack->target)
		options_refuse(state, "-o DIR is missing: where the dataset "
				      "goes");
	if (arguments->synthetic && pack->source)
		options_refuse(state, "SOURCE or --synthetic, not both");
	if (!arguments->synthetic && !pack->source)
		options_refuse(state, "SOURCE is missing: a folder of files, "
				      "tars, or --synthetic");
	if (!arguments->synthetic)
		return;
	if (!pack->synthetic_examples || bytes->mean < 1)
		options_refuse(state, "--synthetic wants examples=N and "
				      "bytes=SIZE, both at least 1");
	if (pack->synthetic_ratio < 1)
		options_refuse(state, "--synthetic ratio: expected a number "
				      "of at least 1");
	bytes->kind = bytes->stdev > 0 ? DISTRIBUTION_LOGNORMAL :
					 DISTRIBUTION_CONSTANT;
	distribution_prepare(bytes);
}

static void set_level(struct pack_options *pack, const char *text,
		      const struct argp_state *state)
{
	uint64_t level = amount(UNITS_COUNT, "--level", text, state);

	if (level > LEVEL_MAX)
		options_refuse(state, "--level %s: expected 0 to %d", text,
			       LEVEL_MAX);
	pack->level = (int)level;
}

static const struct argp_child children[] = {
	{ &chatter_argp, 0, NULL, 0 },
	{ 0 },
};

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct pack_arguments *arguments = state->input;
	struct pack_options *pack = &arguments->pack;

	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, children);
		return 0;
	case 'o':
		pack->target = text;
		return 0;
	case KEY_FORMAT:
		pack->format = text;
		return 0;
	case KEY_LEVEL:
		set_level(pack, text, state);
		return 0;
	case KEY_BLOCK_BYTES:
		pack->block_bytes =
			amount(UNITS_BYTES, "--block-bytes", text, state);
		return 0;
	case KEY_SHARD_EXAMPLES:
		pack->shard_examples =
			amount(UNITS_COUNT, "--shard-examples", text, state);
		return 0;
	case KEY_SYNTHETIC:
		parse_synthetic(arguments, text, state);
		return 0;
	case KEY_FORCE:
		pack->force = true;
		return 0;
	case KEY_SEED:
		pack->seed = amount(UNITS_COUNT, "--seed", text, state);
		return 0;
	case ARGP_KEY_ARG:
		if (pack->source)
			arguments->more[pack->more_count++] = text;
		else
			pack->source = text;
		return 0;
	case ARGP_KEY_END:
		check_arguments(arguments, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const char *size_text(uint64_t bytes, char *text)
{
	return value_human(METRIC_COUNT, "B", value_count(bytes), text,
			   VALUE_TEXT_MAX);
}

/* --force is no leave to replace what it would be made of. */
static int spare_sources(const struct pack_options *options,
			 struct fault *fault)
{
	int error = output_spares(options->target, options->source, fault);
	size_t i;

	if (!error)
		error = output_spares(options->source, options->target, fault);
	for (i = 0; i < options->more_count && !error; i++) {
		error = output_spares(options->target, options->more[i], fault);
		if (!error)
			error = output_spares(options->more[i], options->target,
					      fault);
	}
	return error;
}

struct announced {
	const struct options *common;
	struct progress progress;
};

/* What is to come; the time for it begins here. */
static void announce(void *context, uint64_t examples, uint64_t content_bytes,
		     uint64_t disk_bytes_max)
{
	char content[VALUE_TEXT_MAX], disk[VALUE_TEXT_MAX];
	struct announced *announced = context;

	if (!announced->common->quiet)
		say("%llu examples, %s; at most %s on disk",
		    (unsigned long long)examples,
		    size_text(content_bytes, content),
		    size_text(disk_bytes_max, disk));
	progress_start(&announced->progress, "pack");
}

static bool show_progress(void *context, uint64_t done_bytes,
			  uint64_t total_bytes)
{
	struct announced *announced = context;

	if (total_bytes)
		progress_update(&announced->progress,
				(double)done_bytes / (double)total_bytes);
	return !interrupt_stop;
}

static int pack(struct pack_arguments *arguments, struct fault *fault)
{
	struct pack_options *options = &arguments->pack;
	struct announced announced = { .common = &arguments->common };
	char content[VALUE_TEXT_MAX], disk[VALUE_TEXT_MAX];
	struct pack_result result;
	int error;

	error = spare_sources(options, fault);
	if (error)
		return error;
	progress_init(&announced.progress, arguments->common.progress,
		      arguments->common.quiet);
	options->estimated = announce;
	options->progress = show_progress;
	options->context = &announced;
	error = pack_run(options, &result, fault);
	progress_stop(&announced.progress);
	if (error)
		return error;
	if (result.skipped && !arguments->common.quiet)
		say("%llu things in %s%s are no examples and were left out",
		    (unsigned long long)result.skipped, options->source,
		    options->more_count ? " and the others" : "");
	say_product(stdout,
		    "%s: %llu examples, %llu blocks, %llu shards; content %s, "
		    "on disk %s",
		    options->target, (unsigned long long)result.examples,
		    (unsigned long long)result.blocks,
		    (unsigned long long)result.shards,
		    size_text(result.content_bytes, content),
		    size_text(result.disk_bytes, disk));
	return 0;
}

static const char doc[] =
	"Make a dataset: from a folder, each file an example, in sorted order; "
	"from tars (plain, gzip, zstd) or a folder of them, members with one "
	"stem that follow each other an example, as in WebDataset; or "
	"generated. It appears at DIR "
	"only when it is whole."
	"\v"
	"Examples:\n"
	"  echosim pack photos -o photos-shards\n"
	"  echosim pack photos -o photos-lmdb --format lmdb --level 0\n"
	"  echosim pack train-{000..099}.tar -o train\n"
	"  echosim pack -o big --synthetic examples=100000,bytes='112 "
	"KiB',ratio=1.5\n";

const struct argp pack_argp = {
	.options = option_list,
	.parser = parse,
	.args_doc = "SOURCE... -o DIR",
	.doc = doc,
	.children = children,
};

int command_pack(int argc, char **argv)
{
	static struct pack_arguments arguments = {
		.pack = { .format = "shards",
			  .level = 3,
			  .seed = 1,
			  .synthetic_ratio = 1,
			  .block_bytes = BLOCK_BYTES_DEFAULT },
	};
	struct fault fault = { 0 };
	int error;

	options_init(&arguments.common);
	arguments.more = calloc((size_t)argc, sizeof(*arguments.more));
	if (!arguments.more)
		return complain(-ENOMEM, &fault);
	arguments.pack.more = arguments.more;
	argp_parse(&pack_argp, argc, argv, 0, NULL, &arguments);
	interrupt_catch();
	error = pack(&arguments, &fault);
	free(arguments.more);
	return error ? complain(error, &fault) : STATUS_DONE;
}
