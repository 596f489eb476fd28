/* SPDX-License-Identifier: MIT */
/*
 * Options that several subcommands share, as argp children. A subcommand's
 * argp names those it wants in `children`, and its input begins with a
 * struct options.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/print/print.h"
#include "analysis/goal.h"
#include "cli/style.h"
#include "storage/reader.h"
#include "traces/scenario.h"
#include "traces/variant.h"
#include "traces/vary_cache.h"
#include "traces/workload/scenario.h"

#define OVERRIDES_MAX 256
#define GOALS_MAX 32
#define PRICES_ASSIGNMENT_MAX 8192
#define VARIED_MAX 64
#define LOADERS_MAX 32

struct options {
	/* chatter_argp: --quiet --progress */
	bool quiet;
	bool progress;
	/* output_argp: --format --color -o */
	const struct printer *printer;
	bool printer_given; /* by --format */
	enum color_when color;
	const char *output_path;
	/* scenario_argp: SCENARIO or --workload, --host-memory, --loader --set
	 * --seed --db --prices --echo --require --burst --no-stalls */
	const char *scenario_path; /* with --workload: its name, no path */
	const char *scenario_text; /* what is in it; NULL: not read yet */
	size_t scenario_text_bytes;
	/* One of several that are compared: its name, and what is changed in
	 * the scenario. NULL: neither. */
	const char *side;
	const struct variant *variant;
	const char *workload; /* NULL: the scenario is a file */
	/* None: the scenario's. Several are compared, where that is done. */
	const char *loaders[LOADERS_MAX];
	uint32_t loader_count;
	bool compares_loaders;
	uint64_t host_memory_bytes;
	const char *overrides[OVERRIDES_MAX];
	uint32_t override_count;
	char like[SCENARIO_TEXT_MAX];	 /* "pipeline.loader.like=..." */
	char seed[40];			 /* "seed=..." */
	char db[SCENARIO_TEXT_MAX + 16]; /* "dataset.db=..." */
	const char *prices_path;
	char prices[PRICES_ASSIGNMENT_MAX]; /* "prices='...'" */
	struct echo echoes[SCENARIO_ECHOES_MAX];
	uint32_t echo_count;
	struct goal goals[GOALS_MAX];
	size_t goal_count;
	bool burst; /* goals are put to the start of a burst */
	bool no_stalls;
	struct vary_cache varies; /* of --vary */
	/* --vary and --max of the commands that have them: "KEY=..." */
	const char *varied[VARIED_MAX];
	uint32_t varied_count;
	/* watch_argp: --detail --timeline-steps */
	bool detail;
	uint64_t timeline_steps; /* 0: not given */
	/* timeline_argp: --timeline */
	const char *timeline_path;
	/* live_argp: --buffered --reader */
	bool live;
	bool buffered;
	const char *reader; /* NULL: not given */
	enum reader_backend backend;
	/* record_argp: --trace --replay */
	const char *trace_path;
	const char *replay_path;
	bool scenario_recorded; /* it is that of replay_path */
	bool recorded_live;	/* what is replayed is of a live run */
	bool recorded_packed;	/* it read a packed dataset */
	/* reissue_argp: --target --speed --closed-loop */
	const char *target_path;
	double speed; /* 0: not given */
	bool closed_loop;
};

void options_init(struct options *options);

/* Reads the scenario that was asked for, a file or a workload of the
 * catalogue, with its overrides; says what was decided about a workload. */
int options_scenario(const struct options *options, struct scenario *scenario,
		     struct fault *fault) __attribute__((warn_unused_result));

/* Puts a loader of the catalogue before all that --set says. False: there are
 * too many overrides. */
bool options_use_loader(struct options *options, const char *name);

/* Remembers an argument "KEY=..." of --vary or --max. */
void options_vary(struct options *options, const char *argument);

/* Does such an argument name the key, or one below it? */
bool options_varies(const struct options *options, const char *key);

/* What the scenario of --workload is made of; borrows from the options. */
struct workload_origin options_workload(const struct options *options);

/* The argument of an option that is a size such as 256 GiB. */
uint64_t options_bytes(const struct argp_state *state, const char *option,
		       const char *argument);

extern const struct argp chatter_argp;
extern const struct argp output_argp;
extern const struct argp scenario_argp;
extern const struct argp watch_argp;
extern const struct argp timeline_argp;
extern const struct argp live_argp;
extern const struct argp record_argp;
extern const struct argp reissue_argp;

/* Hands the input of a parser to its children; for ARGP_KEY_INIT. */
void options_pass_on(struct argp_state *state,
		     const struct argp_child *children);

/* Ends the program over a mistake in the arguments, in one line. */
_Noreturn void options_refuse(const struct argp_state *state,
			      const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
