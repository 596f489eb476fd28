/* SPDX-License-Identifier: MIT */
/* echosim run: one strategy against real storage. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/trace/reissue.h"
#include "cli/session.h"

static const struct argp_child children[] = {
	{ &scenario_argp, 0, NULL, 0 },
	{ &live_argp, 0, NULL, 0 },
	{ &reissue_argp, 0, NULL, 0 },
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
	"Run one strategy against real storage: the dataset at dataset.path is "
	"read through io_uring, held back to the scenario's device, and really "
	"decompressed; later stages and steps take modelled time on the real "
	"clock. With storage.device=native the device is taken as it is. With "
	"--replay only the requests of a recording are issued again, at the "
	"same places and times: how late that was is said."
	"\v"
	"Examples:\n"
	"  echosim pack photos -o mine\n"
	"  echosim run train.yaml --set dataset.path=mine\n"
	"  echosim run train.yaml --set storage.device=native --echo none\n"
	"  echosim run train.yaml --trace run.trace\n"
	"  echosim run --replay run.trace --target /mnt/data "
	"--speed 2\n";

const struct argp run_argp = {
	.parser = parse,
	.args_doc = "SCENARIO | --replay FILE",
	.doc = doc,
	.children = children,
};

int command_run(int argc, char **argv)
{
	const struct session_plan plan = { .live = true };
	static struct options options;

	options_init(&options);
	argp_parse(&run_argp, argc, argv, 0, NULL, &options);
	if (options.replay_path)
		return reissue_run(&options);
	return session_run(&options, &plan);
}
