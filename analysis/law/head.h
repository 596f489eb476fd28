/* SPDX-License-Identifier: MIT */
/*
 * The head of a law file, and what its two readers share (private to them):
 * where they are in the text, and words of a hostile text.
 */
#ifndef ANALYSIS_LAW_HEAD_H
#define ANALYSIS_LAW_HEAD_H

#include "analysis/law/law.h"

struct law_line {
	const char *name; /* of the text */
	int number;	  /* 1-based; 0: of no line */
	struct fault *fault;
};

#define law_refuse(at, ...)                                                    \
	fault_set((at)->fault, (at)->name, (at)->number, __VA_ARGS__)

/* The text cut short and printable, in `copy`. */
#define LAW_SHOWN_MAX 40
const char *law_shown(const char *text, char *copy);

/* Without blanks at either end; cuts in place. */
char *law_trim(char *text);

/* One comment line, behind its '#': "key: value" with a known key goes into
 * the law, any other is a comment. 0 or -EINVAL. */
int law_read_head(struct law *law, const struct law_line *at, char *text)
	__attribute__((warn_unused_result));

#endif
