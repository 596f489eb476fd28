/* SPDX-License-Identifier: MIT */
/* The details of a run as data, which a page draws as bands of time. */
#ifndef ANALYSIS_DETAIL_DATA_H
#define ANALYSIS_DETAIL_DATA_H

#include "analysis/detail.h"
#include "analysis/document/document.h"

/* Adds the member "detail" to the object of a run. */
void detail_data(struct document *document, struct node *run,
		 const struct detail *detail);

#endif
