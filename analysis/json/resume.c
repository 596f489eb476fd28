/* SPDX-License-Identifier: MIT */
/* Reads the points of an earlier result of the same sweep. The file may be
 * anything: what is not as this program writes it is refused. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/json/build.h"
#include "analysis/json/sweep.h"
#include "analysis/json/write.h"
#include "analysis/metric.h"
#include "analysis/version.h"

#define KEY_MAX 128

/* An earlier result, and who is told what is wrong with it. */
struct earlier {
	json_t *root;
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

static const json_t *at_path(const json_t *object, const char *path)
{
	char key[KEY_MAX];
	const char *dot;

	while ((dot = strchr(path, '.')) != NULL) {
		snprintf(key, sizeof(key), "%.*s", (int)(dot - path), path);
		object = json_object_get(object, key);
		path = dot + 1;
	}
	return json_object_get(object, path);
}

/* The first key, by its path, in which two trees differ; "" none, or the whole.
 */
static void first_difference(const json_t *one, const json_t *other, char *path,
			     size_t size)
{
	size_t used = strlen(path);
	const char *key;
	json_t *item;

	if (!json_is_object(one) || !json_is_object(other))
		return;
	json_object_foreach((json_t *)one, key, item)
	{
		if (json_equal(item, json_object_get(other, key)))
			continue;
		snprintf(path + used, size - used, "%s%s", used ? "." : "",
			 key);
		first_difference(item, json_object_get(other, key), path, size);
		return;
	}
}

static int check_scenario(const struct earlier *earlier,
			  const struct sweep *sweep)
{
	json_t *own = json_of_scenario(sweep->base.scenario);
	const json_t *theirs = json_object_get(earlier->root, "scenario");
	char path[KEY_MAX] = "";
	bool equal = own && json_equal(own, theirs);

	if (own && !equal)
		first_difference(own, theirs, path, sizeof(path));
	json_decref(own);
	if (!own)
		return -ENOMEM;
	if (equal)
		return 0;
	fault_set(earlier->fault, earlier->name, 0,
		  "is of another scenario: %s differs; expected the same, "
		  "--set, --seed and --echo too",
		  path[0] ? path : "all of it");
	return -EINVAL;
}

static int check_axes(const struct earlier *earlier, const struct sweep *sweep)
{
	json_t *own = json_of_axes(sweep);
	bool equal = own &&
		     json_equal(own, json_object_get(earlier->root, "axes"));

	json_decref(own);
	if (!own)
		return -ENOMEM;
	if (!equal)
		return refuse(earlier, "is of another grid; expected the same "
				       "--vary in the same order");
	if (json_integer_value(json_object_get(earlier->root, "repeat")) !=
	    sweep->repeat)
		return refuse(earlier, "has another number of repetitions; "
				       "expected the same --repeat");
	if (json_is_true(json_object_get(earlier->root, "explained")) !=
	    sweep->explains)
		return refuse(earlier, sweep->explains ?
					       "was made with --no-stalls; "
					       "expected the same" :
					       "was made without --no-stalls; "
					       "expected the same");
	return 0;
}

static int check_frame(const struct earlier *earlier, const struct sweep *sweep)
{
	const char *version =
		json_string_value(json_object_get(earlier->root, "echosim"));
	int error;

	if (!version ||
	    !json_is_array(json_object_get(earlier->root, "points")) ||
	    !json_is_array(json_object_get(earlier->root, "axes")))
		return refuse(earlier, "is no result of sweep; expected what "
				       "--format json wrote");
	if (strcmp(version, ECHOSIM_VERSION) != 0) {
		fault_set(earlier->fault, earlier->name, 0,
			  "was written by echosim %.20s; expected this one, "
			  "%s",
			  version, ECHOSIM_VERSION);
		return -EINVAL;
	}
	error = check_scenario(earlier, sweep);
	return error ? error : check_axes(earlier, sweep);
}

/* The value of a metric; false when it is of another kind. A text is a copy. */
static bool read_value(enum metric_kind kind, const json_t *node,
		       struct metric_value *value)
{
	*value = value_unknown();
	if (json_is_null(node))
		return true;
	switch (kind) {
	case METRIC_BOOL:
		*value = value_bool(json_is_true(node));
		return json_is_boolean(node);
	case METRIC_COUNT:
		*value = value_count((uint64_t)json_integer_value(node));
		return json_is_integer(node) && json_integer_value(node) >= 0;
	case METRIC_REAL:
		*value = value_real(json_real_value(node));
		return json_is_real(node);
	case METRIC_TEXT:
		if (!json_is_string(node))
			return false;
		*value = value_text(strdup(json_string_value(node)));
		return value->known;
	case METRIC_DIGEST:
		*value = value_of_digest(json_string_value(node));
		return value->known;
	default:
		return false;
	}
}

static int read_run(const struct earlier *earlier, const json_t *run, size_t at,
		    struct sweep_point *point)
{
	const struct metric *metric;
	size_t size = 0, i;
	FILE *out;

