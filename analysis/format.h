/* SPDX-License-Identifier: MIT */
/*
 * The format table: one row per way to write a report, a grid, a sweep or
 * a plan. To add one, write its functions and add its row.
 */
#ifndef ANALYSIS_FORMAT_H
#define ANALYSIS_FORMAT_H

#include <stdio.h>

#include "analysis/grid.h"
#include "analysis/plan/report.h"
#include "analysis/report.h"
#include "analysis/sweep/sweep.h"

/* The functions return 0 or -ENOMEM; what the stream refuses is left in
 * ferror() for whoever closes it. */
struct report_format {
	const char *name;
	const char *suffix; /* of its files */
	const char *help;
	bool takes_detail; /* has room for the details of runs ... */
	bool detailed;	   /* ... and is little without them */
	int (*write_report)(FILE *out, const struct report *report)
		__attribute__((warn_unused_result));
	int (*write_grid)(FILE *out, const struct grid *grid)
		__attribute__((warn_unused_result));
	int (*write_sweep)(FILE *out, const struct sweep_report *report)
		__attribute__((warn_unused_result));
	int (*write_plan)(FILE *out, const struct plan_report *report)
		__attribute__((warn_unused_result));
};

extern const struct report_format report_formats[];
extern const size_t report_format_count;

/* The row of a name; NULL when there is none. */
const struct report_format *report_format_find(const char *name);

/* The row whose suffix a path ends in; NULL when there is none. */
const struct report_format *report_format_of(const char *path);

/* The functions of the rows. */
int text_report(FILE *out, const struct report *report);
int text_grid(FILE *out, const struct grid *grid);
int json_report(FILE *out, const struct report *report);
int json_grid(FILE *out, const struct grid *grid);
int csv_report(FILE *out, const struct report *report);
int csv_grid(FILE *out, const struct grid *grid);
int html_report(FILE *out, const struct report *report);
int html_grid(FILE *out, const struct grid *grid);
int html_sweep(FILE *out, const struct sweep_report *report);

/* Facts by dotted names, then grids, all in one JSON object. 0 or -ENOMEM. */
int json_facts(FILE *out, const struct host_fact *facts, size_t fact_count,
	       const struct grid *grids, size_t grid_count)
	__attribute__((warn_unused_result));

#endif
