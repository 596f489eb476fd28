/* SPDX-License-Identifier: MIT */
/*
 * Where the product goes: stdout, or a file that is written beside its name
 * and renamed when it is whole, so that nobody ever sees half of it.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdio.h>

#include "sim/fault.h"

#define OUTPUT_PATH_MAX 4096

struct output {
	FILE *stream;
	const char *path;	      /* NULL: stdout */
	char beside[OUTPUT_PATH_MAX]; /* "" when written in place */
};

/* path NULL: stdout. A path that is there and no regular file (a device, a
 * pipe) is written in place; one that may not be written is not replaced, and
 * what replaces another has its permissions. */
int output_open(struct output *output, const char *path, struct fault *fault)
	__attribute__((warn_unused_result));

/* Refuses an output that would replace the input it is made of. */
int output_spares(const char *path, const char *input, struct fault *fault)
	__attribute__((warn_unused_result));

/* All was written: makes it visible. On failure nothing is left. */
int output_commit(struct output *output, struct fault *fault)
	__attribute__((warn_unused_result));

/* Nothing is wanted any more. */
void output_abandon(struct output *output);

#endif
