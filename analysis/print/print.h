/* SPDX-License-Identifier: MIT */
/*
 * The printers: a row for each way to write a document. They know what a
 * document is and nothing of what it says. To add one, write its function and
 * add its row.
 */
#ifndef ANALYSIS_PRINT_PRINT_H
#define ANALYSIS_PRINT_PRINT_H

#include <stdio.h>

#include "analysis/document/document.h"
#include "analysis/print/cells.h"

struct printer {
	const char *name;
	const char *suffix; /* of files that hold it: ".html" */
	const char *help;
	bool takes_detail; /* has room for the details of runs ... */
	bool detailed;	   /* ... and is little without them */
	/* 0 or -ENOMEM, also for a document that lost something when it was
	 * built; what the stream refuses is left in ferror(). The style is for
	 * text alone. */
	int (*print)(FILE *out, struct document *document,
		     const struct text_style *style)
		__attribute__((warn_unused_result));
};

extern const struct printer printer_table[];
extern const size_t printer_count;

/* The row of a name; NULL when there is none. */
const struct printer *printer_find(const char *name);

/* The row whose suffix a path ends in; NULL when there is none. */
const struct printer *printer_of(const char *path);

/* The functions of the rows. */
int print_text(FILE *out, struct document *document,
	       const struct text_style *style);
int print_json(FILE *out, struct document *document,
	       const struct text_style *style);
int print_csv(FILE *out, struct document *document,
	      const struct text_style *style);
int print_page(FILE *out, struct document *document,
	       const struct text_style *style);

#endif
