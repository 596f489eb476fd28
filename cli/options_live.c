/* SPDX-License-Identifier: MIT */
/* Options of runs that read for real, that are recorded and replayed. */
#include "cli/options.h"

#include "traces/units.h"

/* Options without a letter. */
enum key {
	KEY_BUFFERED = 256,
	KEY_READER,
	KEY_TRACE,
	KEY_REPLAY,
	KEY_TARGET,
	KEY_SPEED,
	KEY_CLOSED_LOOP,
};

/* --buffered --reader */

static const struct argp_option live_options[] = {
	{ "buffered", KEY_BUFFERED, NULL, 0,
	  "Read through the page cache instead of O_DIRECT", 0 },
	{ "reader", KEY_READER, "auto|uring|pread", 0,
	  "Read through io_uring, or by threads that call pread, which strace "
	  "sees; auto (default): io_uring where the kernel grants it",
	  0 },
	{ 0 },
};

static error_t parse_live(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	if (key == KEY_BUFFERED) {
		options->buffered = true;
	} else if (key == KEY_READER) {
		options->reader = argument;
		if (reader_backend_parse(argument, &options->backend))
			options_refuse(state,
				       "--reader %s: expected auto, uring or "
				       "pread",
				       argument);
	} else {
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp live_argp = { .options = live_options, .parser = parse_live };

/* --trace --replay */

static const struct argp_option record_options[] = {
	{ "trace", KEY_TRACE, "FILE", 0,
	  "Record every request, work, batch and step in FILE, for `echosim "
	  "trace` and --replay",
	  0 },
	{ "replay", KEY_REPLAY, "FILE", 0, "Replay the recording in FILE", 0 },
	{ 0 },
};

static error_t parse_record(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	if (key == KEY_TRACE)
		options->trace_path = argument;
	else if (key == KEY_REPLAY)
		options->replay_path = argument;
	else if (key == ARGP_KEY_END && options->trace_path &&
		 options->replay_path)
		options_refuse(state, "--trace: what is replayed is recorded "
				      "already");
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

const struct argp record_argp = { .options = record_options,
				  .parser = parse_record };

/* --target --speed --closed-loop */

#define SPEED_MIN 0.001
#define SPEED_MAX 1e6

static const struct argp_option reissue_options[] = {
	{ "target", KEY_TARGET, "PATH", 0,
	  "With --replay: read this file, folder or block device instead of "
	  "the scenario's dataset",
	  0 },
	{ "speed", KEY_SPEED, "X", 0,
	  "With --replay: X times as fast as it was recorded (default 1)", 0 },
	{ "closed-loop", KEY_CLOSED_LOOP, NULL, 0,
	  "With --replay: not at the recorded times, but with as many requests "
	  "in flight as were then",
	  0 },
	{ 0 },
};

static void check_reissue(const struct options *options,
			  const struct argp_state *state)
{
	const char *idle = options->target_path ? "--target" :
			   options->speed > 0	? "--speed" :
						  "--closed-loop";

	if (!options->replay_path &&
	    (options->target_path || options->speed > 0 ||
	     options->closed_loop))
		options_refuse(state, "%s: has an effect with --replay only",
			       idle);
	if (options->closed_loop && options->speed > 0)
		options_refuse(state, "--speed: --closed-loop keeps no times");
}

static error_t parse_reissue(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_TARGET:
		options->target_path = argument;
		return 0;
	case KEY_SPEED:
		if (units_parse_number(argument, &options->speed) ||
		    options->speed < SPEED_MIN || options->speed > SPEED_MAX)
			options_refuse(state,
				       "--speed %s: expected a number from "
				       "0.001 to 1000000",
				       argument);
		return 0;
	case KEY_CLOSED_LOOP:
		options->closed_loop = true;
		return 0;
	case ARGP_KEY_END:
		check_reissue(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp reissue_argp = { .options = reissue_options,
				   .parser = parse_reissue };
