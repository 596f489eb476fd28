/* SPDX-License-Identifier: MIT */
/* What every page carries along, compiled in: its style, its script
 * (analysis/page/), and Chart.js. */
#ifndef ANALYSIS_PAGE_TEXTS_H
#define ANALYSIS_PAGE_TEXTS_H

#include "traces/embedded.h"

extern const struct embedded page_texts;

#endif
