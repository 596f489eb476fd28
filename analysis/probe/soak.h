/* SPDX-License-Identifier: MIT */
/*
 * Looks for a burst in a soak: a rate that holds a plateau and then falls to a
 * lower one for good, as storage does whose credit runs out. The series is
 * split in two where two levels fit it best (least squares). That split always
 * exists; it is believed only when the fall is a tenth of the upper level or
 * more, is far beyond what the noise around the levels could make (noise that
 * lasts counts for more), both levels last, and a straight line does not fit
 * as well, for then the rate merely drifts.
 */
#ifndef ANALYSIS_SOAK_H
#define ANALYSIS_SOAK_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/bucket.h"

struct soak_burst {
	bool found;
	double peak_per_s; /* where not found: the mean of the whole */
	double baseline_per_s;
	double burst_s; /* how long the peak lasted */
};

/* `rates` in units per second, one for each period of period_s. */
struct soak_burst soak_find(const double *rates, size_t count, double period_s);

/* The bucket behind a burst that was found. The credit it was seen to spend
 * is all that it is known to hold, and to have held at the start. */
struct bucket_profile soak_bucket(const struct soak_burst *burst);

#endif
