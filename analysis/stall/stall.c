/* SPDX-License-Identifier: MIT */
#include "analysis/stall/stall.h"

#include <stdio.h>

/* A share of the accelerators' time, or not known. */
static struct metric_value share(const struct result *result,
				 level_integral time_ns)
{
	if (!result->attribution.known)
		return value_unknown();
	return value_ratio(level_to_double(time_ns),
			   level_to_double(result->attribution.window_ns));
}

struct metric_value stall_fetch(const struct result *result)
{
	return share(result, result->attribution.fetch_ns);
}

struct metric_value stall_prep(const struct result *result)
{
	return share(result, result->attribution.prep_ns);
}

struct metric_value stall_other(const struct result *result)
{
	return share(result, result->attribution.other_ns);
}

static struct metric_value name_of(const struct result *result,
				   const struct resource *resource)
{
	if (!result->attribution.known || !resource)
		return value_unknown();
	return value_text(resource->name);
}

struct metric_value stall_bottleneck(const struct result *result)
{
	return name_of(result, result->attribution.bottleneck);
}

struct metric_value stall_gain(const struct result *result)
{
	if (!result->attribution.known || !result->attribution.bottleneck)
		return value_unknown();
	return value_real(result->attribution.gain_per_10pct);
}

struct metric_value stall_next(const struct result *result)
{
	return name_of(result, result->attribution.next);
}

void stall_advice(const struct result *result, char *text, size_t size)
{
	const struct attribution *found = &result->attribution;
	bool accelerators;
	int used;

	text[0] = '\0';
	if (!found->known)
		return;
	if (!found->bottleneck) {
		snprintf(text, size,
			 "Advice: no single resource raises the rate by more "
			 "than %.1f %% when it gets 10 %% better.",
			 ATTRIBUTION_NOISE * 100);
		return;
	}
	accelerators = found->bottleneck->group == RESOURCE_ACCELERATOR;
	used = snprintf(text, size,
			"Advice: %s%s%s; 10 %% better raises the rate by "
			"%.1f %%",
			accelerators ? "the accelerators set the pace (" :
				       "change ",
			found->bottleneck->key, accelerators ? ")" : "",
			found->gain_per_10pct * 100);
	if (found->headroom > 0)
		used += snprintf(text + used, size - (size_t)used,
				 ", without that limit it is %.3g times this",
				 found->headroom);
	if (found->next)
		used += snprintf(text + used, size - (size_t)used,
				 "; next limit: %s", found->next->key);
	if (found->cut_steps)
		used += snprintf(text + used, size - (size_t)used,
				 " (found in runs of %llu steps)",
				 (unsigned long long)found->cut_steps);
	snprintf(text + used, size - (size_t)used, ".");
}
