/* SPDX-License-Identifier: MIT */
/*
 * Where the product goes: stdout, or a file that is written in the folder of
 * its name and gets that when it is whole, so that nobody ever sees half of it.
 * Until then it has no name where the file system has such files, and what
 * ends the program, a broken pipe or a kill, leaves nothing.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/fault.h"

#define OUTPUT_PATH_MAX 4096

struct output {
	FILE *stream;
	const char *path;	      /* NULL: stdout */
	char target[OUTPUT_PATH_MAX]; /* what the path leads to */
	char beside[OUTPUT_PATH_MAX]; /* "" when written in place */
	bool unnamed;		      /* nothing is at `beside` yet */
};

/* path NULL: stdout, and so is one that leads to the file that stdout goes to,
 * as /dev/stdout may. What output_check() lets pass and is no regular file (a
 * pipe, a terminal, a descriptor of our own) is written in place; of a link it
 * is what the link leads to that is replaced, or made. One that may not be
 * written is not replaced, and what replaces another has its permissions. */
int output_open(struct output *output, const char *path, struct fault *fault)
	__attribute__((warn_unused_result));

/* What no product replaces, whoever writes it: a text file that was read
 * (traces/text_file.h), a device or a socket, which could not be written back;
 * but for /dev/null, /dev/full, terminals, and our own descriptors, as
 * /dev/stdout, /dev/fd/N and >(..) are. Tells where links lead, and the
 * descriptor, -1 when it is none. */
int output_check(const char *path, char target[OUTPUT_PATH_MAX],
		 int *descriptor, struct fault *fault)
	__attribute__((warn_unused_result));

/* Refuses an output that would replace its input, or a file below the folder
 * that is its input, by whatever name; a path that is NULL names nothing. For
 * all that is not read as a text. */
int output_spares(const char *path, const char *input, struct fault *fault)
	__attribute__((warn_unused_result));

/* Refuses one file for two outputs, however each is spelt; `option` is what
 * the other was given with. */
int output_differs(const char *path, const char *other, const char *option,
		   struct fault *fault) __attribute__((warn_unused_result));

/* All was written: makes it visible. On failure nothing is left. */
int output_commit(struct output *output, struct fault *fault)
	__attribute__((warn_unused_result));

/* Nothing is wanted any more. */
void output_abandon(struct output *output);

/* Where a path's last part begins; the folder of it, false when too long. */
size_t output_folder_length(const char *path);
bool output_folder(const char *path, char folder[OUTPUT_PATH_MAX]);

/* Opens, writes a text and commits. */
int output_text(const char *path, const char *text, size_t size,
		struct fault *fault) __attribute__((warn_unused_result));

#endif
