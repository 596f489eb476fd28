/* SPDX-License-Identifier: MIT */
#include "storage/live/jobs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "storage/clock.h"

/* A block is taken to need at least this share of the least time per byte that
 * any needed so far. */
#define LEAST_SHARE 0.8

/* What it takes to wake a thread, about. */
#define HELP_NS_MAX 50000

/* On a thread of the workers, or the driver's. */
static void unpack(void *context, uint32_t worker, uint32_t number)
{
	struct live_jobs *jobs = context;
	struct live_job *job = &jobs->jobs[number];
	int64_t start_ns = clock_now_ns();
	int64_t start_cpu_ns = clock_thread_cpu_ns();

	job->error = unpacker_check(jobs->unpackers[worker], job->task.block,
				    job->stored, job->task.bytes,
				    &job->content_bytes, &job->fault);
	job->cpu_ns = clock_thread_cpu_ns() - start_cpu_ns;
	job->wall_ns = clock_now_ns() - start_ns;
}

static int make_tables(struct live_jobs *jobs, uint32_t hosts)
{
	jobs->jobs = calloc(jobs->count, sizeof(*jobs->jobs));
	jobs->idle = calloc(jobs->count, sizeof(*jobs->idle));
	jobs->unpackers = calloc(jobs->threads + 1, sizeof(struct unpacker *));
	jobs->free_ns = calloc((size_t)hosts * jobs->host_workers,
			       sizeof(*jobs->free_ns));
	if (!jobs->jobs || !jobs->idle || !jobs->unpackers || !jobs->free_ns)
		return -ENOMEM;
	while (jobs->idle_count < jobs->count) {
		jobs->idle[jobs->idle_count] = jobs->idle_count;
		jobs->idle_count++;
	}
	return 0;
}

static int start(struct live_jobs *jobs, uint32_t hosts,
		 struct dataset *dataset, struct reader_wake *wake)
{
	int error = make_tables(jobs, hosts);
	uint32_t i;

	for (i = 0; i <= jobs->threads && !error; i++)
		error = unpacker_open(&jobs->unpackers[i], dataset);
	if (error)
		return error;
	return workers_start(&jobs->workers, jobs->threads, jobs->count, unpack,
			     jobs, wake);
}

int live_jobs_open(struct live_jobs *jobs, const struct pipeline *pipeline,
		   struct dataset *dataset, struct reader_wake *wake,
		   struct fault *fault)
{
	uint32_t hosts = pipeline->accelerators.hosts;
	uint32_t workers = pipeline->stages[STAGE_DECOMPRESS].workers;
	uint64_t threads = (uint64_t)hosts * workers;
	uint64_t count = (uint64_t)hosts * engine_decompressions(pipeline);
	bool crew = pipeline->loading.kind == LOADER_WORKERS;
	int error;

	if (threads > WORKERS_MAX || count > UINT32_MAX) {
		fault_set(fault, NULL, 0,
			  "%llu decompress workers on all hosts together; a "
			  "live run has at most %d threads for them; lower "
			  "pipeline.%s.workers",
			  (unsigned long long)threads, WORKERS_MAX,
			  crew ? "loader" : "decompress");
		return -EINVAL;
	}
	jobs->host_workers = workers;
	jobs->threads = (uint32_t)threads;
	jobs->count = (uint32_t)count;
	error = start(jobs, hosts, dataset, wake);
	if (error)
		fault_set(fault, NULL, 0,
			  "cannot start %u decompress workers: %s",
			  jobs->threads, strerror(-error));
	return error;
}

int64_t live_jobs_close(struct live_jobs *jobs)
{
	int64_t cpu_ns = workers_stop(jobs->workers) + jobs->helped_ns;
	uint32_t i;

	for (i = 0; jobs->unpackers && i <= jobs->threads; i++)
		unpacker_close(jobs->unpackers[i]);
	free(jobs->unpackers);
	free(jobs->free_ns);
	free(jobs->idle);
	free(jobs->jobs);
	*jobs = (struct live_jobs){ 0 };
	return cpu_ns;
}

/* From the least time per byte so far. */
static int64_t expected_ns(const struct live_jobs *jobs,
			   const struct engine_task *task)
{
	return (int64_t)(jobs->least_ns_per_byte * (double)task->bytes);
}

void live_jobs_put(struct live_jobs *jobs, const struct engine_task *task,
		   const unsigned char *stored, int64_t now_ns)
{
	struct live_job *job;
	uint32_t number;

	CHECK(jobs->idle_count > 0);
	number = jobs->idle[--jobs->idle_count];
	job = &jobs->jobs[number];
	CHECK(!job->active);
	job->task = *task;
	job->stored = stored;
	job->decided_ns = now_ns;
	job->active = true;
	workers_put(jobs->workers, number);
	jobs->put_ns += jobs->least_ns_per_byte > 0 ? expected_ns(jobs, task) :
						      HELP_NS_MAX + 1;
}

const struct live_job *live_jobs_take(struct live_jobs *jobs)
{
	struct live_job *job;
	uint32_t number;
	int64_t done_ns;

	if (!workers_take(jobs->workers, &number, &done_ns))
		return NULL;
	job = &jobs->jobs[number];
	CHECK(job->active);
	job->done_ns = done_ns;
	job->active = false;
	jobs->idle[jobs->idle_count++] = number;
	return job;
}

/* The host's worker that is free first. */
static int64_t *first_free(const struct live_jobs *jobs, uint32_t host)
{
	int64_t *free_ns = jobs->free_ns + (size_t)host * jobs->host_workers;
	int64_t *first = free_ns;
	uint32_t i;

	for (i = 1; i < jobs->host_workers; i++)
		if (free_ns[i] < *first)
			first = &free_ns[i];
	return first;
}

int64_t live_jobs_stamp(struct live_jobs *jobs, const struct live_job *job)
{
	int64_t *free_ns = first_free(jobs, job->task.host);
	int64_t start_ns = job->decided_ns;
	double ns_per_byte =
		(double)job->cpu_ns / ((double)job->task.bytes + 1);

	if (*free_ns > start_ns)
		start_ns = *free_ns;
	*free_ns = start_ns + job->cpu_ns;
	if (!jobs->least_ns_per_byte || ns_per_byte < jobs->least_ns_per_byte)
		jobs->least_ns_per_byte = ns_per_byte;
	return *free_ns;
}

bool live_jobs_start(struct live_jobs *jobs)
{
	int64_t start_ns;
	bool helped;

	if (jobs->put_ns > HELP_NS_MAX) {
		workers_wake(jobs->workers);
		jobs->put_ns = 0;
		return false;
	}
	start_ns = clock_thread_cpu_ns();
	helped = workers_help(jobs->workers);
	if (helped)
		jobs->helped_ns += clock_thread_cpu_ns() - start_ns;
	else
		jobs->put_ns = 0;
	return helped;
}

int64_t live_jobs_horizon_ns(const struct live_jobs *jobs)
{
	int64_t horizon_ns = INT64_MAX;
	uint32_t i;

	if (jobs->idle_count == jobs->count)
		return horizon_ns;
	for (i = 0; i < jobs->count; i++) {
		const struct live_job *job = &jobs->jobs[i];
		int64_t end_ns;

		if (!job->active)
			continue;
		end_ns = *first_free(jobs, job->task.host);
		if (job->decided_ns > end_ns)
			end_ns = job->decided_ns;
		end_ns += (int64_t)(LEAST_SHARE *
				    (double)expected_ns(jobs, &job->task));
		if (end_ns < horizon_ns)
			horizon_ns = end_ns;
	}
	return horizon_ns;
}
