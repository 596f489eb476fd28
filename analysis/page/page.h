/* SPDX-License-Identifier: MIT */
/*
 * The page: a result as one HTML file that needs nothing else, no server and
 * no network, and is read on paper, on a phone and by a screen reader alike.
 *
 * It is written from the result's JSON (analysis/page/document.h), whoever made
 * that: `report RESULT.json` and `--format html` are the same code. Every
 * number in it, and every text of a number, is made here; the script in
 * analysis/page/ only draws them. What a chart shows stands in a table too.
 */
#ifndef ANALYSIS_PAGE_H
#define ANALYSIS_PAGE_H

#include <stdio.h>

#include "analysis/page/document.h"
#include "analysis/grid.h"
#include "analysis/report.h"

/* Writes the page of a checked result. 0 or -ENOMEM. */
int page_write(FILE *out, const struct node *root)
	__attribute__((warn_unused_result));

/* The page of a result that is written as JSON first: by `write`, told
 * `what`. */
int page_of_json(FILE *out, int (*write)(FILE *out, const void *what),
		 const void *what) __attribute__((warn_unused_result));

/* ---- between the files that write it ---- */

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

/* A grid as a table; `best` is the row to mark, or SIZE_MAX. */
void page_table(FILE *out, const struct grid *grid, const char *caption,
		size_t best);

/* Up to <main>, and from behind </main> on. */
void page_begin(FILE *out, const char *title, const char *about);
void page_end(FILE *out);

/* A section's head, "</section>" closes it. */
void page_section(FILE *out, const char *id, const char *title,
		  const char *text);

/* The parts of the page. */
void page_summary(const struct page *page);
void page_causes(const struct page *page);
void page_latency(const struct page *page);
void page_modes(const struct page *page);
void page_digests(const struct page *page);
void page_figures(const struct page *page);

/* All that a result of another kind has. */
void page_other(FILE *out, const struct node *root);

/* The curves of a sweep, one chart an axis, and its points. */
void page_sweep(const struct page *page);

/* Charts: a canvas and what to draw on it. */
void page_chart_au(const struct page *page);
void page_chart_idle(const struct page *page);
void page_chart_stages(const struct page *page);
void page_chart_latency(const struct page *page);
void page_chart_modes(const struct page *page);

/* Of one run: its stages and epochs; what happened when, which needs its
 * details. */
void page_stages(const struct page *page, size_t run);
void page_timeline(const struct page *page, size_t run);

#endif
