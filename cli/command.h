/* SPDX-License-Identifier: MIT */
/*
 * The front door. A subcommand is one file and one row of the table in
 * main.c: it parses its own argv with argp, calls the rooms, and returns an
 * exit status. Product goes to stdout, everything else to stderr.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "sim/fault.h"

enum exit_status {
	STATUS_DONE = 0,
	STATUS_MISSED = 1, /* done, but a goal was missed */
	STATUS_PERSON = 2, /* the person's mistake */
	STATUS_WORLD = 3,  /* I/O, memory, permission */
	STATUS_INTERRUPTED = 130,
};

struct command {
	const char *name;
	const char *help; /* one line */
	int (*run)(int argc, char **argv);
};

int command_compare(int argc, char **argv);
int command_sim(int argc, char **argv);
int command_run(int argc, char **argv);
int command_pack(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_probe(int argc, char **argv);
int command_learn(int argc, char **argv);
int command_plan(int argc, char **argv);
int command_list(int argc, char **argv);

/* Says on stderr what went wrong, in one line, and returns the exit status
 * that the negative errno stands for. */
int complain(int error, const struct fault *fault);

/* A line on stderr. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
