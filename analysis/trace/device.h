/* SPDX-License-Identifier: MIT */
/*
 * A device profile from requests that somebody else made: when each was asked
 * for, began and was answered. Nobody chose them so that they would tell the
 * device's limits, as a probe does, so a limit is found only where the
 * requests ran into it.
 *
 * The model (sim/device.h) has a request wait for bandwidth and operations,
 * first come, first served, and then take a latency of its own, whatever the
 * load. So limits that are right explain all waiting: what is left of each
 * request's time is its latency, and no longer depends on how many were in
 * flight. The fit looks for the limits that leave the least spread, and takes
 * a limit only if it explains a part of it; what is left has the shape of the
 * latency (analysis/trace/shape.h).
 *
 * Requests are taken in stretches of DEVICE_STRETCH in order of time, every
 * other one for the fit. How far the times that limits and latency predict for
 * the other half are from those that were measured is the error.
 */
#ifndef ANALYSIS_TRACE_DEVICE_H
#define ANALYSIS_TRACE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/probe/fit.h"
#include "analysis/trace/shape.h"
#include "sim/device.h"

#define DEVICE_STRETCH 64
#define DEVICE_REQUESTS_MIN 16
#define DEVICE_CLASSES_MAX 12

struct device_sample {
	int64_t issue_ns;
	int64_t start_ns; /* the same where it is not known */
	int64_t end_ns;
	uint64_t number; /* tells the order of those of the same time */
	uint64_t bytes;	 /* at most DEVICE_REQUEST_BYTES_MAX */
	uint64_t offset_bytes;
	uint32_t object;
	uint32_t host;
	bool held_out; /* made */
};

/* Requests of one range of sizes that met one range of depths. */
struct device_class {
	uint64_t bytes_low; /* a power of two; sizes below its double */
	uint32_t depth_low; /* the same; in flight, this one included */
	uint64_t count;
	double p50_s, p90_s, p99_s; /* from issue to end */
};

struct device_fit {
	bool known; /* there were enough requests */
	size_t count;
	struct device_profile profile;
	struct shape_fit latency;
	/* Which limits explain anything; the others are left out. */
	bool bandwidth_seen;
	bool stream_seen;
	bool iops_seen;
	bool inflight_seen;
	/* What was reached at most over a stretch, so a limit is no less. */
	double bytes_per_s;
	double requests_per_s;
	bool one_size; /* operations and bytes cannot be told apart */
	/* Of p50, p90 and p99 of the time from issue to end, and of its mean,
	 * on what was held out. */
	struct fit_error quantiles;
	double mean_error;
	uint32_t depth_max; /* requests in flight at once */
	size_t class_count;
	struct device_class classes[DEVICE_CLASSES_MAX]; /* most common first */
};

/* Leaves the samples in order of issue. 0 or -ENOMEM. */
int device_fit_make(struct device_fit *fit, struct device_sample *samples,
		    size_t count) __attribute__((warn_unused_result));

/* Fills the classes, from at least one sample in order of issue. 0 or
 * -ENOMEM. */
int device_classes(struct device_fit *fit, const struct device_sample *samples,
		   size_t count) __attribute__((warn_unused_result));

/* Fills the errors. left_ns: what the limits leave to each sample's latency;
 * room: for twice as many numbers. */
void device_judge(struct device_fit *fit, const struct device_sample *samples,
		  const double *left_ns, size_t count, double *room);

#endif
