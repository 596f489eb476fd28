/* SPDX-License-Identifier: MIT */
#include "analysis/stall/stall.h"

#include <stdio.h>

#include "analysis/text.h"

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

struct metric_value stall_change(const struct result *result)
{
	if (!result->attribution.known || !result->attribution.bottleneck)
		return value_unknown();
	return value_text(result->attribution.change.set);
}

struct metric_value stall_change_gain(const struct result *result)
{
	if (!result->attribution.known || !result->attribution.bottleneck)
		return value_unknown();
	return value_real(result->attribution.gain);
}

struct metric_value stall_next(const struct result *result)
{
	return name_of(result, result->attribution.next);
}

static void advise_both(const struct attribution *found, char *text,
			size_t size)
{
	if (found->both_gain > 0)
		text_append(text, size,
			    "; the two limits are coupled: %s as well, and it "
			    "rises by %.1f %%",
			    found->next_change.said, found->both_gain * 100);
}

void stall_advice(const struct result *result, char *text, size_t size)
{
	const struct attribution *found = &result->attribution;

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
	text_append(text, size, "Advice: %s%s raises the rate by %.1f %%",
		    found->bottleneck->group == RESOURCE_ACCELERATOR ?
			    "the accelerators set the pace: " :
			    "",
		    found->change.said, found->gain * 100);
	if (found->headroom > 0)
		text_append(text, size,
			    ", without that limit it is %.3g times this",
			    found->headroom);
	advise_both(found, text, size);
	if (found->next)
		text_append(text, size, "; next limit: %s", found->next->name);
	if (found->cut_steps)
		text_append(text, size, " (found in runs of %llu steps)",
			    (unsigned long long)found->cut_steps);
	text_append(text, size, ".");
}
