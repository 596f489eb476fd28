/* SPDX-License-Identifier: MIT */
/*
 * The metrics of what the workers of a loader did who carry whole batches: rows
 * of the metric table. Where a loader has stages none of them is known.
 */
#ifndef ANALYSIS_CREW_H
#define ANALYSIS_CREW_H

#include "analysis/result.h"
#include "analysis/value.h"

struct metric_value crew_workers(const struct result *result);
struct metric_value crew_busy(const struct result *result);
struct metric_value crew_held(const struct result *result);
struct metric_value crew_blocked(const struct result *result);
struct metric_value crew_out(const struct result *result);

#endif
