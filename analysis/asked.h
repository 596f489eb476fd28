/* SPDX-License-Identifier: MIT */
/*
 * The metrics of what storage was asked, and how long it took: rows of the
 * metric table.
 */
#ifndef ANALYSIS_ASKED_H
#define ANALYSIS_ASKED_H

#include "analysis/result.h"
#include "analysis/value.h"

struct metric_value asked_bytes(const struct result *result);
struct metric_value asked_device_bytes(const struct result *result);
struct metric_value asked_bytes_per_s(const struct result *result);
struct metric_value asked_requests(const struct result *result);
struct metric_value asked_requests_per_s(const struct result *result);
struct metric_value asked_amplification(const struct result *result);
struct metric_value asked_queue_depth(const struct result *result);
struct metric_value asked_hit_rate(const struct result *result);
struct metric_value asked_errors(const struct result *result);
struct metric_value asked_retries(const struct result *result);
struct metric_value asked_latency_p50(const struct result *result);
struct metric_value asked_latency_p90(const struct result *result);
struct metric_value asked_latency_p99(const struct result *result);
struct metric_value asked_latency_p999(const struct result *result);
struct metric_value asked_latency_max(const struct result *result);

#endif
