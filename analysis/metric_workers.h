/* SPDX-License-Identifier: MIT */
/*
 * The metrics of what the workers of a loader did who carry whole batches: rows
 * of the metric table. Where a loader has stages none of them is known.
 */
#ifndef ANALYSIS_METRIC_WORKERS_H
#define ANALYSIS_METRIC_WORKERS_H

#include "analysis/result.h"
#include "analysis/value.h"

struct metric_value metric_workers_count(const struct result *result);
struct metric_value metric_workers_busy(const struct result *result);
struct metric_value metric_workers_held(const struct result *result);
struct metric_value metric_workers_blocked(const struct result *result);
struct metric_value metric_workers_out(const struct result *result);

#endif
