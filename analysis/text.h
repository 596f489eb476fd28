/* SPDX-License-Identifier: MIT */
/*
 * Text for people: everything fits in 80 columns. A table may take the width of
 * a wider terminal; prose stays narrow, where it is read best.
 */
#ifndef ANALYSIS_TEXT_H
#define ANALYSIS_TEXT_H

#include <stdio.h>

#include "analysis/print/style.h"

#define TEXT_COLUMNS 80

/* Colour on and off: "" unless the style has it. */
const char *text_tone_begin(const struct text_style *style,
			    enum text_tone tone);
const char *text_tone_end(const struct text_style *style, enum text_tone tone);

/* Writes words that may hold names, as far as they may be shown
 * (sim/printable.h). */
void text_put(FILE *out, const char *words, size_t length);

/* A paragraph: `first` before its first line, `rest` before the others. Colour
 * in `first` takes no room. */
void text_paragraph(FILE *out, const char *first, const char *rest,
		    const char *words);

/* The same, of lines no longer than that. */
void text_paragraph_within(FILE *out, size_t columns, const char *first,
			   const char *rest, const char *words);

/* Adds to a text, cut to its size. */
void text_append(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
