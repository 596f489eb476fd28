/* SPDX-License-Identifier: MIT */
/*
 * Plain text as the source of a man page, man(7): words are broken into lines,
 * signs that troff would take as its own are escaped, and `code` in backquotes
 * is set bold, as are command lines.
 */
#ifndef CLI_TROFF_H
#define CLI_TROFF_H

#include <stddef.h>
#include <stdio.h>

/* Prose; an empty line parts paragraphs, a line that begins with two blanks
 * is an example and stays as it is. */
void troff_text(FILE *out, const char *text, size_t length);

/* A request with one argument: SH, SS, B. */
void troff_heading(FILE *out, const char *request, const char *text);

/* An entry of a list: what it is about, bold, and what is to be said. */
void troff_entry(FILE *out, const char *term, const char *text);

/* The same with an upright or slanted tail behind the bold term: an option
 * and its argument. "" for none. */
void troff_option(FILE *out, const char *term, const char *argument,
		  const char *text);

#endif
