/* SPDX-License-Identifier: MIT */
/*
 * Did the throttle hold? A real read starts at once and its completion is held
 * back to the device model's time. A kernel completion after that time is
 * late: the host is slower than the device it plays. A block whose
 * decompression is heard of when the model is past its end is overtaken: the
 * host is slower than the workers it plays.
 *
 * From its due time to its stamp, such a thing holds the model up. The verdict
 * is "held" while the time in which anything did, and the time by which the
 * run ended behind the clock, are at most a hundredth of the measured window.
 *
 * Why this bound. Stop the clock of an undisturbed run whenever anything is
 * overdue in the disturbed one: it then does nothing earlier than the
 * disturbed run does, for queues, workers and devices that serve first come,
 * first served never gain from a later arrival. So over the same work, elapsed
 * time grows by at most the disturbed time D, and
 *
 *   AU(undisturbed) - AU(live) <= AU(undisturbed) * D / elapsed(live).
 *
 * With D at most 1 % of the elapsed time, AU is off by at most one point; by
 * much less where queues bridge the gap, as they mostly do. (An echo
 * when-starved answers a gap with repeats, not with idling: there it shows in
 * the mean factor.)
 */
#ifndef SIM_THROTTLE_H
#define SIM_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/histogram.h"

/* Times in which something was overdue, that are kept to be merged. */
#define THROTTLE_SPANS 16

struct throttle_span {
	int64_t start_ns;
	int64_t end_ns;
};

struct throttle {
	bool native; /* no model: every completion is the kernel's; only
			pauses disturb */
	uint64_t completions;
	uint64_t late;
	struct histogram lateness_ns; /* of the late ones */
	struct histogram release_ns;  /* how long after its due time a held
					 completion reached the engine: timer
					 error, measured, never modelled */
	uint64_t blocks;	      /* decompressed */
	uint64_t overtaken;	      /* of those */
	int64_t overtaken_ns;	      /* by how much, summed */
	int64_t disturbed_ns;	      /* in which anything was overdue */
	/* Set at the end: length of the measured window; how far the run was
	 * behind the clock. */
	int64_t elapsed_ns;
	int64_t lag_ns;
	struct throttle_span spans[THROTTLE_SPANS]; /* apart, in order */
	uint32_t span_count;
};

/* Accounts one read and returns the stamp its completion gets: the later of
 * due_ns and kernel_ns. issue_ns <= due_ns. */
int64_t throttle_stamp(struct throttle *throttle, int64_t issue_ns,
		       int64_t due_ns, int64_t kernel_ns);

/* Accounts one block that was due at due_ns and stamped with stamp_ns, not
 * before. */
void throttle_block(struct throttle *throttle, int64_t due_ns,
		    int64_t stamp_ns);

/* Accounts a time in which the driver of a native run did not run: stopped, or
 * without a processor. What completed meanwhile it heard of late. */
void throttle_pause(struct throttle *throttle, int64_t start_ns,
		    int64_t end_ns);

/* Share of the measured window in which something was overdue or the driver
 * paused, and that the run was behind. What was so before the window counts
 * too, so that there is no telling more than that it is at most 1. */
double throttle_disturbed(const struct throttle *throttle);

bool throttle_held(const struct throttle *throttle);

#endif
