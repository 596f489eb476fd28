/* SPDX-License-Identifier: MIT */
#include "storage/workers.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>

#include "sim/check.h"
#include "storage/clock.h"
#include "storage/priority.h"

/* Jobs keep what is big in buffers of their own; a job that simulates has an
 * engine's bookkeeping on its stack for a moment. */
#define STACK_BYTES ((size_t)1 << 20)

struct worker {
	struct workers *workers;
	uint32_t index;
	pthread_t thread;
	int64_t cpu_ns; /* when its thread has ended */
};

struct finished {
	atomic_bool full;
	uint32_t job;
	int64_t at_ns;
};

struct workers {
	worker_function *work;
	void *context;
	struct reader_wake *wake;
	uint32_t count;
	uint32_t jobs;
	atomic_bool stopping;
	atomic_bool raised;
	struct worker *worker;
	bool *under_way; /* by job, the owner's view: put and not taken */

	/* Both queues have a place for every job and a job is in them once, so
	 * the next place is always free. A job is claimed by who has one of
	 * `ready`, or by the owner, of the unannounced. */
	_Atomic uint32_t *queue;
	uint64_t put;
	uint32_t unannounced;
	atomic_uint_fast64_t claimed;
	sem_t ready;
	struct finished *finished;
	atomic_uint_fast64_t posted;
	uint64_t taken;
};

static void post(struct workers *workers, uint32_t job, int64_t at_ns)
{
	uint64_t place = atomic_fetch_add(&workers->posted, 1) % workers->jobs;
	struct finished *last = &workers->finished[place];

	last->job = job;
	last->at_ns = at_ns;
	atomic_store_explicit(&last->full, true, memory_order_release);
	reader_wake_post(workers->wake);
}

static uint32_t claim(struct workers *workers)
{
	uint_fast64_t place = atomic_load(&workers->claimed);
	uint32_t job;

	/* Read first: once the place is claimed, the other jobs may go round
	 * the queue and the owner write it again. Until then it cannot, for no
	 * more than `jobs` are unclaimed. */
	do {
		job = atomic_load(&workers->queue[place % workers->jobs]);
	} while (!atomic_compare_exchange_weak(&workers->claimed, &place,
					       place + 1));
	return job;
}

static void *worker_main(void *argument)
{
	struct worker *worker = argument;
	struct workers *workers = worker->workers;
	struct priority priority = { 0 };
	bool raised = false;
	int64_t end_ns;
	uint32_t job;

	for (;;) {
		while (sem_wait(&workers->ready))
			CHECK(errno == EINTR);
		if (atomic_load(&workers->stopping))
			break;
		if (!raised && atomic_load(&workers->raised)) {
			priority_raise(&priority, PRIORITY_WORKER);
			raised = true;
		}
		job = claim(workers);
		workers->work(workers->context, worker->index, job);
		end_ns = clock_now_ns();
		post(workers, job, end_ns);
		priority_pause(&priority, end_ns);
	}
	worker->cpu_ns = clock_thread_cpu_ns();
	return NULL;
}

static int start_thread(struct worker *worker)
{
	pthread_attr_t attributes;
	int error;

	error = pthread_attr_init(&attributes);
	if (error)
		return -error;
	error = pthread_attr_setstacksize(&attributes, STACK_BYTES);
	if (!error)
		error = pthread_create(&worker->thread, &attributes,
				       worker_main, worker);
	pthread_attr_destroy(&attributes);
	return -error;
}

/* The first `started` threads are running. */
static int64_t end_threads(struct workers *workers, uint32_t started)
{
	int64_t cpu_ns = 0;
	uint32_t i;

	atomic_store(&workers->stopping, true);
	for (i = 0; i < started; i++)
		sem_post(&workers->ready);
	for (i = 0; i < started; i++) {
		pthread_join(workers->worker[i].thread, NULL);
		cpu_ns += workers->worker[i].cpu_ns;
	}
	sem_destroy(&workers->ready);
	return cpu_ns;
}

static int start_threads(struct workers *workers)
{
	sigset_t all;
	sigset_t old;
	uint32_t i;
	int error = 0;

	sem_init(&workers->ready, 0, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (i = 0; i < workers->count; i++) {
		workers->worker[i].workers = workers;
		workers->worker[i].index = i;
		error = start_thread(&workers->worker[i]);
		if (error)
			break;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (error)
		end_threads(workers, i);
	return error;
}

static void free_all(struct workers *workers)
{
	free(workers->finished);
	free(workers->queue);
	free(workers->under_way);
	free(workers->worker);
	free(workers);
}

int workers_start(struct workers **out, uint32_t count, uint32_t jobs,
		  worker_function *work, void *context,
		  struct reader_wake *wake)
{
	struct workers *workers;
	int error = -ENOMEM;

	CHECK(count > 0);
	CHECK(count <= WORKERS_MAX);
	CHECK(jobs > 0);
	workers = calloc(1, sizeof(*workers));
	if (!workers)
		return error;
	workers->work = work;
	workers->context = context;
	workers->wake = wake;
	workers->count = count;
	workers->jobs = jobs;
	workers->worker = calloc(count, sizeof(*workers->worker));
	workers->under_way = calloc(jobs, sizeof(*workers->under_way));
	workers->queue = calloc(jobs, sizeof(*workers->queue));
	workers->finished = calloc(jobs, sizeof(*workers->finished));
	if (workers->worker && workers->under_way && workers->queue &&
	    workers->finished)
		error = start_threads(workers);
	if (error) {
		free_all(workers);
		return error;
	}
	*out = workers;
	return 0;
}

int64_t workers_stop(struct workers *workers)
{
	int64_t cpu_ns;

	if (!workers)
		return 0;
	cpu_ns = end_threads(workers, workers->count);
	free_all(workers);
	return cpu_ns;
}

void workers_raise(struct workers *workers)
{
	atomic_store(&workers->raised, true);
}

void workers_put(struct workers *workers, uint32_t job)
{
	CHECK(job < workers->jobs);
	CHECK(!workers->under_way[job]);
	workers->under_way[job] = true;
	atomic_store(&workers->queue[workers->put++ % workers->jobs], job);
	workers->unannounced++;
}

void workers_wake(struct workers *workers)
{
	for (; workers->unannounced; workers->unannounced--)
		sem_post(&workers->ready);
}

bool workers_help(struct workers *workers)
{
	uint32_t job;

	if (!workers->unannounced)
		return false;
	workers->unannounced--;
	job = claim(workers);
	workers->work(workers->context, workers->count, job);
	post(workers, job, clock_now_ns());
	return true;
}

bool workers_take(struct workers *workers, uint32_t *job, int64_t *at_ns)
{
	struct finished *first =
		&workers->finished[workers->taken % workers->jobs];

	if (!atomic_load_explicit(&first->full, memory_order_acquire))
		return false;
	*job = first->job;
	*at_ns = first->at_ns;
	atomic_store_explicit(&first->full, false, memory_order_relaxed);
	workers->taken++;
	workers->under_way[*job] = false;
	return true;
}
