/* SPDX-License-Identifier: MIT */
/* The frame of a page, and of its sections. */
#ifndef ANALYSIS_PAGE_FRAME_H
#define ANALYSIS_PAGE_FRAME_H

#include <stdio.h>

/* Up to <main>, and from behind </main> on. */
void page_begin(FILE *out, const char *title, const char *about);
void page_end(FILE *out);

/* A section's head, "</section>" closes it. A title or text that is "" is left
 * out. */
void page_section(FILE *out, const char *id, const char *title,
		  const char *text);

/* A large figure of the answer that a page begins with, in a list of them. */
void page_tile(FILE *out, const char *name, const char *value,
	       const char *about);

#endif
