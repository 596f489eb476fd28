/* SPDX-License-Identifier: MIT */
/*
 * Results as JSON. Objects keep the order their keys were set in, so equal
 * results are equal bytes. Numbers are in seconds and bytes and carry just
 * the digits needed to read the very same number back.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format.h"
#include "analysis/hosts.h"
#include "analysis/json/build.h"
#include "analysis/json/detail.h"
#include "analysis/json/write.h"
#include "analysis/metric.h"
#include "analysis/part.h"
#include "analysis/version.h"
#include "traces/field.h"

#define KEY_MAX 64
#define FIELD_PRINT_MAX 512
#define NS_PER_SECOND 1e9

/* Building. jansson frees what it cannot keep, so that one NULL anywhere
 * makes the whole document NULL; only out of memory does. */

json_t *json_of_text(const char *text)
{
	json_t *json = json_string(text);
	char *copy, *at;

	if (json)
		return json;
	copy = strdup(text);
	for (at = copy; at && *at; at++)
		if ((unsigned char)*at >= 0x80)
			*at = '?';
	json = json_string(copy);
	free(copy);
	return json;
}

json_t *json_of_value(enum metric_kind kind, struct metric_value value)
{
	char text[VALUE_TEXT_MAX];

	if (!value.known)
		return json_null();
	switch (kind) {
	case METRIC_BOOL:
		return json_boolean(value.real != 0);
	case METRIC_COUNT:
		return json_integer((json_int_t)value.count);
	case METRIC_REAL:
		return json_real(value.real);
	case METRIC_DIGEST:
		return json_string(
			value_exact(kind, value, text, sizeof(text)));
	default:
		return json_of_text(value.text);
	}
}

int json_set(json_t *object, const char *path, json_t *value)
{
	char key[KEY_MAX];
	const char *dot;
	json_t *inner;

	while ((dot = strchr(path, '.')) != NULL) {
		snprintf(key, sizeof(key), "%.*s", (int)(dot - path), path);
		inner = json_object_get(object, key);
		if (!inner) {
			inner = json_object();
			if (json_object_set_new(object, key, inner)) {
				json_decref(value);
				return -ENOMEM;
			}
		}
		object = inner;
		path = dot + 1;
	}
	return json_object_set_new(object, path, value) ? -ENOMEM : 0;
}

