/* SPDX-License-Identifier: MIT */
/* A sweep in a page. */
#ifndef ANALYSIS_PAGE_SWEEP_H
#define ANALYSIS_PAGE_SWEEP_H

#include "analysis/page/read.h"

/* The curves, one chart an axis, and the points. */
void page_sweep(const struct page *page);

#endif
