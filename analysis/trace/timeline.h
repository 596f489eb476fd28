/* SPDX-License-Identifier: MIT */
/*
 * The timeline of a run: all that happened in its first steps and in as many
 * of a steady stretch, and the levels of everything over the whole of it.
 *
 * It watches an engine (sim/watch.h) and takes bounded memory however long the
 * run is. Which stretch is steady is not known before the end, so it is the
 * last one that was whole of those that began with step 16, 32, 64, ...: it
 * lies in the second half of the run, or near.
 *
 * Levels are samples at equal distances of time. When there is no room for
 * more, every other one is dropped and the distance doubled.
 */
#ifndef ANALYSIS_TIMELINE_H
#define ANALYSIS_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine.h"
#include "sim/trace_event.h"
#include "sim/watch.h"

#define TIMELINE_STEPS 10 /* of each stretch, when nobody says */
#define TIMELINE_STEPS_MAX 1000000
#define TIMELINE_EVENTS_MAX 65536 /* of each stretch */
#define TIMELINE_SAMPLES_MAX 512

struct samples {
	int64_t start_ns;
	int64_t distance_ns;
	size_t count;
	struct engine_levels at[TIMELINE_SAMPLES_MAX];
};

/* What happened from start_ns to end_ns. */
struct stretch {
	int64_t start_ns;
	int64_t end_ns;
	uint64_t first_step; /* as events number them */
	uint64_t steps;	     /* of the first accelerator, all or in part */
	bool cut;	     /* there was no room for all of its steps */
	struct trace_event *events; /* in the order they were told in, some
				       from just before the start */
	size_t count;
	size_t room;
	struct samples samples;
};

struct timeline;

/* Stretches of `steps` steps each, 1 to TIMELINE_STEPS_MAX. -ENOMEM or 0. */
int timeline_open(struct timeline **timeline, uint64_t steps)
	__attribute__((warn_unused_result));
void timeline_close(struct timeline *timeline); /* NULL: nothing to do */

/* Watches an engine from now on, until timeline_end(), before the engine's
 * memory goes. Who watches it already, or NULL, is told its events further on.
 */
void timeline_begin(struct timeline *timeline, struct engine *engine,
		    const struct watcher *other);
void timeline_end(struct timeline *timeline);

/* What there is after the end; stretches are NULL when there was none. */
const struct stretch *timeline_first(const struct timeline *timeline);
const struct stretch *timeline_steady(const struct timeline *timeline);
const struct samples *timeline_levels(const struct timeline *timeline);

/* When an event's share of a row of the timeline begins: a request when it is
 * issued, what a worker carries when it is begun, as is all else. */
int64_t timeline_from_ns(const struct trace_event *event);

#endif
