/* SPDX-License-Identifier: MIT */
/* The files of analysis/laws, compiled in. */
#ifndef ANALYSIS_LAW_TEXTS_H
#define ANALYSIS_LAW_TEXTS_H

#include <stddef.h>

struct law_text {
	const char *name; /* of the file, without its ending */
	const char *text;
	size_t size;
};

extern const struct law_text law_texts_table[];
extern const size_t law_texts_count;

#endif
