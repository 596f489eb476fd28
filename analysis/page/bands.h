/* SPDX-License-Identifier: MIT */
/* What happened when, drawn as bands of time. */
#ifndef ANALYSIS_PAGE_BANDS_H
#define ANALYSIS_PAGE_BANDS_H

#include "analysis/page/read.h"

/* Of one run; needs its details. */
void page_timeline(const struct page *page, size_t run);

#endif
