/* SPDX-License-Identifier: MIT */
/* The page of a result that is neither runs nor a sweep. */
#ifndef ANALYSIS_PAGE_OTHER_H
#define ANALYSIS_PAGE_OTHER_H

#include <stdio.h>

#include "analysis/page/document.h"

/* All that is in it. */
void page_other(FILE *out, const struct node *root);

/* Every figure by its dotted name, a row each. */
void page_names(FILE *out, const struct node *root);

#endif
