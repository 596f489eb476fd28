/* SPDX-License-Identifier: MIT */
/* Where the points of a sweep lie, as words. */
#ifndef ANALYSIS_PAGE_SWEEP_H
#define ANALYSIS_PAGE_SWEEP_H

#include "analysis/page/page.h"

/* What is varied: "accelerator.count, echo". Returns text. */
const char *sweep_keys(const struct page *page, char *text, size_t size);

/* The values of a point: "8, batch:2". Returns text. */
const char *sweep_values(const struct page *page, size_t point, char *text,
			 size_t size);

/* "accelerator.count=8, echo=batch:2", without the axis `except`. Returns
 * text. */
const char *sweep_place(const struct page *page, size_t point, size_t except,
			char *text, size_t size);

#endif
