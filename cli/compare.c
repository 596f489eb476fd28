/* SPDX-License-Identifier: MIT */
/* echosim compare: every strategy side by side. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/sides.h"

#define KEY_LIVE 'l'
#define KEY_BEST 512
#define KEY_TIMELINE 513
#define KEY_VARIANT 514

static const struct argp_option option_list[] = {
	{ "live", KEY_LIVE, NULL, 0,
	  "Also read the dataset for real, and print both and the difference",
	  0 },
	{ "best", KEY_BEST, NULL, 0,
	  "Find the factor of each place with the least time to the target of "
	  "training.law, and compare those",
	  0 },
	{ "variant", KEY_VARIANT, "NAME: {KEY: VALUE, ...}", 0,
	  "Compare this variant of the scenario instead of those in its "
	  "section "
	  "variants: keys as in a scenario file, on top of --set; may be "
	  "repeated, and the first one is the reference",
	  0 },
	/* Not an abbreviation of --timeline-steps. */
	{ "timeline", KEY_TIMELINE, "FILE", OPTION_HIDDEN, NULL, 0 },
	{ 0 },
};

static const struct argp_child children[] = {
	{ &scenario_argp, 0, NULL, 0 }, { &live_argp, 0, NULL, 0 },
	{ &output_argp, 0, NULL, 0 },	{ &watch_argp, 0, NULL, 0 },
	{ &chatter_argp, 0, NULL, 0 },	{ 0 },
};

struct compare_options {
	struct options common; /* first: the children's input */
	struct sides_request sides;
	bool best;
};

static void add_variant(struct compare_options *options, const char *text,
			const struct argp_state *state)
{
	if (options->sides.variant_count == VARIANTS_MAX)
		options_refuse(state, "--variant: at most %d of them",
			       VARIANTS_MAX);
	options->sides.variants[options->sides.variant_count++] = text;
}

/* The first scenario is among the common options. */
static void add_path(struct compare_options *options, const char *path,
		     const struct argp_state *state)
{
	if (options->sides.path_count + 1 == VARIANTS_MAX)
		options_refuse(state, "at most %d scenarios side by side",
			       VARIANTS_MAX);
	options->sides.paths[options->sides.path_count++] = path;
}

static void check_sides(const struct compare_options *options,
			const struct argp_state *state)
{
	if (options->common.loader_count > 1 &&
	    (options->sides.path_count || options->sides.variant_count))
		options_refuse(state, "--loader: several are variants of one "
				      "SCENARIO, not beside others of it");
	if (options->sides.path_count && options->sides.variant_count)
		options_refuse(state,
			       "--variant: is of one SCENARIO, not of "
			       "\"%s\" too",
			       options->sides.paths[0]);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct compare_options *options = state->input;

	if (key == ARGP_KEY_INIT)
		options_pass_on(state, children);
	else if (key == KEY_VARIANT)
		add_variant(options, argument, state);
	else if (key == ARGP_KEY_ARG && options->common.scenario_path)
		add_path(options, argument, state);
	else if (key == ARGP_KEY_END)
		check_sides(options, state);
	else if (key == KEY_TIMELINE)
		options_refuse(state, "--timeline: one strategy at a time; "
				      "use sim or run");
	else if (key == KEY_LIVE)
		options->common.live = true;
	else if (key == KEY_BEST)
		options->best = true;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static const char doc[] =
	"Run every echo strategy of the scenario and print them side by side, "
	"with no echo as the reference: of one scenario, of variants of it "
	"that "
	"differ in any of its keys, or of several scenarios, the first of "
	"which is the reference."
	"\v"
	"With --require some strategy, of some variant, must meet all goals, "
	"with --live in both modes. Several --loader are variants too, and so "
	"is what the scenario has in a section variants.\n"
	"\n"
	"Examples:\n"
	"  echosim compare train.yaml\n"
	"  echosim compare train.yaml --echo batch:2 --echo batch:4\n"
	"  echosim compare --best train.yaml\n"
	"  echosim compare --live train.yaml --set dataset.path=mine\n"
	"  echosim compare train.yaml --variant 'now: {}' \\\n"
	"    --variant 'wide: {pipeline: {decode: {workers: 16}}}'\n"
	"  echosim compare train.yaml --loader pytorch "
	"--loader pytorch-unordered\n"
	"  echosim compare train.yaml other.yaml\n"
	"  echosim compare train.yaml --format csv -o result.csv\n";

const struct argp compare_argp = {
	.options = option_list,
	.parser = parse,
	.args_doc = "SCENARIO...",
	.doc = doc,
	.children = children,
};

int command_compare(int argc, char **argv)
{
	struct session_plan plan = { .sim = true, .every_strategy = true };
	static struct compare_options options;

	options_init(&options.common);
	options.common.compares_loaders = true;
	argp_parse(&compare_argp, argc, argv, 0, NULL, &options);
	plan.live = options.common.live;
	plan.best = options.best;
	plan.sides = &options.sides;
	return session_run(&options.common, &plan);
}
