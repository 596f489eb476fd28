/* SPDX-License-Identifier: MIT */
/* echosim sim: one strategy, modelled. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/trace/replayed.h"
#include "cli/session.h"

static const struct argp_child children[] = {
	{ &scenario_argp, 0, NULL, 0 },
	{ &record_argp, 0, NULL, 0 },
	{ &output_argp, 0, NULL, 0 },
	{ &watch_argp, 0, NULL, 0 },
	{ &timeline_argp, 0, NULL, 0 },
	{ &chatter_argp, 0, NULL, 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	(void)argument;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	options_pass_on(state, children);
	return 0;
}

static const char doc[] =
	"Simulate one strategy in virtual time: years of training in seconds, "
	"the same bytes on every machine. The strategy is the scenario's first "
	"unless --echo names one. With --replay the completions of a recorded "
	"run take the place of the modelled device: every decision is the "
	"same again."
	"\v"
	"Examples:\n"
	"  echosim sim train.yaml\n"
	"  echosim sim train.yaml --echo batch:2 --format json -o result.json\n"
	"  echosim sim train.yaml --set storage.device.bandwidth='2 GB/s'\n"
	"  echosim sim train.yaml --require 'au>=0.9'\n"
	"  echosim sim train.yaml --trace run.trace\n"
	"  echosim sim --replay run.trace\n";

const struct argp sim_argp = {
	.parser = parse,
	.args_doc = "SCENARIO | --replay FILE",
	.doc = doc,
	.children = children,
};

int command_sim(int argc, char **argv)
{
	const struct session_plan plan = { .sim = true };
	static struct options options;

	struct fault fault = { 0 };
	int error = 0;

	options_init(&options);
	argp_parse(&sim_argp, argc, argv, 0, NULL, &options);
	if (options.replay_path)
		error = replayed_look(&options, &fault);
	if (error)
		return complain(error, &fault);
	return session_run(&options, &plan);
}
