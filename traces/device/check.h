/* SPDX-License-Identifier: MIT */
/* What the members of a device's profile must be to each other. */
#ifndef TRACES_DEVICE_CHECK_H
#define TRACES_DEVICE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/device.h"

struct device_flaw {
	char key[32];	/* below storage.device: "seek.full" */
	char text[160]; /* "found 3 ms; expected ..." */
};

/* Does what was given contradict itself, or have no effect? Says what. */
bool device_contradicts(const struct device_profile *profile,
			struct device_flaw *flaw);

/* The same for one bucket. */
bool device_bucket_contradicts(const struct device_bucket *bucket,
			       uint32_t index, struct device_flaw *flaw);

/* Is something not given without which the rest cannot be? Says what. */
bool device_lacks(const struct device_profile *profile,
		  struct device_flaw *flaw);

/* Does anything say how long a request takes? */
bool device_is_limited(const struct device_profile *profile);

/* Seconds that the device takes for so many requests of so many bytes each,
 * when they come all at once and nothing of credit is left. */
double device_backlog_s(const struct device_profile *profile, double requests,
			double bytes);

#endif
