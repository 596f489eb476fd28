/* SPDX-License-Identifier: MIT */
/*
 * The metrics of how well a live run was held to the device model: rows of the
 * metric table that come from its throttle.
 */
#ifndef ANALYSIS_METRIC_THROTTLE_H
#define ANALYSIS_METRIC_THROTTLE_H

#include "analysis/result.h"
#include "analysis/value.h"

struct metric_value metric_throttle_late(const struct result *result);
struct metric_value metric_throttle_late_fraction(const struct result *result);
struct metric_value metric_throttle_lateness_p50(const struct result *result);
struct metric_value metric_throttle_lateness_p99(const struct result *result);
struct metric_value metric_throttle_lateness_max(const struct result *result);
struct metric_value metric_throttle_release_p50(const struct result *result);
struct metric_value metric_throttle_release_p99(const struct result *result);
struct metric_value metric_throttle_release_max(const struct result *result);
struct metric_value metric_throttle_overtaken(const struct result *result);
struct metric_value metric_throttle_overtaken_s(const struct result *result);
struct metric_value metric_throttle_behind(const struct result *result);
struct metric_value metric_throttle_disturbed(const struct result *result);
struct metric_value metric_throttle_verdict(const struct result *result);

#endif
