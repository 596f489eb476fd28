/* SPDX-License-Identifier: MIT */
/*
 * The details of a run: what its timeline says, made small enough to be part
 * of a result and to be looked at. Rows of means over equal bins of time, and
 * the steps of a few accelerators one by one.
 */
#ifndef ANALYSIS_DETAIL_H
#define ANALYSIS_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/trace/timeline.h"
#include "sim/pipeline.h"

#define DETAIL_BINS 200
#define DETAIL_ACCELERATORS_MAX 8 /* whose steps are told one by one */
#define DETAIL_STEPS_MAX 2048	  /* of all of them */

/* How many of something there were. */
struct detail_row {
	const char *name; /* of a stage, or of a buffer */
	const char *what; /* "busy", "waiting": of what there are so many */
	double most;	  /* as many as there can be; 0: there is no such limit,
			     or it is not known */
	double mean[DETAIL_BINS];
};

struct detail_step {
	uint64_t step;
	uint32_t accelerator;
	int64_t issue_ns; /* its batch was there */
	int64_t start_ns;
	int64_t end_ns;
};

#define DETAIL_ROWS_MAX 12

struct detail_stretch {
	const char *name; /* "first steps", "steady stretch", "whole run" */
	int64_t start_ns;
	int64_t end_ns;
	bool cut;
	size_t bins;
	struct detail_row rows[DETAIL_ROWS_MAX];
	size_t row_count;
	struct detail_step *steps;
	size_t step_count;
};

struct detail {
	struct detail_stretch stretches[2]; /* first, steady */
	size_t stretch_count;
	struct detail_stretch levels; /* over the whole run */
};

/* Makes the details of a run of this pipeline; freed by detail_free(). -ENOMEM
 * or 0. */
int detail_make(struct detail **detail, const struct timeline *timeline,
		const struct pipeline *pipeline)
	__attribute__((warn_unused_result));
void detail_free(struct detail *detail); /* NULL: nothing to do */

#endif
