/* SPDX-License-Identifier: MIT */
/* How text for people is set. */
#ifndef ANALYSIS_PRINT_STYLE_H
#define ANALYSIS_PRINT_STYLE_H

#include <stdbool.h>

/* All zero: 80 columns, no colour. */
struct text_style {
	unsigned columns;
	bool color;
};

/* What a cell is worth a reader's eye for. */
enum text_tone {
	TONE_PLAIN,
	TONE_BEST,    /* what to look at first */
	TONE_WARNING, /* what must be known before it is believed */
};

#endif
