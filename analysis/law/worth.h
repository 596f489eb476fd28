/* SPDX-License-Identifier: MIT */
/*
 * The metrics of what a run is worth to the training: rows of the metric
 * table that come from the law's answer. Unknown without a law.
 */
#ifndef ANALYSIS_WORTH_H
#define ANALYSIS_WORTH_H

#include "analysis/result.h"
#include "analysis/value.h"

struct metric_value worth_gain(const struct result *result);
struct metric_value worth_gain_min(const struct result *result);
struct metric_value worth_gain_max(const struct result *result);
struct metric_value worth_gain_source(const struct result *result);
struct metric_value worth_gain_warning(const struct result *result);
struct metric_value worth_efficiency(const struct result *result);
struct metric_value worth_useful_au(const struct result *result);
struct metric_value worth_speedup(const struct result *result);
struct metric_value worth_time_to_target(const struct result *result);
struct metric_value worth_rank(const struct result *result);

#endif
