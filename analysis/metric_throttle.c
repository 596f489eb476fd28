/* SPDX-License-Identifier: MIT */
#include "analysis/metric_throttle.h"

struct metric_value metric_throttle_late(const struct result *result)
{
	return value_count(result->throttle.late);
}

struct metric_value metric_throttle_late_fraction(const struct result *result)
{
	return value_ratio((double)result->throttle.late,
			   (double)result->throttle.completions);
}

struct metric_value metric_throttle_lateness_p50(const struct result *result)
{
	return value_quantile_s(&result->throttle.lateness_ns, 0.5);
}

struct metric_value metric_throttle_lateness_p99(const struct result *result)
{
	return value_quantile_s(&result->throttle.lateness_ns, 0.99);
}

struct metric_value metric_throttle_lateness_max(const struct result *result)
{
	return value_max_s(&result->throttle.lateness_ns);
}

struct metric_value metric_throttle_release_p50(const struct result *result)
{
	return value_quantile_s(&result->throttle.release_ns, 0.5);
}

struct metric_value metric_throttle_release_p99(const struct result *result)
{
	return value_quantile_s(&result->throttle.release_ns, 0.99);
}

struct metric_value metric_throttle_release_max(const struct result *result)
{
	return value_max_s(&result->throttle.release_ns);
}

struct metric_value metric_throttle_overtaken(const struct result *result)
{
	return value_count(result->throttle.overtaken);
}

struct metric_value metric_throttle_overtaken_s(const struct result *result)
{
	return value_real((double)result->throttle.overtaken_ns / 1e9);
}

struct metric_value metric_throttle_behind(const struct result *result)
{
	return value_real((double)result->throttle.lag_ns / 1e9);
}

struct metric_value metric_throttle_disturbed(const struct result *result)
{
	return value_real(throttle_disturbed(&result->throttle));
}

struct metric_value metric_throttle_verdict(const struct result *result)
{
	bool held = throttle_held(&result->throttle);

	if (result->throttle.native)
		return value_text(held ? "native" : "native, paused");
	return value_text(held ? "held" : "not held");
}
