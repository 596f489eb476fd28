/* SPDX-License-Identifier: MIT */
/* The files of analysis/laws and analysis/data, compiled in. */
#ifndef ANALYSIS_LAW_TEXTS_H
#define ANALYSIS_LAW_TEXTS_H

#include <stddef.h>

struct law_text {
	const char *name; /* of the file, without its ending */
	const unsigned char *text;
	size_t size;
};

extern const struct law_text law_texts[];
extern const size_t law_text_count;

#endif
