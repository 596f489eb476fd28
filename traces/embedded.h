/* SPDX-License-Identifier: MIT */
/*
 * Files that are compiled into the program, so that nothing is looked for when
 * it runs and a name means the same in every folder. The Makefile makes each
 * set from a folder's files.
 */
#ifndef TRACES_EMBEDDED_H
#define TRACES_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
	const char *name; /* without its ending */
	const char *text;
	size_t size;
};

struct embedded {
	const struct embedded_file *files; /* in the order of names */
	size_t count;
};

/* The file of this name; NULL when there is none. */
const struct embedded_file *embedded_find(const struct embedded *embedded,
					  const char *name);

#endif
