/* SPDX-License-Identifier: MIT */
#include "analysis/burst.h"

#include <math.h>
#include <stdio.h>

#include "analysis/metric.h"
#include "analysis/plan/demand.h"
#include "analysis/result.h"

#define NS_PER_S 1e9
#define SAME 0.002 /* relative; smaller differences of a rate are noise */
#define PERCENT 100

bool burst_is_ahead(const struct device_profile *device)
{
	uint32_t i;

	for (i = 0; i < device->bucket_count; i++)
		if (device->buckets[i].profile.initial > 0)
			return true;
	return false;
}

void burst_drain(struct device_profile *device)
{
	uint32_t i;

	for (i = 0; i < device->bucket_count; i++)
		device->buckets[i].profile.initial = 0;
}

static double fresh_rate(const struct result *result)
{
	return metric_get("fresh_examples_per_s", result).real;
}

/* Bytes of the device a second at the pace of the steps: what is read ahead
 * while queues fill would else count as what is needed on. */
static double device_bytes_per_s(const struct result *result)
{
	const struct storage_figures *storage = &result->figures.storage;
	double read = (double)(storage->bytes - storage->cached_bytes);
	double delivered = (double)storage->example_bytes;

	return delivered > 0 ?
		       fresh_rate(result) *
			       demand_example_bytes(&result->pipeline.layout) *
			       read / delivered :
		       0;
}

/* Seconds from full credit to none; INFINITY: for good. */
static double lasts_s(const struct bucket *bucket,
		      const struct bucket_profile *profile, double rate)
{
	if (bucket->dry_ns != INT64_MAX)
		return (double)bucket->dry_ns / NS_PER_S;
	if (rate <= profile->baseline_per_s)
		return INFINITY;
	return profile->initial / (rate - profile->baseline_per_s);
}

void burst_find(const struct device *device, uint64_t volumes,
		struct result *result)
{
	struct burst *burst = &result->burst;
	double bytes_per_s = device_bytes_per_s(result) / (double)volumes;
	const struct device_bucket *kind;
	const struct bucket *bucket;
	double lasts;
	uint32_t i;

	*burst = (struct burst){ .any = device->profile.bucket_count > 0,
				 .volumes = volumes,
				 .lasts_s = INFINITY };
	if (!device->served_bytes)
		return;
	for (i = 0; i < device->profile.bucket_count; i++) {
		kind = &device->profile.buckets[i];
		bucket = &device->buckets[i];
		lasts = lasts_s(bucket, &kind->profile,
				bytes_per_s * bucket->units /
					(double)device->served_bytes);
		if (kind->profile.initial <= 0 || lasts >= burst->lasts_s)
			continue;
		burst->known = true;
		burst->of = kind->of;
		burst->credit = kind->profile.initial;
		burst->baseline_per_s = kind->profile.baseline_per_s;
		burst->used = bucket->dry_ns != INT64_MAX ?
				      1 :
				      1 - bucket->credit / burst->credit;
		burst->lasts_s = lasts;
	}
}

bool burst_knows_job(const struct scenario *scenario)
{
	const struct run_limit *limit = &scenario->limit;

	return !limit->steps && (limit->epochs || limit->duration_ns);
}

const struct result *burst_judged(const struct result *result)
{
	return result->sustained && !result->by_start ? result->sustained :
							result;
}

bool burst_differs(double at_start, double sustained)
{
	return fabs(at_start - sustained) > SAME * at_start;
}

bool burst_matters(const struct result *result)
{
	return result->burst.known && result->sustained &&
	       burst_differs(fresh_rate(result), fresh_rate(result->sustained));
}

static const char *amount(const struct burst *burst, double number,
			  char text[VALUE_TEXT_MAX])
{
	return value_human(METRIC_REAL, burst->of == BUCKET_OF_OPS ? "#" : "B",
			   value_real(number), text, VALUE_TEXT_MAX);
}

void burst_say(const struct result *result, char *text, size_t size)
{
	const struct burst *burst = &result->burst;
	const char *what = burst->of == BUCKET_OF_OPS ? " operations" : "";
	char credit[VALUE_TEXT_MAX], baseline[VALUE_TEXT_MAX];
	char lasts[VALUE_TEXT_MAX];

	text[0] = '\0';
	if (!burst_matters(result))
		return;
	snprintf(text, size,
		 "%.3g %% of the credit of %s%s%s used, which %s %s%s; "
		 "sustained "
		 "AU %.1f %%, limited by the baseline of %s%s/s%s",
		 burst->used * PERCENT, amount(burst, burst->credit, credit),
		 what, burst->volumes > 1 ? " of each volume" : "",
		 burst->used < 1 ? "lasts" : "was gone after",
		 value_human(METRIC_REAL, "s", value_real(burst->lasts_s),
			     lasts, sizeof(lasts)),
		 burst->used < 1 ? " at this rate" : "",
		 metric_get("au", result->sustained).real * PERCENT,
		 amount(burst, burst->baseline_per_s, baseline), what,
		 burst->volumes > 1 ? " each" : "");
}

/* ---- metrics ---- */

struct metric_value burst_used(const struct result *result)
{
	return result->burst.known ? value_real(result->burst.used) :
				     value_unknown();
}

struct metric_value burst_lasts(const struct result *result)
{
	return result->burst.known ? value_real(result->burst.lasts_s) :
				     value_unknown();
}

/* A figure of what is sustained: with nothing to spend, the run's own. */
static struct metric_value sustained(const char *metric,
				     const struct result *result)
{
	if (result->sustained)
		return metric_get(metric, result->sustained);
	if (!result->burst.any || result->burst.known)
		return value_unknown();
	return metric_get(metric, result);
}

struct metric_value sustained_au(const struct result *result)
{
	return sustained("au", result);
}

struct metric_value sustained_fresh_rate(const struct result *result)
{
	return sustained("fresh_examples_per_s", result);
}

struct metric_value sustained_time_to_target(const struct result *result)
{
	return sustained("time_to_target_s", result);
}

struct metric_value sustained_speedup(const struct result *result)
{
	return sustained("speedup", result);
}

struct metric_value sustained_cost_per_epoch(const struct result *result)
{
	return sustained("cost_per_epoch", result);
}

struct metric_value sustained_cost_to_target(const struct result *result)
{
	return sustained("cost_to_target", result);
}
