/* SPDX-License-Identifier: MIT */
/*
 * Tables in --help: argp gives a program its texts to change before they are
 * printed, and what a table says belongs behind the options, before the
 * examples.
 */
#ifndef CLI_HELP_FILTER_H
#define CLI_HELP_FILTER_H

#include <stdio.h>

/* For a help_filter of argp: `write` writes what stands behind the options, the
 * text that would have stood there alone included. Other texts stay as they
 * are. argp frees what is returned. */
char *help_filter(int key, const char *text,
		  void (*write)(FILE *out, const char *text));

#endif
