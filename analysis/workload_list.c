/* SPDX-License-Identifier: MIT */
#include "analysis/workload_list.h"

#include <stdio.h>

#include "sim/check.h"
#include "traces/workload/workload.h"
#include "traces/workloads.h"

#define WORKLOADS_MAX 64
#define NS_PER_S 1e9

enum workload_column {
	COLUMN_NAME,
	COLUMN_FILES,
	COLUMN_SAMPLES,
	COLUMN_RECORD,
	COLUMN_STDEV,
	COLUMN_BATCH,
	COLUMN_STEP,
	COLUMN_EPOCHS,
	COLUMN_THREADS,
	COLUMN_AU,
	COLUMN_DEMAND,
	COLUMN_FORMAT,
	COLUMN_SOURCE,
	COLUMN_AS_OF,
	COLUMN_ABOUT,
	COLUMN_COUNT,
};

static const struct view_column columns[COLUMN_COUNT] = {
	[COLUMN_NAME] = COLUMN("name", METRIC_TEXT, "", NULL),
	[COLUMN_FILES] =
		COLUMN_FOR(SEEN_IN_CSV, "files", METRIC_COUNT, "", NULL),
	[COLUMN_SAMPLES] =
		COLUMN("samples_per_file", METRIC_COUNT, "", "samples\na file"),
	[COLUMN_RECORD] = COLUMN("record_bytes", METRIC_REAL, "B", "sample"),
	[COLUMN_STDEV] = COLUMN_FOR(SEEN_IN_CSV, "record_stdev_bytes",
				    METRIC_REAL, "B", NULL),
	[COLUMN_BATCH] = COLUMN("batch_size", METRIC_COUNT, "", "batch"),
	[COLUMN_STEP] = COLUMN("step_s", METRIC_REAL, "s", "step"),
	[COLUMN_EPOCHS] =
		COLUMN_FOR(SEEN_IN_CSV, "epochs", METRIC_COUNT, "", NULL),
	[COLUMN_THREADS] =
		COLUMN_FOR(SEEN_IN_CSV, "read_threads", METRIC_COUNT, "", NULL),
	[COLUMN_AU] = COLUMN("au_target", METRIC_REAL, "%", "AU\ngoal"),
	[COLUMN_DEMAND] = COLUMN("demand_bytes_per_s", METRIC_REAL, "B/s",
				 "demand\nat AU 100"),
	[COLUMN_FORMAT] =
		COLUMN_FOR(SEEN_IN_CSV, "format", METRIC_TEXT, "", NULL),
	[COLUMN_SOURCE] =
		COLUMN_FOR(SEEN_IN_CSV, "source", METRIC_TEXT, "", NULL),
	[COLUMN_AS_OF] =
		COLUMN_FOR(SEEN_IN_CSV, "as_of", METRIC_TEXT, "", NULL),
	[COLUMN_ABOUT] =
		COLUMN_FOR(SEEN_BY_PEOPLE, "about", METRIC_TEXT, "", NULL),
};

struct workload_row {
	struct workload workload;
	char about[2 * WORKLOAD_TEXT_MAX + 64];
};

static struct metric_value cell(const void *context, size_t index,
				size_t column)
{
	const struct workload_row *row =
		(const struct workload_row *)context + index;
	const struct workload *workload = &row->workload;

	switch ((enum workload_column)column) {
	case COLUMN_NAME:
		return value_text(workloads.files[index].name);
	case COLUMN_FILES:
		return value_count(workload->files);
	case COLUMN_SAMPLES:
		return value_count(workload->samples_per_file);
	case COLUMN_RECORD:
		return value_real(workload->record_bytes);
	case COLUMN_STDEV:
		return value_real(workload->record_stdev_bytes);
	case COLUMN_BATCH:
		return value_count(workload->batch_size);
	case COLUMN_STEP:
		return value_real(distribution_mean(&workload->step_ns) /
				  NS_PER_S);
	case COLUMN_EPOCHS:
		return value_count(workload->epochs);
	case COLUMN_THREADS:
		return value_count(workload->read_threads);
	case COLUMN_AU:
		return value_real(workload->au_target);
	case COLUMN_DEMAND:
		return value_real(workload_demand_bytes_per_s(workload));
	case COLUMN_FORMAT:
		return value_text(workload->format);
	case COLUMN_SOURCE:
		return value_text(workload->source);
	case COLUMN_AS_OF:
		return value_text(workload->as_of);
	default:
		return value_text(row->about);
	}
}

static void read_row(struct workload_row *row,
		     const struct embedded_file *entry)
{
	struct fault fault = { 0 };

	CHECK(!workload_parse(&row->workload, NULL, entry->name, entry->text,
			      entry->size, &fault));
	snprintf(row->about, sizeof(row->about), "Source, as of %s: %s.",
		 row->workload.as_of, row->workload.source);
}

struct grid workload_grid(void)
{
	static struct workload_row rows[WORKLOADS_MAX];
	size_t i;

	CHECK(workloads.count <= WORKLOADS_MAX);
	for (i = 0; i < workloads.count; i++)
		read_row(&rows[i], &workloads.files[i]);
	return (struct grid){
		.name = "workloads",
		.title = "Workloads",
		.about = "What --workload may name.",
		.columns = columns,
		.column_count = COLUMN_COUNT,
		.row_count = workloads.count,
		.context = rows,
		.cell = cell,
	};
}
