/* SPDX-License-Identifier: MIT */
/*
 * Demand: the stored bytes a second that one accelerator wants when it never
 * idles, batch x mean stored size of an example / (step time x uses of each
 * example). Storage or a link of bandwidth B keeps B / (a x demand) of them at
 * an utilisation of a, if nothing else limits.
 */
#ifndef ANALYSIS_DEMAND_H
#define ANALYSIS_DEMAND_H

#include "analysis/value.h"
#include "sim/pipeline.h"

struct result;

/* Mean stored size of an example. */
double demand_example_bytes(const struct layout *layout);

/* Bytes a second. A starved accelerator's repeats do not lessen what it would
 * want: with when-starved each example counts as used once. */
double demand_bytes_per_s(const struct pipeline *pipeline);

/* How many accelerators such a bandwidth would keep busy all the time; not
 * known when it is not limited (0). */
struct metric_value demand_accelerators(const struct pipeline *pipeline,
					uint64_t bandwidth_bytes_per_s);

/* Rows of the metric table: of one accelerator, of all together. */
struct metric_value demand_metric(const struct result *result);
struct metric_value demand_all_metric(const struct result *result);

#endif
