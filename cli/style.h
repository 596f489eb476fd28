/* SPDX-License-Identifier: MIT */
/*
 * How text is set on a stream: the width of a terminal, and whether it may
 * have colour. Files and pipes get 80 columns and none, so that what is kept
 * does not depend on the window it was made in.
 */
#ifndef CLI_STYLE_H
#define CLI_STYLE_H

#include <stdio.h>

#include "analysis/print/style.h"

enum color_when {
	COLOR_AUTO,
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/* "auto", "always" or "never"; -EINVAL for any other word. */
int style_color_parse(const char *word, enum color_when *when)
	__attribute__((warn_unused_result));

struct text_style style_of(FILE *stream, enum color_when when);

#endif
