/* SPDX-License-Identifier: MIT */
/*
 * Parts: what a run has several of, its stages and its epochs. A row of kind
 * METRIC_PART in the metric table stands for a part; the figures that each of
 * its members has are a small table of their own.
 */
#ifndef ANALYSIS_PART_H
#define ANALYSIS_PART_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/result.h"
#include "analysis/value.h"

struct part_metric {
	const char *name; /* within a member: "utilisation" */
	enum metric_kind kind;
	const char *unit;
	const char *help; /* one sentence */
	struct metric_value (*get)(const struct result *result, size_t member);
};

struct part {
	const char *name;  /* of its row in the metric table */
	const char *label; /* what tells members apart: "name", "epoch" */
	enum metric_kind label_kind;
	struct metric_value (*get_label)(const struct result *result,
					 size_t member);
	size_t (*count)(const struct result *result);
	/* Members of every run alike: one line can hold them (CSV). 0: not. */
	size_t always;
	const struct part_metric *metrics;
	size_t metric_count;
};

/* The part that a row of the metric table stands for, by its name. */
const struct part *part_find(const char *name);

#endif
