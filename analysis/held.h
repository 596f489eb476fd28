/* SPDX-License-Identifier: MIT */
/*
 * The metrics of how well a live run was held to the device model: rows of the
 * metric table that come from its throttle.
 */
#ifndef ANALYSIS_HELD_H
#define ANALYSIS_HELD_H

#include "analysis/result.h"
#include "analysis/value.h"

struct metric_value held_late(const struct result *result);
struct metric_value held_late_fraction(const struct result *result);
struct metric_value held_lateness_p50(const struct result *result);
struct metric_value held_lateness_p99(const struct result *result);
struct metric_value held_lateness_max(const struct result *result);
struct metric_value held_release_p50(const struct result *result);
struct metric_value held_release_p99(const struct result *result);
struct metric_value held_release_max(const struct result *result);
struct metric_value held_overtaken(const struct result *result);
struct metric_value held_overtaken_s(const struct result *result);
struct metric_value held_behind(const struct result *result);
struct metric_value held_disturbed(const struct result *result);
struct metric_value held_verdict(const struct result *result);

#endif
