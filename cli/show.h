/* SPDX-License-Identifier: MIT */
/* Hands out what a command has to say. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "analysis/document/document.h"
#include "cli/options.h"
#include "cli/output.h"
#include "sim/fault.h"

/* Prints the document to an output that is open, commits or abandons that, and
 * frees the document. */
int show_in(struct output *output, const struct options *options,
	    struct document *document, struct fault *fault)
	__attribute__((warn_unused_result));

/* Prints the document as --format and -o want it, and frees it. NULL is one
 * for which there was no memory. */
int show(const struct options *options, struct document *document,
	 struct fault *fault) __attribute__((warn_unused_result));

#endif
