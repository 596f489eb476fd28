/* SPDX-License-Identifier: MIT */
/* A sweep as data: its axes, where its points lie, what was found there. */
#ifndef ANALYSIS_SWEEP_DATA_H
#define ANALYSIS_SWEEP_DATA_H

#include "analysis/document/document.h"
#include "analysis/sweep/sweep.h"

/* The list of axes, as the member "axes" of the object. */
void sweep_axes_data(struct document *document, struct node *object,
		     const struct sweep *sweep);

/* Where a point is, on all axes but `except` (the axes' count: on all): members
 * of the object by the axes' keys. */
void sweep_place_data(struct document *document, struct node *object,
		      const struct sweep *sweep, uint32_t point,
		      uint32_t except);

/* Everything: axes, points with the run of each, knees. */
void sweep_data(struct document *document, const struct sweep *sweep);

enum metric_kind sweep_axis_kind(const struct vary *axis);
struct metric_value sweep_axis_value(const struct vary *axis, uint32_t index);

/* Of an interval: the name in "repeat", and the member. */
struct sweep_interval_member {
	const char *name;
	size_t offset;
};
#define SWEEP_INTERVAL_MEMBERS 5
extern const struct sweep_interval_member
	sweep_interval_members[SWEEP_INTERVAL_MEMBERS];

#endif
