/* SPDX-License-Identifier: MIT */
/*
 * Burst credit: is what a run shows what is sustained? A device with buckets
 * of credit is faster while they last than ever after, so a run that spends
 * credit faster than it is earned is one of the start. What comes after is
 * found by the same run with all buckets empty from its beginning: its
 * figures are those at baseline, and the difference is the credit's doing.
 *
 * Where the scenario says how long the job is (run.duration, or run.epochs
 * without steps), the run is the job, and its figures are what is asked for.
 */
#ifndef ANALYSIS_BURST_H
#define ANALYSIS_BURST_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/value.h"
#include "sim/device.h"
#include "traces/scenario.h"

struct result;

/* Of the buckets that a run spends, the one that is empty first. */
struct burst {
	bool any;	  /* the device has a bucket */
	uint64_t volumes; /* in all, each with such credit */
	bool known;	  /* false: none is spent faster than it is earned */
	enum bucket_of of;
	double credit;	       /* that it began with, ops or bytes */
	double baseline_per_s; /* that is left without it */
	double used;	       /* share of the credit, at the run's end */
	double lasts_s;	       /* from the run's start, at this rate */
};

/* Does some bucket begin with credit? */
bool burst_is_ahead(const struct device_profile *device);

/* Empties all buckets. */
void burst_drain(struct device_profile *device);

/* What a run left of the credit that its devices had: result->burst. The first
 * of so many equal volumes, each with an equal share of the reads, stands for
 * all. */
void burst_find(const struct device *device, uint64_t volumes,
		struct result *result);

/* Does the scenario say how long the job is? */
bool burst_knows_job(const struct scenario *scenario);

/* The result that a goal is put to: what is sustained, or, where the run is
 * the whole job or the start was asked for, the run itself. */
const struct result *burst_judged(const struct result *result);

/* Do two rates of fresh examples differ by more than noise? */
bool burst_differs(double at_start, double sustained);

/* Do the figures of the start differ from those that are sustained? */
bool burst_matters(const struct result *result);

/* "2 % of the credit of 5.4 million operations used, which lasts 41 min at this
 * rate; sustained AU 12.0 %, at the baseline of 300 operations/s"; "" when the
 * figures are those that are sustained. */
void burst_say(const struct result *result, char *text, size_t size);

/* Rows of the metric table: of the credit, and of what is sustained, which is
 * null where there is no bucket. */
struct metric_value burst_used(const struct result *result);
struct metric_value burst_lasts(const struct result *result);
struct metric_value sustained_au(const struct result *result);
struct metric_value sustained_fresh_rate(const struct result *result);
struct metric_value sustained_time_to_target(const struct result *result);
struct metric_value sustained_speedup(const struct result *result);
struct metric_value sustained_cost_per_epoch(const struct result *result);
struct metric_value sustained_cost_to_target(const struct result *result);

#endif
