/* SPDX-License-Identifier: MIT */
/*
 * A view: a part of a document as a reader sees it. It holds no value of its
 * own but names paths of the document's data, with the unit and the heading
 * under which people read what lies there.
 */
#ifndef ANALYSIS_DOCUMENT_VIEW_H
#define ANALYSIS_DOCUMENT_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/value.h"

enum view_kind {
	VIEW_SECTION,	/* what follows, up to the next one, goes together */
	VIEW_FOLD,	/* what follows is folded away under its title */
	VIEW_PARAGRAPH, /* the text at `path`, or `about` */
	VIEW_LITERAL,	/* the same, line by line as it is */
	VIEW_NOTES,	/* the list of texts at `path` */
	VIEW_FACTS,	/* a line for each column: values of one object */
	VIEW_TILES,	/* the chief ones among them, large */
	VIEW_TABLE,	/* a row for each item of the list at `path` */
	VIEW_ACROSS,	/* the same with a column for each item */
	VIEW_CHART,	/* a picture of the items of the list at `path` */
	VIEW_TREE,	/* the object at `path`, as JSON */
	VIEW_KIND_COUNT,
};

/* Who sees a view or a column. What it names is in JSON whoever sees it. */
enum audience {
	SEEN_BY_ALL = 0,
	SEEN_IN_TEXT = 1,
	SEEN_IN_PAGE = 2,
	SEEN_IN_CSV = 4,
	SEEN_BY_PEOPLE = SEEN_IN_TEXT | SEEN_IN_PAGE,
};

struct view_column {
	const char *path; /* within an item, or of a fact */
	enum metric_kind kind;
	const char *unit;    /* of value_human() */
	const char *heading; /* '\n' between its two lines; NULL: the name */
	enum audience audience;
	const char *name;    /* of its column in CSV; NULL: the path */
	const char *warning; /* texts that a reader must not miss, a ';' between
				them; or NULL */
	const char *help;    /* a sentence, or NULL */
};

/* A column, and one for some only. */
#define COLUMN(at, of_kind, in_unit, under)                                    \
	{                                                                      \
		.path = at, .kind = of_kind, .unit = in_unit, .heading = under \
	}
#define COLUMN_FOR(whom, at, of_kind, in_unit, under)                          \
	{                                                                      \
		.path = at, .kind = of_kind, .unit = in_unit,                  \
		.heading = under, .audience = whom                             \
	}

enum view_chart_kind {
	CHART_BARS,    /* side by side, a group for each item */
	CHART_STACKED, /* one on the other */
	CHART_CURVES, /* over x: a curve for each way the group's columns are */
	CHART_BANDS,  /* what happened when; the object at `path` */
	VIEW_CHART_KIND_COUNT,
};

/* What a shade stands for; a series of no meaning has its number's. */
enum view_shade {
	SHADE_BUSY,
	SHADE_USEFUL,
	SHADE_FETCH,
	SHADE_PREP,
	SHADE_OTHER,
	SHADE_SERIES,
};

struct view_chart {
	enum view_chart_kind kind;
	const char *x; /* curves: the columns of x and y, ... */
	const char *y;
	const char *text;  /* ... and of what is said at a point, or NULL */
	const char *marks; /* a list of {x, text} to be marked, or NULL */
	const char *x_title;
	const char *x_unit;
	const char *y_title;
	const char *y_unit;
	bool x_log;
	bool y_log;
	/* Bars: of each column. */
	const enum view_shade *shades;
};

struct view {
	enum view_kind kind;
	enum audience audience;
	const char *id;	   /* a word that no other view of the document has */
	const char *title; /* NULL: none */
	const char *about; /* how to read it, a paragraph; NULL: none */
	const char *path;  /* NULL: all of the document's data */
	const char *where; /* only items whose text at this path ... */
	const char *is;	   /* ... is this one; NULL: all */
	const char *label; /* across, bars: the path of an item's name */
	const char *best;  /* the path of what is true, or the text "best", in
			      the item to look at first, or NULL */
	const struct view_column *columns; /* curves: those of the group */
	size_t column_count;
	struct view_chart chart;
};

#endif
