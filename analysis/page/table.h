/* SPDX-License-Identifier: MIT */
/* The tables of a page. */
#ifndef ANALYSIS_PAGE_TABLE_H
#define ANALYSIS_PAGE_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/grid.h"
#include "analysis/page/read.h"

/* Columns of a table. */
#define PAGE_COLUMNS_MAX 64

/* A grid as a table, without columns that are empty throughout; a caption
 * that is "" is left out, too. `best` is a row to mark, or SIZE_MAX, beside
 * those whose tone says so. */
void page_table(FILE *out, const struct grid *grid, const char *caption,
		size_t best);

void page_summary(const struct page *page);
void page_causes(const struct page *page);
void page_latency(const struct page *page);
void page_modes(const struct page *page);
void page_digests(const struct page *page);
void page_figures(const struct page *page);

/* Of one run: its stages and epochs. */
void page_stages(const struct page *page, size_t run);

#endif
