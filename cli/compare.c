/* SPDX-License-Identifier: MIT */
/* echosim compare: every strategy side by side. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/session.h"

#define KEY_LIVE 'l'
#define KEY_BEST 512
#define KEY_TIMELINE 513

static const struct argp_option option_list[] = {
	{ "live", KEY_LIVE, NULL, 0,
	  "Also read the dataset for real, and print both and the difference",
	  0 },
	{ "best", KEY_BEST, NULL, 0,
	  "Find the factor of each place with the least time to the target of "
	  "training.law, and compare those",
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
	bool best;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct compare_options *options = state->input;

	(void)argument;
	if (key == ARGP_KEY_INIT)
		options_pass_on(state, children);
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
	"with no echo as the reference."
	"\v"
	"With --require some strategy must meet all goals, with --live in "
	"both modes.\n"
	"\n"
	"Examples:\n"
	"  echosim compare train.yaml\n"
	"  echosim compare train.yaml --echo batch:2 --echo batch:4\n"
	"  echosim compare --best train.yaml\n"
	"  echosim compare --live train.yaml --set dataset.path=mine\n"
	"  echosim compare train.yaml --format csv -o result.csv\n";

const struct argp compare_argp = {
	.options = option_list,
	.parser = parse,
	.args_doc = "SCENARIO",
	.doc = doc,
	.children = children,
};

int command_compare(int argc, char **argv)
{
	struct session_plan plan = { .sim = true, .every_strategy = true };
	static struct compare_options options;

	options_init(&options.common);
	argp_parse(&compare_argp, argc, argv, 0, NULL, &options);
	plan.live = options.common.live;
	plan.best = options.best;
	return session_run(&options.common, &plan);
}
