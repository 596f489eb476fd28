/* SPDX-License-Identifier: MIT */
/*
 * Attribution: why accelerators idled, and what to change, found by running
 * the same simulation again with one thing different. Draws are keyed, so both
 * runs see the same ones and the difference is the thing's doing.
 *
 * Stalls. Idle is a share of the accelerators' time in the window of each run:
 *   fetch: the idle share less that when device, link and cache take no time;
 *   prep: that one less the share when the work on examples and batches takes
 *     none either, whoever does it;
 *   other: the remainder: start-up, pinning and hand-over, the barrier,
 *     allreduce.
 * They add up to the idle share, to the nanosecond of the reference's window.
 *
 * Bottleneck: the resource whose improvement by a tenth raises the step rate
 * most. Ways of improving one are compared by a power law, for a whole number
 * may allow only a larger step, and a time a tenth shorter is a rate a ninth
 * higher: what a tenth would bring at the gain per cent that was seen. What is
 * told to do is what was tried, and what is claimed is what it brought.
 * Resources of which a group without any limit would not raise the rate are not
 * tried one by one.
 */
#ifndef ANALYSIS_ATTRIBUTION_H
#define ANALYSIS_ATTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/stall/resource.h"
#include "sim/figures.h"

/* Smaller relative changes of the rate are noise. */
#define ATTRIBUTION_NOISE 0.002

/* What is asked about: the scenario's first strategy, in a run that ends so. */
struct attribution_subject {
	const struct scenario *scenario; /* checked */
	const struct layout *layout;	 /* of a packed dataset; NULL: none */
	struct run_limit limit;
	bool drained; /* its device begins without credit (analysis/burst.h) */
};

struct attribution {
	bool known;
	/* Summed over accelerators, like figures.idle_ns, which they add up
	 * to; of a window of window_ns = figures.accelerator_ns. */
	level_integral window_ns;
	level_integral fetch_ns;
	level_integral prep_ns;
	level_integral other_ns;
	/* NULL: nothing changes the rate by more than noise. */
	const struct resource *bottleneck;
	double gain_per_10pct;	       /* relative change of the rate */
	struct resource_change change; /* of the bottleneck, and what it gains */
	double gain;
	/* The second in gain; when nothing else gains, what limits once the
	 * first no longer does. NULL: nothing. */
	const struct resource *next;
	/* Where it gains by itself, and both changed gain more than the first:
	 * how much; 0: they do not. */
	struct resource_change next_change;
	double both_gain;
	/* The rate without the first limit / the rate; 0: not known. */
	double headroom;
	/* The bottleneck was looked for in a run of only so many steps; 0: in
	 * as many as the run had. */
	uint64_t cut_steps;
};

/* How the caller takes part. `go_on` is told now and then which share of the
 * work is done, 0 to 1, and answers false to end it. NULL: goes on. */
struct attribution_watch {
	bool (*go_on)(void *context, double done);
	void *context;
	uint64_t examples_max; /* per run that looks for the bottleneck: longer
				  ones are cut; 0: none is */
	bool first_only; /* what limits is enough, not what is behind it: ends
			    with a resource that has more than half of all that
			    a tenth can gain, for no other has more */
};

/* Finds out why `figures`, of a complete simulated run of the subject, are as
 * they are. Not known after a run that ended early or measured nothing, and
 * when go_on ended it. -ENOMEM, or 0. */
int attribution_find(struct attribution *attribution,
		     const struct attribution_subject *subject,
		     const struct figures *figures,
		     const struct attribution_watch *watch)
	__attribute__((warn_unused_result));

/* What was found for a simulation, told of the live run it is the twin of:
 * idle time that the simulation does not know is "other". */
void attribution_adopt(struct attribution *attribution,
		       const struct figures *figures);

#endif
