/* SPDX-License-Identifier: MIT */
/*
 * The front door. A subcommand is one file and one row of the table in
 * main.c: it parses its own argv with its argp, calls the rooms, and returns
 * an exit status. Product goes to stdout, everything else to stderr. Whoever
 * must know the options of a subcommand (the manual, completion) finds them
 * through its argp.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <argp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/fault.h"

enum exit_status {
	STATUS_DONE = 0,
	STATUS_MISSED = 1, /* done, but a goal was missed */
	STATUS_PERSON = 2, /* the person's mistake */
	STATUS_WORLD = 3,  /* I/O, memory, permission */
	STATUS_INTERRUPTED = 130,
};

/* What the statuses mean, for a person. */
struct exit_meaning {
	enum exit_status status;
	const char *meaning;
};

extern const struct exit_meaning exit_meanings[];
extern const size_t exit_meaning_count;

struct command {
	const char *name;
	const char *help; /* one line; NULL: for programs, named nowhere */
	int (*run)(int argc, char **argv);
	const struct argp *argp; /* what it understands; doc with examples
				    behind '\v' */
};

extern const struct command commands[];
extern const size_t command_count;

/* NULL when there is none of that name. */
const struct command *command_find(const char *name);

/* Of the program itself, before any subcommand. */
extern const struct argp echosim_argp;

extern const struct argp compare_argp;
int command_compare(int argc, char **argv);
extern const struct argp sim_argp;
int command_sim(int argc, char **argv);
extern const struct argp run_argp;
int command_run(int argc, char **argv);
extern const struct argp sweep_argp;
int command_sweep(int argc, char **argv);
extern const struct argp pack_argp;
int command_pack(int argc, char **argv);
extern const struct argp verify_argp;
int command_verify(int argc, char **argv);
extern const struct argp probe_argp;
int command_probe(int argc, char **argv);
extern const struct argp learn_argp;
int command_learn(int argc, char **argv);
extern const struct argp plan_argp;
int command_plan(int argc, char **argv);
extern const struct argp import_workload_argp;
int command_import_workload(int argc, char **argv);
extern const struct argp trace_argp;
int command_trace(int argc, char **argv);
extern const struct argp report_argp;
int command_report(int argc, char **argv);
extern const struct argp list_argp;
int command_list(int argc, char **argv);
extern const struct argp manual_argp;
int command_manual(int argc, char **argv);
extern const struct argp complete_argp;
int command_complete(int argc, char **argv);

/* Says on stderr what went wrong, in one line, and returns the exit status
 * that the negative errno stands for. */
int complain(int error, const struct fault *fault);

/* A line on stderr, and one that begins with another name than the program's.
 * Whatever is in it, it is one line. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_words(const char *who, const char *format, va_list arguments)
	__attribute__((format(printf, 2, 0)));

/* The same of a product: a line of it that holds a name. */
void say_product(FILE *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
