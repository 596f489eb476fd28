/* SPDX-License-Identifier: MIT */
/*
 * A grid is anything with rows and columns on its way out: the strategies of
 * a comparison, the metric table, the facts of a dataset. It is read cell by
 * cell through one function and holds nothing itself.
 */
#ifndef ANALYSIS_GRID_H
#define ANALYSIS_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/value.h"

enum grid_audience {
	FOR_ALL,
	FOR_PROGRAMS, /* left out of tables for people */
	FOR_PEOPLE,   /* left out of JSON and CSV */
};

struct grid_column {
	const char *name; /* for machines */
	enum metric_kind kind;
	const char *unit;    /* of value_human() */
	const char *heading; /* for people, '\n' between its two lines; NULL:
				the name */
	enum grid_audience audience;
};

/* What a cell is worth a reader's eye for. */
enum text_tone {
	TONE_PLAIN,
	TONE_BEST,    /* what to look at first */
	TONE_WARNING, /* what must be known before it is believed */
};

/* How text is set; all zero: 80 columns, no colour. */
struct text_style {
	unsigned columns;
	bool color;
};

struct grid {
	const char *name; /* the JSON key of the rows */
	/* For a page: what it is called, NULL: its name; how to read it, a
	 * paragraph, NULL: that needs no words. */
	const char *title;
	const char *about;
	const struct grid_column *columns;
	size_t column_count;
	size_t row_count;
	const void *context;
	struct metric_value (*cell)(const void *context, size_t row,
				    size_t column);
	struct text_style style;
	/* NULL: all plain. */
	enum text_tone (*tone)(const void *context, size_t row, size_t column);
};

#endif
