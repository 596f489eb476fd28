/* SPDX-License-Identifier: MIT */
#include "analysis/list.h"

#include <stdio.h>

#include "analysis/device_list.h"
#include "analysis/law/list.h"
#include "analysis/loader_list.h"
#include "analysis/metric.h"
#include "analysis/part.h"
#include "analysis/workload_list.h"
#include "traces/device/scale.h"
#include "traces/field.h"

/* Metrics: the table, with a part's figures in the place of its row. */

static const struct view_column metric_columns[] = {
	COLUMN("name", METRIC_TEXT, "", NULL),
	COLUMN("kind", METRIC_TEXT, "", NULL),
	COLUMN("unit", METRIC_TEXT, "", NULL),
	COLUMN("mode", METRIC_TEXT, "", NULL),
	COLUMN("help", METRIC_TEXT, "", NULL),
};

static struct metric_value metric_text(size_t column, const char *name,
				       enum metric_kind kind, const char *unit,
				       bool live_only, const char *help)
{
	const char *texts[] = { name, metric_kind_name(kind), unit,
				live_only ? "live" : "both", help };

	return value_text(texts[column]);
}

/* Rows that a row of the metric table takes in the list. */
static size_t rows_of(const struct metric *metric)
{
	return metric->kind == METRIC_PART ?
		       part_find(metric->name)->metric_count :
		       1;
}

static size_t list_rows(void)
{
	size_t rows = 0;

	for (size_t i = 0; i < metric_count; i++)
		rows += rows_of(&metric_table[i]);
	return rows;
}

static struct metric_value metric_cell(const void *context, size_t row,
				       size_t column)
{
	const struct metric *metric = metric_table;
	const struct part_metric *within;
	static char name[64];

	(void)context;
	for (; row >= rows_of(metric); metric++)
		row -= rows_of(metric);
	if (metric->kind != METRIC_PART)
		return metric_text(column, metric->name, metric->kind,
				   metric->unit, metric->live_only,
				   metric->help);
	within = &part_find(metric->name)->metrics[row];
	snprintf(name, sizeof(name), "%s[].%s", metric->name, within->name);
	return metric_text(column, name, within->kind, within->unit, false,
			   within->help);
}

static struct grid metric_grid(void)
{
	return (struct grid){
		.name = "metrics",
		.title = "Figures of a run",
		.about = "What results hold, and --require may name.",
		.columns = metric_columns,
		.column_count =
			sizeof(metric_columns) / sizeof(metric_columns[0]),
		.row_count = list_rows(),
		.cell = metric_cell,
	};
}

/* Fields: what a scenario may say. */

enum field_column {
	FIELD_COLUMN_NAME,
	FIELD_COLUMN_KIND,
	FIELD_COLUMN_DEFAULT,
	FIELD_COLUMN_LOW,
	FIELD_COLUMN_HIGH,
	FIELD_COLUMN_HELP,
	FIELD_COLUMN_COUNT,
};

static const struct view_column field_columns[FIELD_COLUMN_COUNT] = {
	[FIELD_COLUMN_NAME] = COLUMN("name", METRIC_TEXT, "", NULL),
	[FIELD_COLUMN_KIND] = COLUMN("kind", METRIC_TEXT, "", NULL),
	[FIELD_COLUMN_DEFAULT] = COLUMN("default", METRIC_TEXT, "", NULL),
	[FIELD_COLUMN_LOW] =
		COLUMN_FOR(SEEN_IN_CSV, "low", METRIC_REAL, "", NULL),
	[FIELD_COLUMN_HIGH] =
		COLUMN_FOR(SEEN_IN_CSV, "high", METRIC_REAL, "", NULL),
	[FIELD_COLUMN_HELP] = COLUMN("help", METRIC_TEXT, "", NULL),
};

static const char *field_kind_name(enum field_kind kind)
{
	static const char *const names[] = {
		[FIELD_TEXT] = "text",
		[FIELD_BOOL] = "true or false",
		[FIELD_COUNT] = "count",
		[FIELD_NUMBER] = "number",
		[FIELD_BYTES] = "size",
		[FIELD_RATE] = "rate",
		[FIELD_TIME] = "time",
		[FIELD_ENUM] = "name",
		[FIELD_TIME_DIST] = "time or distribution",
		[FIELD_BYTES_DIST] = "size or distribution",
		[FIELD_WORK] = "count or size",
		[FIELD_WORK_RATE] = "count or rate",
	};

	return names[kind];
}

static struct metric_value scale_cell(const struct scale_key *key,
				      size_t column)
{
	switch ((enum field_column)column) {
	case FIELD_COLUMN_NAME:
		return value_text(key->key);
	case FIELD_COLUMN_KIND:
		return value_text(key->kind);
	case FIELD_COLUMN_HELP:
		return value_text(key->help);
	default:
		return value_unknown();
	}
}

static struct metric_value field_cell(const void *context, size_t row,
				      size_t column)
{
	const struct field *field = &field_table[row];

	(void)context;
	if (row >= field_count)
		return scale_cell(&scale_keys[row - field_count], column);
	switch ((enum field_column)column) {
	case FIELD_COLUMN_NAME:
		return value_text(field->key);
	case FIELD_COLUMN_KIND:
		return value_text(field_kind_name(field->kind));
	case FIELD_COLUMN_DEFAULT:
		return value_text(field->fallback);
	case FIELD_COLUMN_LOW:
		return value_real(field->low);
	case FIELD_COLUMN_HIGH:
		return value_real(field->high);
	default:
		return value_text(field->help);
	}
}

static struct grid field_grid(void)
{
	return (struct grid){
		.name = "fields",
		.title = "Fields of a scenario",
		.about = "What a scenario may say, and --set and --vary may "
			 "name.",
		.columns = field_columns,
		.column_count = FIELD_COLUMN_COUNT,
		.row_count = field_count + scale_key_count,
		.cell = field_cell,
	};
}

const struct list list_table[] = {
	{ "devices", "what a scenario may read from", device_grid },
	{ "fields", "what a scenario may say", field_grid },
	{ "laws", "what a repeated example is worth", law_grid },
	{ "loaders", "who carries the work, and how", loader_grid },
	{ "metrics", "what a run reports", metric_grid },
	{ "workloads", "what training jobs read, and how fast", workload_grid },
};

const size_t list_count = sizeof(list_table) / sizeof(list_table[0]);
