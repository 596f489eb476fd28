/* SPDX-License-Identifier: MIT */
#include "cli/points.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "cli/interrupt.h"
#include "cli/memory.h"
#include "storage/parallel.h"

#define SHARE 1000 /* what a whole job counts for */

struct crew;

struct job {
	struct crew *crew;
	_Atomic uint32_t share; /* of it that is done */
	int error;
	struct fault fault;
};

struct crew {
	const struct points *points;
	struct job *jobs;
	size_t memory_max; /* for each */
	atomic_bool failed;
};

static bool go_on(void *context, double done)
{
	struct job *job = context;

	atomic_store_explicit(&job->share, (uint32_t)(done * SHARE),
			      memory_order_relaxed);
	return !interrupt_stop && !atomic_load(&job->crew->failed);
}

static void work(void *context, uint32_t number)
{
	struct crew *crew = context;
	const struct points *points = crew->points;
	struct job *job = &crew->jobs[number];
	const struct simulation_watch watch = {
		.go_on = go_on,
		.context = job,
		.memory_max = crew->memory_max,
	};

	job->crew = crew;
	if (atomic_load(&crew->failed))
		return;
	job->error = points->run(points->context, number, &watch, &job->fault);
	if (job->error)
		atomic_store(&crew->failed, true);
	atomic_store_explicit(&job->share, SHARE, memory_order_relaxed);
}

static void show(void *context, uint32_t done)
{
	struct crew *crew = context;
	uint32_t jobs = crew->points->jobs, i;
	uint64_t sum = 0;

	(void)done;
	for (i = 0; i < jobs; i++)
		sum += atomic_load_explicit(&crew->jobs[i].share,
					    memory_order_relaxed);
	progress_update(crew->points->progress,
			(double)sum / ((double)SHARE * jobs));
}

int points_run(const struct points *points, struct fault *fault)
{
	struct crew crew = { .points = points };
	const struct parallel parallel = {
		.threads = points->workers,
		.jobs = points->jobs,
		.work = work,
		.progress = show,
		.context = &crew,
		.stop = &interrupt_stop,
	};
	uint32_t i;
	int error;

	crew.jobs = calloc(points->jobs + 1, sizeof(*crew.jobs));
	if (!crew.jobs)
		return -ENOMEM;
	crew.memory_max = memory_limit() / parallel_threads(&parallel);
	progress_start(points->progress, points->label);
	error = parallel_run(&parallel);
	progress_stop(points->progress);
	for (i = 0; i < points->jobs && !error; i++) {
		error = crew.jobs[i].error;
		if (error)
			*fault = crew.jobs[i].fault;
	}
	free(crew.jobs);
	return error;
}
