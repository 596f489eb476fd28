/* SPDX-License-Identifier: MIT */
/*
 * The metrics of why a run idled and what limits it: rows of the metric table
 * that come from its attribution. Unknown without one.
 */
#ifndef ANALYSIS_STALL_H
#define ANALYSIS_STALL_H

#include <stddef.h>

#include "analysis/result.h"
#include "analysis/value.h"

struct metric_value stall_fetch(const struct result *result);
struct metric_value stall_prep(const struct result *result);
struct metric_value stall_other(const struct result *result);
struct metric_value stall_bottleneck(const struct result *result);
struct metric_value stall_gain(const struct result *result);
struct metric_value stall_change(const struct result *result);
struct metric_value stall_change_gain(const struct result *result);
struct metric_value stall_next(const struct result *result);

/* Which key of the scenario to change, what it would bring, and what limits
 * then; "" when nothing is known of it. */
void stall_advice(const struct result *result, char *text, size_t size);

#endif
