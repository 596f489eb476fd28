/* SPDX-License-Identifier: MIT */
/* The charts of a page: a canvas each, and what to draw on it. */
#ifndef ANALYSIS_PAGE_DRAW_H
#define ANALYSIS_PAGE_DRAW_H

#include "analysis/page/read.h"

void page_chart_au(const struct page *page);
void page_chart_idle(const struct page *page);
void page_chart_stages(const struct page *page);
void page_chart_latency(const struct page *page);
void page_chart_modes(const struct page *page);

#endif
