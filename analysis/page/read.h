/* SPDX-License-Identifier: MIT */
/* What a page is about, read from the result: its runs, and their names and
 * values. */
#ifndef ANALYSIS_PAGE_READ_H
#define ANALYSIS_PAGE_READ_H

#include <stdio.h>

#include "analysis/page/document.h"

struct page {
	FILE *out;
	const struct node *root;
	const struct node *runs; /* of a sweep: its points */
	const struct node *axes; /* of a sweep; NULL: strategies */
	size_t run_count;
	size_t lead;	/* the run that the page is about: the best, or first */
	bool live;	/* there are live runs ... */
	bool both;	/* ... and simulated ones too */
	bool judged;	/* a law says what echo is worth */
	bool echoes;	/* some run uses examples again */
	bool explained; /* it is known what idling is due to */
};

struct page page_of(FILE *out, const struct node *root);

const struct node *page_run(const struct page *page, size_t run);

/* "batch:2", or "batch:2, live" where there are both modes. Returns text. */
#define RUN_NAME_MAX 96
const char *page_run_name(const struct page *page, size_t run, char *text,
			  size_t size);

/* The same without the mode; or where a point of a sweep lies. */
const char *page_strategy(const struct page *page, size_t run, char *text,
			  size_t size);

/* The value of a row of the metric table in a run. */
struct metric_value page_value(const struct page *page, size_t run,
			       const char *metric);

#endif
