/* SPDX-License-Identifier: MIT */
/* Reads the points of an earlier result of the same sweep. The file may be
 * anything: what is not as this program writes it is refused. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/metric.h"
#include "analysis/scenario_data.h"
#include "analysis/sweep/data.h"
#include "analysis/version.h"

#define PATH_MAX_BYTES 128

/* An earlier result, what this sweep would write in its place, and who is told
 * what is wrong. */
struct earlier {
	struct node *root;
	struct document *own; /* scenario and axes */
	const char *name;
	struct fault *fault;
};

static int refuse(const struct earlier *earlier, const char *text)
{
	fault_set(earlier->fault, earlier->name, 0, "%s", text);
	return -EINVAL;
}

static int refuse_damaged(const struct earlier *earlier, size_t at,
			  const char *what)
{
	fault_set(earlier->fault, earlier->name, 0,
		  "point %zu is damaged: %s is not as sweep writes it", at + 1,
		  what);
	return -EINVAL;
}

/* ---- is it of the same sweep? ---- */

struct difference {
	const struct node *other;
	char *path; /* of the first member that differs, by its names */
	bool found;
};

static void find_difference(void *context, const char *name,
			    const struct node *value)
{
	struct difference *difference = context;
	const struct node *other = node_member(difference->other, name);
	struct difference inner = { other, difference->path, false };
	size_t used = strlen(difference->path);

	if (difference->found || node_equal(value, other))
		return;
	difference->found = true;
	snprintf(difference->path + used, PATH_MAX_BYTES - used, "%s%s",
		 used ? "." : "", name);
	if (node_is_object(value) && node_is_object(other))
		node_each(value, find_difference, &inner);
}

static int check_scenario(const struct earlier *earlier)
{
	const struct node *own =
		node_at(document_data_of(earlier->own), "scenario");
	const struct node *theirs = node_member(earlier->root, "scenario");
	char path[PATH_MAX_BYTES] = "";
	struct difference difference = { theirs, path, false };

	if (theirs && node_equal(own, theirs))
		return 0;
	node_each(own, find_difference, &difference);
	fault_set(earlier->fault, earlier->name, 0,
		  "is of another scenario: %s differs; expected the same, "
		  "--set, --seed and --echo too",
		  path[0] ? path : "all of it");
	return -EINVAL;
}

static int check_axes(const struct earlier *earlier, const struct sweep *sweep)
{
	const struct node *own =
		node_at(document_data_of(earlier->own), "axes");

	if (!node_equal(own, node_member(earlier->root, "axes")))
		return refuse(earlier, "is of another grid; expected the same "
				       "--vary in the same order");
	if (node_value(node_member(earlier->root, "repeat"), METRIC_COUNT)
		    .count != sweep->repeat)
		return refuse(earlier, "has another number of repetitions; "
				       "expected the same --repeat");
	if ((node_value(node_member(earlier->root, "explained"), METRIC_BOOL)
		     .real > 0) != sweep->explains)
		return refuse(earlier, sweep->explains ?
					       "was made with --no-stalls; "
					       "expected the same" :
					       "was made without --no-stalls; "
					       "expected the same");
	return 0;
}

static int check_frame(const struct earlier *earlier, const struct sweep *sweep)
{
	const char *version = node_text(earlier->root, "echosim");
	int error;

	if (!version || !node_is_list(node_member(earlier->root, "points")) ||
	    !node_is_list(node_member(earlier->root, "axes")))
		return refuse(earlier, "is no result of sweep; expected what "
				       "--format json wrote");
	if (strcmp(version, ECHOSIM_VERSION) != 0) {
		fault_set(earlier->fault, earlier->name, 0,
			  "was written by echosim %.20s; expected this one, "
			  "%s",
			  version, ECHOSIM_VERSION);
		return -EINVAL;
	}
	error = check_scenario(earlier);
	return error ? error : check_axes(earlier, sweep);
}

/* ---- points ---- */

/* The value of a metric; false when it is of another kind. A text is a copy. */
static bool read_value(enum metric_kind kind, const struct node *node,
		       struct metric_value *value)
{
	*value = node_value(node, kind);
	if (!node)
		return true;
	if (kind == METRIC_TEXT && value->known)
		*value = value_text(strdup(value->text));
	return value->known;
}

