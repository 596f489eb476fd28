/* SPDX-License-Identifier: MIT */
/*
 * A calibration makes a device profile of what a probe measured, and says how
 * far to trust it: the law is fitted to the points meant for that, and then
 * the device model itself is asked for every point, also for those that were
 * held out of the fit. The errors there are what counts.
 */
#ifndef ANALYSIS_CALIBRATION_H
#define ANALYSIS_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/document/document.h"
#include "analysis/probe/fit.h"
#include "analysis/probe/soak.h"
#include "sim/fault.h"
#include "sim/histogram.h"

/* Quartiles of fewer rounds say nothing. */
#define SPREAD_ROUNDS_MIN 3

enum calibration_use {
	CALIBRATION_FITTED,
	CALIBRATION_HELD_OUT,
	CALIBRATION_SHOWN, /* sequential: the law knows of random reads only */
};

struct calibration_point {
	struct fit_point point;
	enum calibration_use use;
	uint32_t rounds;    /* of which the rate is the median */
	double lower_per_s; /* and these the quartiles */
	double upper_per_s;
	double predicted_per_s; /* made */
};

struct calibration {
	/* What was measured. */
	const char *path;
	const char *what; /* "file" ... */
	uint32_t files;
	uint64_t bytes;
	bool direct;
	bool complete;
	const char *backend;
	const char *notes; /* one per line */
	const char *date;
	uint64_t seed;
	size_t count;
	struct calibration_point points[FIT_POINTS_MAX];
	const struct histogram *latency_ns; /* one small request at a time */
	const double *soak_bytes_per_s;	    /* NULL: none was made */
	size_t soak_count;
	double soak_period_s;
	/* Made of it. */
	struct distribution latency; /* its quantiles, nanoseconds */
	struct fit_law law;
	struct soak_burst burst;
	struct device_profile profile;
	struct fit_error held_out;
	struct fit_error fitted;
	/* How far apart the quartiles of a point's rounds are, as a share of
	 * its rate; the median of that over the points. Not a number where
	 * they had fewer than SPREAD_ROUNDS_MIN. */
	double spread;
	/* Rate of large sequential reads over that of random ones, one at a
	 * time; 0: not known. */
	double sequential_gain;
};

/* Fills the part that is made. */
int calibration_make(struct calibration *calibration, struct fault *fault)
	__attribute__((warn_unused_result));

/* The document of it. */
struct document *calibration_document(const struct calibration *calibration);

/* The profile as a file that storage.device takes. */
void calibration_yaml(FILE *out, const struct calibration *calibration);

#endif
