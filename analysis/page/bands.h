/* SPDX-License-Identifier: MIT */
/* What happened when, drawn as bands of time. */
#ifndef ANALYSIS_PAGE_BANDS_H
#define ANALYSIS_PAGE_BANDS_H

#include <stdio.h>

#include "analysis/document/node.h"

/* The details of a run. */
void page_bands(FILE *out, const struct node *detail);

#endif
