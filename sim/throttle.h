/* SPDX-License-Identifier: MIT */
/*
 * Did the throttle hold? A real read starts at once and its completion is held
 * back to the device model's time. A kernel completion after that time is
 * late: the host is slower than the device it plays. The verdict is "held"
 * while lateness lengthened the mean request by less than half a percent.
 */
#ifndef SIM_THROTTLE_H
#define SIM_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/histogram.h"

struct throttle {
	bool native; /* no model: every completion is the kernel's */
	uint64_t completions;
	uint64_t late;
	int64_t modelled_ns;	      /* summed issue-to-due times */
	struct histogram lateness_ns; /* of the late ones */
	struct histogram release_ns;  /* how long after its due time a held
					 completion reached the engine: timer
					 error, measured, never modelled */
};

/* Accounts one read and returns the stamp its completion gets: the later of
 * due_ns and kernel_ns. issue_ns <= due_ns. */
int64_t throttle_stamp(struct throttle *throttle, int64_t issue_ns,
		       int64_t due_ns, int64_t kernel_ns);

bool throttle_held(const struct throttle *throttle);

#endif
