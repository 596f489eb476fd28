/* SPDX-License-Identifier: MIT */
#include "analysis/law/worth.h"

#include "analysis/metric.h"

static struct metric_value if_positive(double value)
{
	return value > 0 ? value_real(value) : value_unknown();
}

struct metric_value worth_gain(const struct result *result)
{
	return if_positive(result->law.gain);
}

struct metric_value worth_gain_min(const struct result *result)
{
	return if_positive(result->law.gain_min);
}

struct metric_value worth_gain_max(const struct result *result)
{
	return if_positive(result->law.gain_max);
}

struct metric_value worth_gain_source(const struct result *result)
{
	return value_text(gain_source_name(result->law.source));
}

struct metric_value worth_gain_warning(const struct result *result)
{
	const char *warning = result->law.warning;

	return *warning ? value_text(warning) : value_unknown();
}

struct metric_value worth_efficiency(const struct result *result)
{
	struct metric_value factor = metric_get("mean_factor", result);

	if (!factor.known || result->law.gain <= 0)
		return value_unknown();
	return value_ratio(result->law.gain, factor.real);
}

struct metric_value worth_useful_au(const struct result *result)
{
	struct metric_value au = metric_get("au", result);
	struct metric_value efficiency = worth_efficiency(result);

	if (!au.known || !efficiency.known)
		return value_unknown();
	return value_real(au.real * efficiency.real);
}

struct metric_value worth_speedup(const struct result *result)
{
	return if_positive(result->speedup);
}

struct metric_value worth_time_to_target(const struct result *result)
{
	struct metric_value rate = metric_get("fresh_examples_per_s", result);

	if (!rate.known || result->law.fresh <= 0)
		return value_unknown();
	return value_ratio(result->law.fresh, rate.real);
}

struct metric_value worth_rank(const struct result *result)
{
	static const char *const names[] = {
		[RANK_BEST] = "best", [RANK_TIE] = "tie"
	};

	return value_text(names[result->rank]);
}
