/* SPDX-License-Identifier: MIT */
/* The page of a plan: the goal and where it stands, the advice, and what each
 * answer changes, comes to and costs. */
#ifndef ANALYSIS_PAGE_PLAN_H
#define ANALYSIS_PAGE_PLAN_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/page/document.h"

/* Is the result one of a plan? */
bool page_is_plan(const struct node *root);

void page_plan(FILE *out, const struct node *root);

#endif
