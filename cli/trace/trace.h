/* SPDX-License-Identifier: MIT */
/*
 * echosim trace: what can be done with recordings. Each is a row of the table
 * in trace.c and a file trace_NAME.c, with an argp of its own, as subcommands
 * are (cli/command.h).
 */
#ifndef CLI_TRACE_H
#define CLI_TRACE_H

#include "cli/command.h"
#include "cli/options.h"
#include "cli/trace/recorded.h"

extern const struct command trace_commands[];
extern const size_t trace_command_count;

extern const struct argp trace_info_argp;
int trace_info(int argc, char **argv);
extern const struct argp trace_print_argp;
int trace_print(int argc, char **argv);
extern const struct argp trace_stat_argp;
int trace_stat(int argc, char **argv);
extern const struct argp trace_cut_argp;
int trace_cut(int argc, char **argv);
extern const struct argp trace_verify_argp;
int trace_verify(int argc, char **argv);
extern const struct argp trace_fit_argp;
int trace_fit(int argc, char **argv);
extern const struct argp trace_import_argp;
int trace_import(int argc, char **argv);
extern const struct argp trace_export_argp;
int trace_export(int argc, char **argv);

/* What they have in common: the input of their parsers begins with one. */
struct trace_options {
	struct options common; /* first: the children's input */
	const char *path;
	/* trace_range_argp: --kind --from --to */
	uint32_t kinds; /* a bit each; 0: all */
	int64_t from_ns;
	int64_t to_ns;
};

void trace_options_init(struct trace_options *options);

/* What a parser with such an input does with keys that are not its own: takes
 * one FILE. */
error_t trace_parse(int key, char *argument, struct argp_state *state);

/* --kind --from --to; hands struct trace_options on. */
extern const struct argp trace_range_argp;

/* Is it one of the kinds, and under way between the two times? */
bool trace_wants(const struct trace_options *options,
		 const struct trace_event *event);

#endif
