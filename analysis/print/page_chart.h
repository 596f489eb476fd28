/* SPDX-License-Identifier: MIT */
/* Charts of a page: the numbers of a view, handed to the page's script. */
#ifndef ANALYSIS_PRINT_PAGE_CHART_H
#define ANALYSIS_PRINT_PAGE_CHART_H

#include <stdio.h>

#include "analysis/print/cells.h"

/* Of a view of a document with this data. */
void page_chart(FILE *out, const struct view *view, const struct node *data);

#endif
