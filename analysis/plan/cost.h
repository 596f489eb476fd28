/* SPDX-License-Identifier: MIT */
/*
 * What a run costs. Accelerators, hosts, workers, caches and storage stand
 * there by the hour whether they work or not; storage is paid for by the
 * month of its size, bandwidth and operations, as far as these exceed what is
 * included, and some of it by the request. A month is 730 hours, a twelfth of
 * a year, as price lists have it. A device that each host has is paid for in
 * each host, a striped one volume by volume.
 *
 * The storage prices of the scenario's prices section stand in the place of
 * the device's own. These are US dollars and count only when the scenario's
 * currency is USD. What has no price is left out: the sum is the cost of what
 * has one, and nothing is known when nothing has.
 */
#ifndef ANALYSIS_COST_H
#define ANALYSIS_COST_H

#include <stdbool.h>

#include "analysis/value.h"
#include "traces/scenario.h"

struct result;

struct cost {
	bool known;
	double per_hour;    /* of what stands there, requests not included */
	double per_request; /* of storage */
	char currency[SCENARIO_TEXT_MAX];
};

/* What the scenario's setting costs, its dataset being known. */
void cost_find(struct cost *cost, const struct scenario *scenario);

/* Which kinds of price were missing for what the scenario has: "accelerators,
 * hosts"; "" when none was. Returns text. */
const char *cost_missing(const struct scenario *scenario, char *text,
			 size_t size);

/* Rows of the metric table. */
struct metric_value cost_per_hour(const struct result *result);
struct metric_value cost_per_epoch(const struct result *result);
struct metric_value cost_to_target(const struct result *result);
struct metric_value cost_currency(const struct result *result);

#endif
