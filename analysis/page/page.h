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

/* Writes the page of a checked result. 0 or -ENOMEM. */
int page_write(FILE *out, const struct node *root)
	__attribute__((warn_unused_result));

/* The page of a result that is written as JSON first: by `write`, told
 * `what`. */
int page_of_json(FILE *out, int (*write)(FILE *out, const void *what),
		 const void *what) __attribute__((warn_unused_result));

#endif
