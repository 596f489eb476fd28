/* SPDX-License-Identifier: MIT */
/*
 * The few-parameter law of storage, fitted to measured points. With n requests
 * of S bytes in flight all the time, a device completes
 *
 *	X(n, S) = min(n / (L0 + S / b), iops, B / S)
 *
 * requests a second: each takes its latency and its own transfer at the stream
 * rate b, until the device as a whole has no more operations (iops) or no more
 * bytes (B) to give. That is what the device model (sim/device.h) does under
 * the same load, except that its random latencies round the corner off where
 * two limits meet; so a prediction for people is made by that model, not by
 * this formula.
 *
 * Errors are relative, so the fit is one of logarithms. Points that disagree
 * with all the others, as a shared machine makes them, count in proportion to
 * their distance, not to its square.
 */
#ifndef ANALYSIS_FIT_H
#define ANALYSIS_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/device.h"

/* Fewer points than parameters determine nothing. */
#define FIT_POINTS_MIN 5
#define FIT_POINTS_MAX 64
#define FIT_INFLIGHT_MAX 256

struct fit_point {
	uint32_t inflight;
	uint64_t bytes;
	double requests_per_s;
};

struct fit_law {
	double latency_s;
	double stream_bytes_per_s; /* at most bytes_per_s */
	double iops;
	double bytes_per_s;
	/* Did it hold any point back, by a tenth or more? A limit that did
	 * not lies somewhere beyond the highest rate that was measured, which
	 * then stands in for it. */
	bool stream_seen;
	bool iops_seen;
	bool bytes_seen;
};

double fit_law_rate(const struct fit_law *law, uint32_t inflight,
		    uint64_t bytes);

/* -EINVAL: too few points, none of them with one request in flight, or a rate
 * that is not positive. */
int fit_law(struct fit_law *law, const struct fit_point *points, size_t count)
	__attribute__((warn_unused_result));

/* The device that obeys the law. The quantiles (nanoseconds) of one request
 * at a time give the shape of its latency, and the law its mean: what a
 * program gets is one over the time from request to request, which is more
 * than what the completions say. The quantiles are stretched to that mean. */
void fit_profile(struct device_profile *profile, const struct fit_law *law,
		 const struct distribution *latency_ns);

/* Requests a second that the device model completes with so many of them in
 * flight all the time, at random places, once any credit is used up. */
double fit_device_rate(const struct device_profile *profile, uint32_t inflight,
		       uint64_t bytes, uint64_t seed);

/* Relative errors, |predicted / measured - 1|: median, 90th percentile (the
 * smallest that nine tenths do not exceed), maximum; all 0 for none. */
struct fit_error {
	double median;
	double p90;
	double max;
};

struct fit_error fit_error_of(const double *predicted, const double *measured,
			      size_t count);

#endif
