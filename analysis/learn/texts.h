/* SPDX-License-Identifier: MIT */
/* The files of analysis/data, compiled in. */
#ifndef ANALYSIS_LEARN_TEXTS_H
#define ANALYSIS_LEARN_TEXTS_H

#include <stddef.h>

struct learn_text {
	const char *name; /* of the file, without its ending */
	const char *text;
	size_t size;
};

extern const struct learn_text learn_texts_table[];
extern const size_t learn_texts_count;

#endif
