/* SPDX-License-Identifier: MIT */
#include "analysis/page/document.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/metric.h"
#include "analysis/part.h"
#include "analysis/version.h"

#define VERSION_PARTS 3
#define RUNS_MAX 4096
#define SHOWN_MAX 40 /* of what a file says, in a message */

static int refuse(struct fault *fault, const char *what, const char *expected)
{
	fault_set(fault, fault->file, 0, "%s; expected %s", what, expected);
	return -EINVAL;
}

/* "1.2.3"; false for anything else. */
static bool parse_version(const char *text, unsigned long *parts)
{
	char *end;
	size_t i;

	for (i = 0; i < VERSION_PARTS; i++) {
		if (*text < '0' || *text > '9')
			return false;
		parts[i] = strtoul(text, &end, 10);
		text = end + (i + 1 < VERSION_PARTS && *end == '.');
	}
	return !*text;
}

static int check_version(const struct node *root, struct fault *fault)
{
	unsigned long theirs[VERSION_PARTS], ours[VERSION_PARTS];
	const char *text = node_text(root, "echosim");
	size_t i;

	if (!text || !parse_version(text, theirs) ||
	    !parse_version(ECHOSIM_VERSION, ours))
		return refuse(fault, "not a result of echosim",
			      "\"echosim\": a version, as --format json "
			      "writes it");
	for (i = 0; i < VERSION_PARTS && theirs[i] == ours[i]; i++)
		;
	if (i == VERSION_PARTS || theirs[i] < ours[i])
		return 0;
	fault_set(fault, fault->file, 0,
		  "made by echosim %.*s; expected a version no newer than this "
		  "one, " ECHOSIM_VERSION,
		  SHOWN_MAX, text);
	return -EINVAL;
}

static const char *kind_expected(enum metric_kind kind)
{
	switch (kind) {
	case METRIC_BOOL:
		return "true or false";
	case METRIC_COUNT:
		return "a whole number";
	case METRIC_REAL:
		return "a number";
	case METRIC_DIGEST:
		return "16 hexadecimal digits";
	default:
		return "a text";
	}
}

static int refuse_kind(struct fault *fault, size_t run, const char *name,
		       enum metric_kind kind)
{
	fault_set(fault, fault->file, 0, "runs[%zu].%s; expected %s", run, name,
		  kind_expected(kind));
	return -EINVAL;
}

static int check_member(const struct node *member, const struct part *part,
			size_t run, struct fault *fault)
{
	const struct part_metric *metric;
	const struct node *node;
	size_t i;

	if (!node_value(node_at(member, part->label), part->label_kind).known)
		return refuse_kind(fault, run, part->label, part->label_kind);
	for (i = 0; i < part->metric_count; i++) {
		metric = &part->metrics[i];
		node = node_at(member, metric->name);
		if (node && !node_value(node, metric->kind).known)
			return refuse_kind(fault, run, metric->name,
					   metric->kind);
	}
	return 0;
}

static int check_part(const struct node *array, const struct part *part,
		      size_t run, struct fault *fault)
{
	size_t i;
	int error = 0;

	for (i = 0; i < node_count(array) && !error; i++)
		error = check_member(node_item(array, i), part, run, fault);
	return error;
}

/* Figures that are not there are not known; those that are there are of their
 * kind. */
static int check_run(const struct node *run, size_t number, struct fault *fault)
{
	const struct metric *metric;
	const struct node *node;
	int error = 0;
	size_t i;

	if (!node_text(run, "mode"))
		return refuse_kind(fault, number, "mode", METRIC_TEXT);
	if (!node_text(run, "strategy.place"))
		return refuse_kind(fault, number, "strategy.place",
				   METRIC_TEXT);
	for (i = 0; i < metric_count && !error; i++) {
		metric = &metric_table[i];
		node = node_at(run, metric->name);
		if (metric->kind == METRIC_PART)
			error = check_part(node, part_find(metric->name),
					   number, fault);
		else if (node && !node_value(node, metric->kind).known)
			error = refuse_kind(fault, number, metric->name,
					    metric->kind);
	}
	return error;
}

/* A point of a sweep: where it lies, and its run. */
static int check_point(const struct node *point, size_t number,
		       struct fault *fault)
{
	if (!node_is_object(node_at(point, "at")) ||
	    !node_is_object(node_at(point, "run")))
		return refuse(fault, "a point is damaged",
			      "\"at\" and \"run\" in each of them");
	return check_run(node_at(point, "run"), number, fault);
}

static int check_list(const struct node *list, const char *missing,
		      const char *expected,
		      int (*check)(const struct node *, size_t, struct fault *),
		      struct fault *fault)
{
	int error = 0;
	size_t i;

	if (!node_count(list) || node_count(list) > RUNS_MAX)
		return refuse(fault, missing, expected);
	for (i = 0; i < node_count(list) && !error; i++)
		error = check(node_item(list, i), i, fault);
	return error;
}

static void note_shown(void *context, const char *key, const struct node *value)
{
	bool *found = context;

	*found |= node_is_object(node_item(value, 0)) ||
		  (strcmp(key, "echosim") != 0 &&
		   (node_value(value, METRIC_TEXT).known ||
		    node_value(value, METRIC_REAL).known));
}

/* A plan, a table, a look at a recording, or the like: its figures and lists
 * are taken as they are. */
static bool holds_more(const struct node *root)
{
	bool found = false;

	node_each(root, note_shown, &found);
	return found;
}

int document_check(const struct node *root, struct fault *fault)
{
	int error = check_version(root, fault);

	if (error)
		return error;
	if (node_at(root, "axes"))
		return check_list(node_at(root, "points"), "no points",
				  "\"points\": a list of 1 to 4096 of them",
				  check_point, fault);
	if (!node_at(root, "runs") && holds_more(root))
		return 0;
	return check_list(node_at(root, "runs"), "no runs",
			  "\"runs\": a list of 1 to 4096 of them", check_run,
			  fault);
}
