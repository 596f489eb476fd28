/* SPDX-License-Identifier: MIT */
/*
 * What a subcommand understands, as one flat table: the options of its argp
 * and of the children of that, in the order of their names, and the two parts
 * of its doc. The manual and completion are loops over it, so that neither
 * can tell anything that --help does not.
 */
#ifndef CLI_USAGE_H
#define CLI_USAGE_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#define USAGE_OPTIONS_MAX 64

struct usage {
	const struct argp_option *options[USAGE_OPTIONS_MAX];
	size_t option_count;
	const char *arguments; /* "SCENARIO"; "" for none */
	const char *about;     /* what --help says before the options ... */
	size_t about_length;
	const char *more; /* ... and after them; "" for nothing */
};

void usage_of(struct usage *usage, const struct argp *argp);

/* Has the option a letter? */
bool usage_has_letter(const struct argp_option *option);

/* The option that "--name", "--name=..." or "-n" stands for; NULL for any
 * other word. */
const struct argp_option *usage_find(const struct usage *usage,
				     const char *word);

#endif