static json_t *member_json(const struct part *part, const struct result *result,
			   size_t member)
{
	json_t *object = json_object();
	int error;
	size_t i;

	error = json_set(object, part->label,
			 json_of_value(part->label_kind,
				       part->get_label(result, member)));
	for (i = 0; i < part->metric_count; i++)
		error |= json_set(
			object, part->metrics[i].name,
			json_of_value(part->metrics[i].kind,
				      part->metrics[i].get(result, member)));
	if (error) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *part_json(const struct part *part, const struct result *result)
{
	json_t *array = json_array();
	size_t count = part->count(result);
	int error = 0;
	size_t i;

	for (i = 0; i < count; i++)
		error |= json_array_append_new(array,
					       member_json(part, result, i));
	if (error) {
		json_decref(array);
		return NULL;
	}
	return array;
}

json_t *json_of_run(const struct result *result)
{
	const struct metric *metric;
	json_t *run = json_object();
	int error = 0;
	size_t i;

	for (i = 0; i < metric_count; i++) {
		metric = &metric_table[i];
		if (metric->live_only && !result->live)
			continue;
		error |= json_set(run, metric->name,
				  metric->kind == METRIC_PART ?
					  part_json(part_find(metric->name),
						    result) :
					  json_of_value(metric->kind,
							metric->get(result)));
	}
	if (result->detail)
		error |= json_set(run, "detail", detail_json(result));
	if (error) {
		json_decref(run);
		return NULL;
	}
	return run;
}

/* The scenario, as the field table describes it. */

static json_t *dist_json(const struct distribution *dist, double unit)
{
	static const char *const names[] = {
		[DISTRIBUTION_CONSTANT] = "constant",
		[DISTRIBUTION_UNIFORM] = "uniform",
		[DISTRIBUTION_EXPONENTIAL] = "exponential",
		[DISTRIBUTION_NORMAL] = "normal",
		[DISTRIBUTION_LOGNORMAL] = "lognormal",
		[DISTRIBUTION_QUANTILES] = "quantiles",
	};

	switch (dist->kind) {
	case DISTRIBUTION_CONSTANT:
		return json_real(dist->mean / unit);
	case DISTRIBUTION_UNIFORM:
		return json_pack("{s:s, s:f, s:f}", "dist", names[dist->kind],
				 "low", dist->low / unit, "high",
				 dist->high / unit);
	case DISTRIBUTION_EXPONENTIAL:
		return json_pack("{s:s, s:f}", "dist", names[dist->kind],
				 "mean", dist->mean / unit);
	case DISTRIBUTION_QUANTILES:
		return json_pack("{s:s, s:f, s:f, s:f, s:f}", "dist",
				 names[dist->kind], "p50", dist->p50 / unit,
				 "p90", dist->p90 / unit, "p99",
				 dist->p99 / unit, "p999", dist->p999 / unit);
	default:
		return json_pack("{s:s, s:f, s:f}", "dist", names[dist->kind],
				 "mean", dist->mean / unit, "stdev",
				 dist->stdev / unit);
	}
}

static json_t *whole_json(const struct field *field, const void *member)
{
	uint32_t small;
	uint64_t large;

	if (field->size == sizeof(small)) {
		memcpy(&small, member, sizeof(small));
		return json_integer(small);
	}
	memcpy(&large, member, sizeof(large));
	return json_integer((json_int_t)large);
}

static json_t *field_json(const struct field *field, const void *base)
{
	const char *member = (const char *)base + field->offset;
	char text[FIELD_PRINT_MAX];
	double number;
	int64_t time_ns;
	int name;

	/* Not given, and without default. */
	if (!field_print(field, base, text, sizeof(text))[0])
		return json_null();
	switch (field->kind) {
	case FIELD_TEXT:
		return json_of_text(member);
	case FIELD_BOOL:
		return json_boolean(*(const bool *)member);
	case FIELD_NUMBER:
	case FIELD_WORK:
	case FIELD_WORK_RATE:
		memcpy(&number, member, sizeof(number));
		return json_real(number);
	case FIELD_TIME:
		memcpy(&time_ns, member, sizeof(time_ns));
		return json_real((double)time_ns / NS_PER_SECOND);
	case FIELD_ENUM:
		memcpy(&name, member, sizeof(name));
		return json_string(field->names[name]);
	case FIELD_TIME_DIST:
		return dist_json((const void *)member, NS_PER_SECOND);
	case FIELD_BYTES_DIST:
		return dist_json((const void *)member, 1);
	default:
		return whole_json(field, member);
	}
}

/* One element of a list, such as an echo strategy. */
static json_t *element_json(const char *list, const void *element)
{
	json_t *object = json_object();
	const char *name;
	int error = 0;
	size_t i;

	for (i = 0; i < field_count; i++) {
		name = field_listed_in(&field_table[i], list);
		if (name)
			error |= json_set(object, name,
					  field_json(&field_table[i], element));
	}
	if (error) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *list_json(const char *list, const void *elements, size_t count,
			 size_t size)
{
	json_t *array = json_array();
	int error = 0;
	size_t i;

	for (i = 0; i < count; i++)
		error |= json_array_append_new(
			array,
			element_json(list, (const char *)elements + i * size));
	if (error) {
		json_decref(array);
		return NULL;
	}
	return array;
}

json_t *json_of_scenario(const struct scenario *scenario)
{
	const struct device_profile *profile = &scenario->storage.profile;
	json_t *object = json_object();
	char path[FIELD_KEY_MAX + sizeof(".name")];
	const struct field *field;
	int error = 0;
	size_t i;

	for (i = 0; i < field_count; i++) {
		field = &field_table[i];
		/* A key may be a section too: storage.device is a name, and
		 * what the name stands for. */
		snprintf(path, sizeof(path), "%s%s", field->key,
			 field_is_section(field->key) ? ".name" : "");
		if (!field_is_listed(field))
			error |= json_set(object, path,
					  field_json(field, scenario));
	}
	error |= json_set(object, "storage.device.buckets",
			  list_json("storage.device.buckets", profile->buckets,
				    profile->bucket_count,
				    sizeof(profile->buckets[0])));
	error |= json_set(object, "echo",
			  list_json("echo", scenario->echoes,
				    scenario->echo_count,
				    sizeof(scenario->echoes[0])));
	if (error) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static int set_facts(json_t *object, const struct host_fact *facts,
		     size_t count)
{
	int error = 0;
	size_t i;

	for (i = 0; i < count; i++)
		error |= json_set(object, facts[i].name,
				  json_of_value(facts[i].kind, facts[i].value));
	return error;
}

json_t *json_of_notes(const struct notes *notes)
{
	json_t *array = json_array();
	int error = 0;
	size_t i;

	for (i = 0; i < notes->count; i++)
		error |= json_array_append_new(array,
					       json_of_text(notes->text[i]));
	if (error) {
		json_decref(array);
		return NULL;
	}
	return array;
}

/* What the figures themselves say, without that of who ran them. */
static json_t *remarks_json(const struct report *report)
{
	struct notes *notes = calloc(1, sizeof(*notes));
	json_t *array = NULL;

	if (notes) {
		report_notes(report, notes);
		array = json_of_notes(notes);
	}
	free(notes);
	return array;
}

json_t *json_of_host(const struct host_fact *facts, size_t count,
		     const struct notes *notes)
{
	json_t *object = json_object();
	int error = set_facts(object, facts, count);

	error |= json_set(object, "notes", json_of_notes(notes));
	if (error) {
		json_decref(object);
		return NULL;
	}
	return object;
}

/* Writing. */

static int write_document(FILE *out, json_t *document, int error)
{
	if (!error) {
		json_write_tree(out, document, 0);
		fputc('\n', out);
	}
	json_decref(document);
	return error ? -ENOMEM : 0;
}

int json_report(FILE *out, const struct report *report)
{
	json_t *document = json_object(), *runs = json_array();
	char setting[HOSTS_TEXT_MAX];
	int error = 0;
	size_t i;

	for (i = 0; i < report->run_count; i++)
		error |= json_array_append_new(runs,
					       json_of_run(report->runs[i]));
	error |= json_set(document, "echosim", json_string(ECHOSIM_VERSION));
	error |= json_set(document, "scenario",
			  json_of_scenario(report->scenario));
	error |= json_set(document, "setting",
			  json_of_text(hosts_say(report->scenario, setting,
						 sizeof(setting))));
	error |= json_set(document, "runs", runs);
	error |= json_set(document, "notes", remarks_json(report));
	error |= json_set(document, "host",
			  json_of_host(report->host, report->host_count,
				       report->notes));
	return write_document(out, document, error);
}

static json_t *row_json(const struct grid *grid, size_t row)
{
	json_t *object = json_object();
	int error = 0;
	size_t i;

	for (i = 0; i < grid->column_count; i++) {
		const struct grid_column *column = &grid->columns[i];

		if (column->audience != FOR_PEOPLE)
			error |=
				json_set(object, column->name,
					 json_of_value(column->kind,
						       grid->cell(grid->context,
								  row, i)));
	}
	if (error) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *rows_json(const struct grid *grid)
{
	json_t *rows = json_array();
	int error = 0;
	size_t i;

	for (i = 0; i < grid->row_count; i++)
		error |= json_array_append_new(rows, row_json(grid, i));
	if (error) {
		json_decref(rows);
		return NULL;
	}
	return rows;
}

int json_grid(FILE *out, const struct grid *grid)
{
	json_t *document = json_object();
	int error;

	error = json_set(document, "echosim", json_string(ECHOSIM_VERSION));
	error |= json_set(document, grid->name, rows_json(grid));
	return write_document(out, document, error);
}

int json_facts(FILE *out, const struct host_fact *facts, size_t fact_count,
	       const struct grid *grids, size_t grid_count)
{
	json_t *document = json_object();
	int error;
	size_t i;

	error = json_set(document, "echosim", json_string(ECHOSIM_VERSION));
	error |= set_facts(document, facts, fact_count);
	for (i = 0; i < grid_count; i++)
		error |=
			json_set(document, grids[i].name, rows_json(&grids[i]));
	return write_document(out, document, error);
}
