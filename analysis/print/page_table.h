/* SPDX-License-Identifier: MIT */
/* Tables of a page. */
#ifndef ANALYSIS_PRINT_PAGE_TABLE_H
#define ANALYSIS_PRINT_PAGE_TABLE_H

#include <stdio.h>

#include "analysis/print/cells.h"

/* A row for each item; columns that are empty throughout are left out. */
void page_rows(FILE *out, const struct cells *cells);

/* A row for each column of the view, a column for each item. */
void page_across(FILE *out, const struct cells *cells);

/* A row for each value of one object. */
void page_facts(FILE *out, const struct view *view, const struct node *object);

#endif
