/* SPDX-License-Identifier: MIT */
/*
 * A table for people: numbers stand to the right, words to the left. What is
 * too wide gives way: last columns of long words are written below their row,
 * a first cell that is too long gets a line of its own.
 */
#ifndef ANALYSIS_PRINT_TEXT_TABLE_H
#define ANALYSIS_PRINT_TEXT_TABLE_H

#include <stdio.h>

#include "analysis/print/cells.h"

void text_cells(FILE *out, const struct cells *cells,
		const struct text_style *style);

#endif
