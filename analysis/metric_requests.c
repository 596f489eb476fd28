/* SPDX-License-Identifier: MIT */
#include "analysis/metric_requests.h"

struct metric_value metric_requests_bytes(const struct result *result)
{
	return value_count(result->figures.storage.bytes);
}

struct metric_value metric_requests_device_bytes(const struct result *result)
{
	return value_count(result->device_bytes);
}

struct metric_value metric_requests_bytes_per_s(const struct result *result)
{
	return value_per_second(result->figures.storage.bytes,
				result->figures.elapsed_ns);
}

struct metric_value metric_requests_count(const struct result *result)
{
	return value_count(result->figures.storage.requests);
}

struct metric_value metric_requests_per_s(const struct result *result)
{
	return value_per_second(result->figures.storage.requests,
				result->figures.elapsed_ns);
}

struct metric_value metric_requests_amplification(const struct result *result)
{
	return value_ratio((double)result->figures.storage.bytes,
			   (double)result->figures.storage.example_bytes);
}

struct metric_value metric_requests_queue_depth(const struct result *result)
{
	return value_real(result->figures.stages[STAGE_READ].busy_mean);
}

struct metric_value metric_requests_hit_rate(const struct result *result)
{
	const struct storage_figures *storage = &result->figures.storage;

	if (!result->has_cache)
		return value_unknown();
	return value_ratio((double)storage->cached_bytes,
			   (double)storage->bytes);
}

struct metric_value metric_requests_errors(const struct result *result)
{
	return value_count(result->figures.storage.retries +
			   result->figures.storage.failed);
}

struct metric_value metric_requests_retries(const struct result *result)
{
	return value_count(result->figures.storage.retries);
}

struct metric_value metric_requests_latency_p50(const struct result *result)
{
	return value_quantile_s(&result->figures.storage.latency_ns, 0.5);
}

struct metric_value metric_requests_latency_p90(const struct result *result)
{
	return value_quantile_s(&result->figures.storage.latency_ns, 0.9);
}

struct metric_value metric_requests_latency_p99(const struct result *result)
{
	return value_quantile_s(&result->figures.storage.latency_ns, 0.99);
}

struct metric_value metric_requests_latency_p999(const struct result *result)
{
	return value_quantile_s(&result->figures.storage.latency_ns, 0.999);
}

struct metric_value metric_requests_latency_max(const struct result *result)
{
	return value_max_s(&result->figures.storage.latency_ns);
}