static int read_run(const struct earlier *earlier, struct node *run, size_t at,
		    struct sweep_point *point)
{
	const struct metric *metric;
	size_t i;

	point->values = calloc(metric_count, sizeof(*point->values));
	if (!point->values)
		return -ENOMEM;
	for (i = 0; i < metric_count; i++) {
		metric = &metric_table[i];
		if (metric->live_only || metric->kind == METRIC_PART)
			continue;
		if (!node_is_object(run) ||
		    !read_value(metric->kind, node_at(run, metric->name),
				&point->values[i]))
			return refuse_damaged(earlier, at, metric->name);
	}
	if (!(node_value(node_member(run, "complete"), METRIC_BOOL).real > 0))
		return refuse_damaged(earlier, at, "complete");
	point->run = node_hold(run);
	return 0;
}

static int read_chief(const struct earlier *earlier, const struct node *repeat,
		      size_t at, struct sweep_point *point)
{
	struct metric_value value;
	const struct node *node;
	size_t i, k;

	for (i = 0; i < SWEEP_CHIEF_COUNT; i++) {
		node = node_member(repeat, sweep_chief_metrics[i]);
		if (!node)
			continue;
		for (k = 0; k < SWEEP_INTERVAL_MEMBERS; k++) {
			value = node_value(
				node_member(node,
					    sweep_interval_members[k].name),
				METRIC_REAL);
			if (!value.known)
				return refuse_damaged(earlier, at, "repeat");
			memcpy((char *)&point->chief[i] +
				       sweep_interval_members[k].offset,
			       &value.real, sizeof(value.real));
		}
		point->chief[i].known = true;
	}
	return 0;
}

/* The next point of the grid that is at this place; the count: none. */
static uint32_t find_place(const struct sweep *sweep, uint32_t from,
			   const struct node *place)
{
	struct document *own;
	bool equal = false;

	for (; from < sweep->point_count && !equal; from += !equal) {
		own = document_new();
		sweep_place_data(own,
				 document_object(own, document_data(own), "at"),
				 sweep, from, sweep->axis_count);
		equal = !document_status(own) &&
			node_equal(node_at(document_data_of(own), "at"), place);
		document_free(own);
	}
	return from;
}

/* An interrupt left it out. */
static bool is_missing(const struct node *item)
{
	const char *state = node_text(item, "state");

	return state && !strcmp(state, "missing");
}

static int read_points(const struct earlier *earlier, struct sweep *sweep)
{
	const struct node *points = node_member(earlier->root, "points");
	struct sweep_point *point;
	uint32_t place = 0;
	const struct node *item;
	int error = 0;
	size_t at;

	for (at = 0; at < node_count(points) && !error; at++) {
		item = node_item(points, at);
		place = find_place(sweep, place, node_member(item, "at"));
		if (place == sweep->point_count)
			return refuse_damaged(earlier, at, "at");
		if (is_missing(item)) {
			place++;
			continue;
		}
		point = &sweep->points[place++];
		error = read_run(earlier,
				 (struct node *)node_member(item, "run"), at,
				 point);
		if (!error && sweep->repeat > 1)
			error = read_chief(earlier, node_member(item, "repeat"),
					   at, point);
		point->done = !error;
	}
	return error;
}

int sweep_resume(struct sweep *sweep, const char *name, const char *text,
		 size_t size, struct fault *fault)
{
	struct earlier earlier = { .name = name, .fault = fault };
	int error;

	fault->file = name;
	error = node_parse(&earlier.root, text, size, fault);
	if (error)
		return error;
	earlier.own = document_new();
	scenario_data(earlier.own,
		      document_object(earlier.own, document_data(earlier.own),
				      "scenario"),
		      sweep->base.scenario);
	sweep_axes_data(earlier.own, document_data(earlier.own), sweep);
	error = document_status(earlier.own);
	if (!error)
		error = check_frame(&earlier, sweep);
	if (!error)
		error = read_points(&earlier, sweep);
	document_free(earlier.own);
	node_free(earlier.root);
	return error;
}
