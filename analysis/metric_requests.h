/* SPDX-License-Identifier: MIT */
/*
 * The metrics of what storage was asked, and how long it took: rows of the
 * metric table.
 */
#ifndef ANALYSIS_METRIC_REQUESTS_H
#define ANALYSIS_METRIC_REQUESTS_H

#include "analysis/result.h"
#include "analysis/value.h"

struct metric_value metric_requests_bytes(const struct result *result);
struct metric_value metric_requests_device_bytes(const struct result *result);
struct metric_value metric_requests_bytes_per_s(const struct result *result);
struct metric_value metric_requests_count(const struct result *result);
struct metric_value metric_requests_per_s(const struct result *result);
struct metric_value metric_requests_amplification(const struct result *result);
struct metric_value metric_requests_queue_depth(const struct result *result);
struct metric_value metric_requests_hit_rate(const struct result *result);
struct metric_value metric_requests_errors(const struct result *result);
struct metric_value metric_requests_retries(const struct result *result);
struct metric_value metric_requests_latency_p50(const struct result *result);
struct metric_value metric_requests_latency_p90(const struct result *result);
struct metric_value metric_requests_latency_p99(const struct result *result);
struct metric_value metric_requests_latency_p999(const struct result *result);
struct metric_value metric_requests_latency_max(const struct result *result);

#endif
