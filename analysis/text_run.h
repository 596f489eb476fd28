/* SPDX-License-Identifier: MIT */
/* A run for people: every figure there is, its stages and its epochs. */
#ifndef ANALYSIS_TEXT_RUN_H
#define ANALYSIS_TEXT_RUN_H

#include <stdio.h>

#include "analysis/grid.h"
#include "analysis/result.h"

/* What is not known is left out. */
void text_run(FILE *out, const struct text_style *style,
	      const struct result *result);

#endif
