/* SPDX-License-Identifier: MIT */
/* What every page carries along, compiled in: its style, its script
 * (analysis/page/), and Chart.js. */
#ifndef ANALYSIS_PAGE_TEXTS_H
#define ANALYSIS_PAGE_TEXTS_H

#include <stddef.h>

struct page_text {
	const char *name; /* of the file, without its ending */
	const char *text;
	size_t size;
};

extern const struct page_text page_texts_table[];
extern const size_t page_texts_count;

#endif
