/* SPDX-License-Identifier: MIT */
#include "analysis/list.h"

#include "analysis/device_list.h"
#include "analysis/law_list.h"
#include "analysis/metric.h"
#include "traces/field.h"

/* Metrics: the table, with the stages' figures in the place of their row. */

static const struct grid_column metric_columns[] = {
	{ "name", METRIC_TEXT, "", NULL, FOR_ALL },
	{ "kind", METRIC_TEXT, "", NULL, FOR_ALL },
	{ "unit", METRIC_TEXT, "", NULL, FOR_ALL },
	{ "mode", METRIC_TEXT, "", NULL, FOR_ALL },
	{ "help", METRIC_TEXT, "", NULL, FOR_ALL },
};

static struct metric_value metric_text(size_t column, const char *name,
				       enum metric_kind kind, const char *unit,
				       bool live_only, const char *help)
{
	const char *texts[] = { name, metric_kind_name(kind), unit,
				live_only ? "live" : "both", help };

	return value_text(texts[column]);
}

static size_t stages_row(void)
{
	size_t row = 0;

	while (metric_table[row].kind != METRIC_STAGES)
		row++;
	return row;
}

static struct metric_value metric_cell(const void *context, size_t row,
				       size_t column)
{
	const struct stage_metric *stage;
	const struct metric *metric;
	size_t stages = stages_row();

	(void)context;
	if (row >= stages && row < stages + stage_metric_count) {
		stage = &stage_metric_table[row - stages];
		return metric_text(column, stage->name, stage->kind,
				   stage->unit, false, stage->help);
	}
	metric =
		&metric_table[row < stages ? row : row - stage_metric_count + 1];
	return metric_text(column, metric->name, metric->kind, metric->unit,
			   metric->live_only, metric->help);
}

static struct grid metric_grid(void)
{
	return (struct grid){
		.name = "metrics",
		.columns = metric_columns,
		.column_count =
			sizeof(metric_columns) / sizeof(metric_columns[0]),
		.row_count = metric_count - 1 + stage_metric_count,
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

static const struct grid_column field_columns[FIELD_COLUMN_COUNT] = {
	[FIELD_COLUMN_NAME] = { "name", METRIC_TEXT, "", NULL, FOR_ALL },
	[FIELD_COLUMN_KIND] = { "kind", METRIC_TEXT, "", NULL, FOR_ALL },
	[FIELD_COLUMN_DEFAULT] = { "default", METRIC_TEXT, "", NULL, FOR_ALL },
	[FIELD_COLUMN_LOW] = { "low", METRIC_REAL, "", NULL, FOR_PROGRAMS },
	[FIELD_COLUMN_HIGH] = { "high", METRIC_REAL, "", NULL, FOR_PROGRAMS },
	[FIELD_COLUMN_HELP] = { "help", METRIC_TEXT, "", NULL, FOR_ALL },
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

static struct metric_value field_cell(const void *context, size_t row,
				      size_t column)
{
	const struct field *field = &field_table[row];

	(void)context;
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
		.columns = field_columns,
		.column_count = FIELD_COLUMN_COUNT,
		.row_count = field_count,
		.cell = field_cell,
	};
}

const struct list list_table[] = {
	{ "devices", "what a scenario may read from", device_grid },
	{ "fields", "what a scenario may say", field_grid },
	{ "metrics", "what a run reports", metric_grid },
	{ "laws", "what a repeated example is worth", law_grid },
};

const size_t list_count = sizeof(list_table) / sizeof(list_table[0]);
