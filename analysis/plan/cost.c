/* SPDX-License-Identifier: MIT */
#include "analysis/plan/cost.h"

#include <stdio.h>
#include <string.h>

#include "analysis/metric.h"
#include "analysis/result.h"

#define HOURS_PER_MONTH 730.0
#define GIB 0x1p30
#define MB 1e6
#define S_PER_HOUR 3600.0
#define DEVICE_CURRENCY "USD"

static bool any_price(const struct storage_price *price)
{
	return price->per_gib_month > 0 || price->per_mb_s_month > 0 ||
	       price->per_iops_month > 0 || price->per_million_requests > 0;
}

/* Whose prices storage has; NULL: nobody's. */
static const struct storage_price *
storage_price(const struct scenario *scenario)
{
	const struct storage_price *own = &scenario->storage.facts.price;
	const struct storage_price *given = &scenario->prices.storage;

	if (any_price(given))
		return given;
	if (any_price(own) &&
	    !strcmp(scenario->prices.currency, DEVICE_CURRENCY))
		return own;
	return NULL;
}

/* Of all volumes together. Those of unknown size hold the dataset, once for
 * all hosts or once in each. */
static double size_bytes(const struct scenario *scenario)
{
	double volumes = (double)scenario_volumes(scenario);

	if (scenario->storage.size_bytes)
		return (double)scenario->storage.size_bytes * volumes;
	return distribution_mean(&scenario->dataset.example_bytes) *
	       (double)scenario->dataset.examples * volumes /
	       scenario->storage.volumes;
}

static double beyond(uint64_t amount, uint64_t included)
{
	return amount > included ? (double)(amount - included) : 0;
}

static double storage_per_month(const struct scenario *scenario,
				const struct storage_price *price)
{
	const struct device_profile *device = &scenario->storage.profile;
	double volumes = (double)scenario_volumes(scenario);

	return price->per_gib_month * size_bytes(scenario) / GIB +
	       price->per_mb_s_month / MB * volumes *
		       beyond(device->bandwidth_bytes_per_s,
			      price->included_bytes_per_s) +
	       price->per_iops_month * volumes *
		       beyond(device->iops, price->included_iops);
}

static double workers_per_host(const struct scenario *scenario)
{
	double workers = 0;
	int i;

	for (i = STAGE_DECOMPRESS; i < STAGE_COUNT; i++)
		workers += scenario->stages[i].workers;
	return workers;
}

/* Hosts with all that is in them. */
static double hosts_per_hour(const struct scenario *scenario)
{
	const struct prices *prices = &scenario->prices;
	double cache_gib = scenario->cache.policy == CACHE_NONE ?
				   0 :
				   (double)scenario->cache.bytes / GIB;

	return scenario->accelerators.hosts *
	       (prices->host_hour +
		prices->accelerator_hour * scenario->accelerators.count +
		prices->worker_hour * workers_per_host(scenario) +
		prices->cache_gib_month * cache_gib / HOURS_PER_MONTH);
}

void cost_find(struct cost *cost, const struct scenario *scenario)
{
	const struct storage_price *price = storage_price(scenario);

	*cost = (struct cost){ .per_hour = hosts_per_hour(scenario) };
	snprintf(cost->currency, sizeof(cost->currency), "%s",
		 scenario->prices.currency);
	if (price) {
		cost->per_hour +=
			storage_per_month(scenario, price) / HOURS_PER_MONTH;
		cost->per_request = price->per_million_requests / 1e6;
	}
	cost->known = cost->per_hour > 0 || cost->per_request > 0;
}

const char *cost_missing(const struct scenario *scenario, char *text,
			 size_t size)
{
	const struct prices *prices = &scenario->prices;
	const struct {
		const char *what;
		bool missing;
	} kinds[] = {
		{ "accelerators", prices->accelerator_hour <= 0 },
		{ "hosts", prices->host_hour <= 0 },
		{ "storage", !storage_price(scenario) },
		{ "caches", scenario->cache.policy != CACHE_NONE &&
				    prices->cache_gib_month <= 0 },
	};
	size_t used = 0, i;

	text[0] = '\0';
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && used < size; i++)
		if (kinds[i].missing)
			used += (size_t)snprintf(text + used, size - used,
						 "%s%s", used ? ", " : "",
						 kinds[i].what);
	return text;
}

/* Of one fresh example: its share of the hours and its requests. What caches
 * had was not asked of storage. */
static struct metric_value per_example(const struct result *result)
{
	const struct storage_figures *storage = &result->figures.storage;
	struct metric_value rate = metric_get("fresh_examples_per_s", result);
	double requests = (double)storage->requests;

	if (!result->cost.known || !rate.known || rate.real <= 0)
		return value_unknown();
	if (storage->bytes)
		requests *= 1 - (double)storage->cached_bytes /
					(double)storage->bytes;
	return value_real(result->cost.per_hour / S_PER_HOUR / rate.real +
			  result->cost.per_request * requests /
				  (double)result->figures.fresh_examples);
}

struct metric_value cost_per_hour(const struct result *result)
{
	return result->cost.known ? value_real(result->cost.per_hour) :
				    value_unknown();
}

struct metric_value cost_per_epoch(const struct result *result)
{
	struct metric_value each = per_example(result);

	return each.known ?
		       value_real(each.real *
				  (double)result->pipeline.layout.examples) :
		       each;
}

struct metric_value cost_to_target(const struct result *result)
{
	struct metric_value each = per_example(result);

	if (!each.known || result->law.fresh <= 0)
		return value_unknown();
	return value_real(each.real * result->law.fresh);
}

struct metric_value cost_currency(const struct result *result)
{
	return result->cost.known ? value_text(result->cost.currency) :
				    value_unknown();
}