	point->values = calloc(metric_count, sizeof(*point->values));
	if (!point->values)
		return -ENOMEM;
	for (i = 0; i < metric_count; i++) {
		metric = &metric_table[i];
		if (metric->live_only || metric->kind == METRIC_PART)
			continue;
		if (!read_value(metric->kind, at_path(run, metric->name),
				&point->values[i]))
			return refuse_damaged(earlier, at, metric->name);
	}
	if (!json_is_true(json_object_get(run, "complete")))
		return refuse_damaged(earlier, at, "complete");
	out = open_memstream(&point->run, &size);
	if (!out)
		return -ENOMEM;
	json_write_tree(out, run, 0);
	return fclose(out) ? -ENOMEM : 0;
}

static int read_chief(const struct earlier *earlier, const json_t *repeat,
		      size_t at, struct sweep_point *point)
{
	struct interval *interval;
	const json_t *node;
	size_t i;

	for (i = 0; i < SWEEP_CHIEF_COUNT; i++) {
		interval = &point->chief[i];
		node = json_object_get(repeat, sweep_chief_metrics[i]);
		if (json_is_null(node))
			continue;
		if (json_unpack((json_t *)node, "{s:f, s:f, s:f, s:f, s:f}",
				"mean", &interval->mean, "min", &interval->min,
				"max", &interval->max, "ci95_low",
				&interval->low, "ci95_high", &interval->high))
			return refuse_damaged(earlier, at, "repeat");
		interval->known = true;
	}
	return 0;
}

/* The next point of the grid that is at this place; the count: none. */
static uint32_t find_place(const struct sweep *sweep, uint32_t from,
			   const json_t *place)
{
	json_t *own;
	bool equal;

	for (; from < sweep->point_count; from++) {
		own = json_of_place(sweep, from);
		equal = json_equal(own, place);
		json_decref(own);
		if (equal)
			break;
	}
	return from;
}

static int read_points(const struct earlier *earlier, struct sweep *sweep)
{
	const json_t *points = json_object_get(earlier->root, "points");
	struct sweep_point *point;
	uint32_t place = 0;
	json_t *item;
	size_t at;
	int error;

	json_array_foreach(points, at, item)
	{
		place = find_place(sweep, place, json_object_get(item, "at"));
		if (place == sweep->point_count)
			return refuse_damaged(earlier, at, "at");
		point = &sweep->points[place++];
		error = read_run(earlier, json_object_get(item, "run"), at,
				 point);
		if (!error && sweep->repeat > 1)
			error = read_chief(earlier,
					   json_object_get(item, "repeat"), at,
					   point);
		if (error)
			return error;
		point->done = true;
	}
	return 0;
}

int sweep_resume(struct sweep *sweep, const char *name, const char *text,
		 size_t size, struct fault *fault)
{
	struct earlier earlier = { .name = name, .fault = fault };
	json_error_t mistake;
	int error;

	if (json_is_dense(text, size))
		return refuse(&earlier, "is no result of sweep: its tree would "
					"need more than 1 GiB");
	earlier.root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &mistake);
	if (!earlier.root) {
		if (json_error_code(&mistake) == json_error_out_of_memory)
			return -ENOMEM;
		fault_set(fault, name, mistake.line > 0 ? mistake.line : 0,
			  "is no whole JSON: %s; expected the result of a "
			  "sweep",
			  mistake.text);
		return -EINVAL;
	}
	error = check_frame(&earlier, sweep);
	if (!error)
		error = read_points(&earlier, sweep);
	json_decref(earlier.root);
	return error;
}
