/* SPDX-License-Identifier: MIT */
/*
 * A chart in a page: a figure with a canvas, and beside it, as JSON, what the
 * script shall draw there: bars by label, or curves of points. The numbers
 * are final, a percentage is one already; so are the texts that are shown
 * when one is pointed at.
 *
 * Written in this order: labels (of bars), series with their bars or points,
 * marks.
 */
#ifndef ANALYSIS_PAGE_CHART_H
#define ANALYSIS_PAGE_CHART_H

#include <stdio.h>

#include "analysis/value.h"

/* Roles of colour: the same thing has the same colour in every chart. */
enum chart_colour {
	COLOUR_BUSY,
	COLOUR_USEFUL,
	COLOUR_FETCH,
	COLOUR_PREP,
	COLOUR_OTHER,
	COLOUR_SERIES, /* and what follows: the first, second, ... of many */
};

struct chart {
	const char *id;
	const char *kind; /* "bars", "stacked", "curves" */
	const char *title;
	const char *x_title, *y_title;
	const char *x_unit, *y_unit; /* "%", "s", "" and so on */
	bool x_log, y_log;
	size_t bars; /* how many there will be: makes room for them */
};

struct plot {
	FILE *out;
	size_t labels, series, items, marks; /* written so far */
};

void chart_begin(struct plot *plot, FILE *out, const struct chart *chart);
void chart_label(struct plot *plot, const char *label);
void chart_series(struct plot *plot, const char *name,
		  enum chart_colour colour);
/* A bar of the series, its unit as in value_human(). */
void chart_bar(struct plot *plot, const char *unit, struct metric_value value);
void chart_point(struct plot *plot, struct metric_value x,
		 struct metric_value y, const char *text);
void chart_series_end(struct plot *plot);
/* A vertical line with a word to it. */
void chart_mark(struct plot *plot, struct metric_value x, const char *text);
void chart_end(struct plot *plot);

#endif
