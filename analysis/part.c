/* SPDX-License-Identifier: MIT */
#include "analysis/part.h"

#include <string.h>

#include "sim/check.h"

/* ---- stages ---- */

static const struct stage_figures *stage_of(const struct result *result,
					    size_t stage)
{
	return &result->figures.stages[stage];
}

static struct metric_value get_workers(const struct result *result,
				       size_t stage)
{
	return value_count(stage_of(result, stage)->workers);
}

static struct metric_value get_utilisation(const struct result *result,
					   size_t stage)
{
	return value_ratio(stage_of(result, stage)->busy_mean,
			   stage_of(result, stage)->workers);
}

static struct metric_value get_items_per_s(const struct result *result,
					   size_t stage)
{
	return value_ratio((double)stage_of(result, stage)->items,
			   (double)result->figures.elapsed_ns / 1e9);
}

static struct metric_value get_queue_mean(const struct result *result,
					  size_t stage)
{
	return value_real(stage_of(result, stage)->waiting_mean);
}

static struct metric_value get_stage(const struct result *result, size_t stage)
{
	static const char *const names[STAGE_COUNT] = {
		[STAGE_READ] = "read",	     [STAGE_DECOMPRESS] = "decompress",
		[STAGE_DECODE] = "decode",   [STAGE_AUGMENT] = "augment",
		[STAGE_COLLATE] = "collate",
	};

	(void)result;
	return value_text(names[stage]);
}

static size_t count_stages(const struct result *result)
{
	(void)result;
	return STAGE_COUNT;
}

static const struct part_metric stage_metrics[] = {
	{ "workers", METRIC_COUNT, "", "Workers; read: requests in flight.",
	  get_workers },
	{ "utilisation", METRIC_REAL, "", "Share of their time spent working.",
	  get_utilisation },
	{ "items_per_s", METRIC_REAL, "1/s",
	  "Finished a second: requests, blocks, examples or batches.",
	  get_items_per_s },
	{ "queue_mean", METRIC_REAL, "",
	  "Results waiting in the stage's output, mean over time.",
	  get_queue_mean },
};

/* ---- epochs ---- */

static const struct epoch_figures *epoch_of(const struct result *result,
					    size_t epoch)
{
	return &result->figures.epochs[epoch];
}

static struct metric_value get_bytes(const struct result *result, size_t epoch)
{
	return value_count(epoch_of(result, epoch)->bytes);
}

static struct metric_value get_device_bytes(const struct result *result,
					    size_t epoch)
{
	return value_count(epoch_of(result, epoch)->bytes -
			   epoch_of(result, epoch)->cached_bytes);
}

static struct metric_value get_hit_rate(const struct result *result,
					size_t epoch)
{
	if (!result->has_cache)
		return value_unknown();
	return value_ratio((double)epoch_of(result, epoch)->cached_bytes,
			   (double)epoch_of(result, epoch)->bytes);
}

static struct metric_value get_epoch(const struct result *result, size_t epoch)
{
	(void)result;
	return value_count(epoch + 1);
}

static size_t count_epochs(const struct result *result)
{
	uint64_t epochs = result->figures.run_epochs;

	return epochs < FIGURES_EPOCHS_MAX ? (size_t)epochs :
					     FIGURES_EPOCHS_MAX;
}

static const struct part_metric epoch_metrics[] = {
	{ "bytes", METRIC_COUNT, "B", "Read, from caches or the device.",
	  get_bytes },
	{ "device_bytes", METRIC_COUNT, "B", "Of those, from the device.",
	  get_device_bytes },
	{ "cache_hit_rate", METRIC_REAL, "", "Share of them that caches had.",
	  get_hit_rate },
};

/* ---- the table ---- */

static const struct part parts[] = {
	{
		.name = "stages",
		.label = "name",
		.label_kind = METRIC_TEXT,
		.get_label = get_stage,
		.count = count_stages,
		.always = STAGE_COUNT,
		.metrics = stage_metrics,
		.metric_count =
			sizeof(stage_metrics) / sizeof(stage_metrics[0]),
	},
	{
		.name = "storage.epochs",
		.label = "epoch",
		.label_kind = METRIC_COUNT,
		.get_label = get_epoch,
		.count = count_epochs,
		.metrics = epoch_metrics,
		.metric_count =
			sizeof(epoch_metrics) / sizeof(epoch_metrics[0]),
	},
};

const struct part *part_find(const char *name)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(parts[i].name, name))
			return &parts[i];
	CHECK(!"a part of unknown name");
	return NULL;
}
