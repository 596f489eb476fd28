/* SPDX-License-Identifier: MIT */
/*
 * A bucket of burst credit, as storage providers sell it: work runs at `peak`
 * while there is credit, at `baseline` when there is none. Credit is earned at
 * baseline, up to the capacity, and spent by the work done; so at peak it
 * falls by peak - baseline a second. Credit is kept as a real number: nothing
 * is lost between requests.
 */
#ifndef SIM_BUCKET_H
#define SIM_BUCKET_H

#include <stdint.h>

/* Units are ops or bytes. baseline > 0, peak >= baseline. */
struct bucket_profile {
	double capacity;
	double initial;
	double baseline_per_s;
	double peak_per_s;
};

struct bucket {
	double credit;
	int64_t free_ns;    /* when the work accepted so far is done */
	double fraction_ns; /* and what that is beyond a whole nanosecond */
	double units;	    /* accepted so far */
	int64_t dry_ns;	    /* when its credit first came to an end, or there
			       was none at first; INT64_MAX: not so far */
};

void bucket_init(struct bucket *bucket, const struct bucket_profile *profile);

/* Accepts `units` of work at start_ns, not before the start of the work
 * accepted last; returns when they are done. */
int64_t bucket_pass(struct bucket *bucket, const struct bucket_profile *profile,
		    int64_t start_ns, double units);

#endif
