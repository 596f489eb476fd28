/* SPDX-License-Identifier: MIT */
/* The figures that every stage of the pipeline has. */
#include "analysis/metric.h"

#include <string.h>

static const struct stage_figures *of(const struct result *result,
				      enum stage_name stage)
{
	return &result->figures.stages[stage];
}

static struct metric_value get_workers(const struct result *result,
				       enum stage_name stage)
{
	return value_count(of(result, stage)->workers);
}

static struct metric_value get_utilisation(const struct result *result,
					   enum stage_name stage)
{
	return value_ratio(of(result, stage)->busy_mean,
			   of(result, stage)->workers);
}

static struct metric_value get_items_per_s(const struct result *result,
					   enum stage_name stage)
{
	return value_ratio((double)of(result, stage)->items,
			   (double)result->figures.elapsed_ns / 1e9);
}

static struct metric_value get_queue_mean(const struct result *result,
					  enum stage_name stage)
{
	return value_real(of(result, stage)->waiting_mean);
}

const struct stage_metric stage_metric_table[] = {
	{ STAGES_PREFIX "workers", METRIC_COUNT, "",
	  "Workers; read: requests in flight.", get_workers },
	{ STAGES_PREFIX "utilisation", METRIC_REAL, "",
	  "Share of their time spent working.", get_utilisation },
	{ STAGES_PREFIX "items_per_s", METRIC_REAL, "1/s",
	  "Finished a second: requests, blocks, examples or batches.",
	  get_items_per_s },
	{ STAGES_PREFIX "queue_mean", METRIC_REAL, "",
	  "Results waiting in the stage's output, mean over time.",
	  get_queue_mean },
};

const size_t stage_metric_count =
	sizeof(stage_metric_table) / sizeof(stage_metric_table[0]);

const char *stage_metric_name(const struct stage_metric *metric)
{
	return metric->name + strlen(STAGES_PREFIX);
}

const char *metric_stage(enum stage_name stage)
{
	static const char *const names[STAGE_COUNT] = {
		[STAGE_READ] = "read",	     [STAGE_DECOMPRESS] = "decompress",
		[STAGE_DECODE] = "decode",   [STAGE_AUGMENT] = "augment",
		[STAGE_COLLATE] = "collate",
	};

	return names[stage];
}
