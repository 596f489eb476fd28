/* SPDX-License-Identifier: MIT */
/*
 * A sweep: one simulation for every point of a grid over scenario keys. Points
 * are numbered with the last axis changing fastest. Of each, what it found is
 * kept as values of the metric table and as the data of its result, so that a
 * point read back from an earlier result (--resume) is like one just made.
 *
 * Jobs, a run with one seed each, may be done in any order by any number of
 * threads: each writes to its own place. With --repeat a point has several,
 * with seeds that follow on the scenario's; its result is that of the first,
 * and the chief metrics have mean, ends and interval of all.
 */
#ifndef ANALYSIS_SWEEP_H
#define ANALYSIS_SWEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/experiment.h"
#include "analysis/sweep/interval.h"
#include "analysis/sweep/knee.h"
#include "analysis/report.h"
#include "traces/vary.h"

#define SWEEP_AXES_MAX 6
#define SWEEP_POINTS_MAX 4096
#define SWEEP_REPEAT_MAX 100
#define SWEEP_CHIEF_COUNT 5

/* The metrics that repetitions are summed up of. */
extern const char *const sweep_chief_metrics[SWEEP_CHIEF_COUNT];

struct sweep_point {
	bool done;
	struct metric_value *values; /* one a row of the metric table */
	struct node *run;	     /* the result as data */
	struct interval chief[SWEEP_CHIEF_COUNT];
};

/* What one job found. */
struct sweep_sample {
	bool done;
	struct metric_value chief[SWEEP_CHIEF_COUNT];
};

struct sweep {
	struct experiment base; /* what the axes change; its watch is unused */
	const char *name;	/* of the scenario, in faults */
	struct vary axes[SWEEP_AXES_MAX];
	uint32_t axis_count;
	uint32_t repeat; /* 1: once */
	bool explains;	 /* finds out what limits each point */
	bool complete;	 /* set by sweep_finish() */
	uint32_t point_count;
	struct sweep_point *points;
	struct sweep_sample *samples;
	struct knee *knees; /* axis by axis, of the line through each point */
};

/* Takes over the axes that are there, and checks the grid and the scenario of
 * every point of it. -EINVAL and a fault, or -ENOMEM. */
int sweep_init(struct sweep *sweep, struct fault *fault)
	__attribute__((warn_unused_result));
void sweep_release(struct sweep *sweep);

/* How many jobs there are: points x repeat. */
uint32_t sweep_jobs(const struct sweep *sweep);

/* Does a job, unless its point is done. One that `watch` ends leaves nothing.
 * 0 or negative errno. */
int sweep_job(struct sweep *sweep, uint32_t job,
	      const struct simulation_watch *watch, struct fault *fault)
	__attribute__((warn_unused_result));

/* All jobs are done that will be: sums up. */
void sweep_finish(struct sweep *sweep);

uint32_t sweep_done_count(const struct sweep *sweep);

/* Which value of an axis a point has. */
uint32_t sweep_index(const struct sweep *sweep, uint32_t point, uint32_t axis);

/* "accelerator.count=8, echo=batch:2". Returns text. */
const char *sweep_at(const struct sweep *sweep, uint32_t point, char *text,
		     size_t size);

/* Of how many points the figures are those of a burst's start, and after how
 * many seconds the first of them has no credit left. */
uint32_t sweep_bursts(const struct sweep *sweep, double *first_s);

/* What the points themselves say a reader must know. */
void sweep_notes(const struct sweep *sweep, struct notes *notes);

/* The value by name of a metric of a point that is done. */
struct metric_value sweep_value(const struct sweep *sweep, uint32_t point,
				const char *metric);

/* The knee on the line along an axis of numbers, the others fixed, through a
 * point; unknown where points are missing. */
struct knee sweep_knee(const struct sweep *sweep, uint32_t axis,
		       uint32_t point);

/* The rate that they are of: what repeats are worth is in it only when echo
 * is varied and a law says so. */
const char *sweep_rate_metric(const struct sweep *sweep);

/* The document of it. */
struct sweep_report {
	const struct sweep *sweep;
	const struct host_fact *host;
	size_t host_count;
	const struct notes *notes;
};
struct document *sweep_document(const struct sweep_report *report);

/* Takes the points that are done over from the text of an earlier result of the
 * same sweep; `name` stands for it in faults. -EINVAL when it is none. */
int sweep_resume(struct sweep *sweep, const char *name, const char *text,
		 size_t size, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
