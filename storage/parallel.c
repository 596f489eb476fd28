/* SPDX-License-Identifier: MIT */
#include "storage/parallel.h"

#include <poll.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "storage/workers.h"

#define WAIT_MS 100 /* for the next job, before looking whether to stop */

static void work(void *context, uint32_t worker, uint32_t job)
{
	const struct parallel *parallel = context;

	(void)worker;
	/* Jobs still in the queue pass by. */
	if (!*parallel->stop)
		parallel->work(parallel->context, job);
}

static void sleep_a_little(struct reader_wake *wake)
{
	struct pollfd descriptor = { .fd = wake->fd, .events = POLLIN };
	eventfd_t posts;

	if (!reader_wake_sleep(wake))
		return;
	if (poll(&descriptor, 1, WAIT_MS) > 0)
		eventfd_read(wake->fd, &posts);
	reader_wake_up(wake);
}

static void wait_for_all(const struct parallel *parallel,
			 struct workers *workers, struct reader_wake *wake)
{
	uint32_t done = 0, job;
	int64_t at_ns;

	while (done < parallel->jobs && !*parallel->stop) {
		reader_wake_look(wake);
		while (workers_take(workers, &job, &at_ns))
			done++;
		if (parallel->progress)
			parallel->progress(parallel->context, done);
		if (done < parallel->jobs)
			sleep_a_little(wake);
	}
}

uint32_t parallel_threads(const struct parallel *parallel)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t threads = parallel->threads;

	if (!threads)
		threads = processors > 0 ? (uint32_t)processors : 1;
	if (threads > parallel->jobs)
		threads = parallel->jobs ? parallel->jobs : 1;
	return threads < WORKERS_MAX ? threads : WORKERS_MAX;
}

int parallel_run(const struct parallel *parallel)
{
	struct parallel copy = *parallel;
	struct reader_wake wake;
	struct workers *workers;
	uint32_t job;
	int error;

	if (!parallel->jobs)
		return 0;
	error = reader_wake_init(&wake);
	if (error)
		return error;
	error = workers_start(&workers, parallel_threads(parallel),
			      parallel->jobs, work, &copy, &wake);
	if (error)
		goto release_wake;
	for (job = 0; job < parallel->jobs; job++)
		workers_put(workers, job);
	workers_wake(workers);
	wait_for_all(parallel, workers, &wake);
	workers_stop(workers);
release_wake:
	reader_wake_release(&wake);
	return error;
}
