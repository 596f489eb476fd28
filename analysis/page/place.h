/* SPDX-License-Identifier: MIT */
/* Where the points of a sweep lie, as words: all are told the result. */
#ifndef ANALYSIS_PAGE_PLACE_H
#define ANALYSIS_PAGE_PLACE_H

#include <stddef.h>

#include "analysis/page/document.h"

/* An axis, and how many are looked at. */
const struct node *place_axis(const struct node *root, size_t axis);
size_t place_axis_count(const struct node *root);

/* Where a point is on an axis: the value, and as a word. Returns text. */
const struct node *place_at(const struct node *root, size_t point, size_t axis);
const char *place_word(const struct node *root, size_t point, size_t axis,
		       char *text, size_t size);

/* What is varied: "accelerator.count, echo". Returns text. */
const char *place_keys(const struct node *root, char *text, size_t size);

/* The values of a point: "8, batch:2". Returns text. */
const char *place_values(const struct node *root, size_t point, char *text,
			 size_t size);

/* "accelerator.count=8, echo=batch:2", without the axis `except`. Returns
 * text. */
const char *place_text(const struct node *root, size_t point, size_t except,
		       char *text, size_t size);

#endif
