/* SPDX-License-Identifier: MIT */
#include "storage/workers.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>

#include "sim/check.h"
#include "storage/clock.h"

/* Jobs keep what is big in buffers of their own. */
#define STACK_BYTES ((size_t)256 << 10)

struct worker {
	struct workers *workers;
	uint32_t index;
	bool busy; /* the owner's view: put and not taken */
	pthread_t thread;
	sem_t start;
	int64_t cpu_ns; /* when its thread has ended */
};

struct finished {
	atomic_bool full;
	uint32_t worker;
	int64_t at_ns;
};

struct workers {
	worker_function *work;
	void *context;
	struct reader_wake *wake;
	uint32_t count;
	atomic_bool stopping;
	struct worker *worker;

	/* The queue of the finished has a place for every worker, so the
	 * place that one claims is always free. */
	struct finished *queue;
	atomic_uint_fast64_t tail; /* claimed by workers */
	uint64_t head;		   /* taken by the owner */
};

static void post(struct workers *workers, uint32_t worker, int64_t at_ns)
{
	uint64_t place = atomic_fetch_add(&workers->tail, 1) % workers->count;
	struct finished *last = &workers->queue[place];

	last->worker = worker;
	last->at_ns = at_ns;
	atomic_store_explicit(&last->full, true, memory_order_release);
	reader_wake_post(workers->wake);
}

static void *worker_main(void *argument)
{
	struct worker *worker = argument;
	struct workers *workers = worker->workers;

	for (;;) {
		while (sem_wait(&worker->start))
			CHECK(errno == EINTR);
		if (atomic_load(&workers->stopping))
			break;
		workers->work(workers->context, worker->index);
		post(workers, worker->index, clock_now_ns());
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
		sem_post(&workers->worker[i].start);
	for (i = 0; i < started; i++) {
		pthread_join(workers->worker[i].thread, NULL);
		cpu_ns += workers->worker[i].cpu_ns;
	}
	for (i = 0; i < workers->count; i++)
		sem_destroy(&workers->worker[i].start);
	return cpu_ns;
}

static int start_threads(struct workers *workers)
{
	sigset_t all;
	sigset_t old;
	uint32_t i;
	int error = 0;

	for (i = 0; i < workers->count; i++) {
		workers->worker[i].workers = workers;
		workers->worker[i].index = i;
		sem_init(&workers->worker[i].start, 0, 0);
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (i = 0; i < workers->count; i++) {
		error = start_thread(&workers->worker[i]);
		if (error)
			break;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (error)
		end_threads(workers, i);
	return error;
}

int workers_start(struct workers **out, uint32_t count, worker_function *work,
		  void *context, struct reader_wake *wake)
{
	struct workers *workers;
	int error = -ENOMEM;

	CHECK(count > 0);
	CHECK(count <= WORKERS_MAX);
	workers = calloc(1, sizeof(*workers));
	if (!workers)
		return error;
	workers->work = work;
	workers->context = context;
	workers->wake = wake;
	workers->count = count;
	workers->worker = calloc(count, sizeof(*workers->worker));
	if (!workers->worker)
		goto free_workers;
	workers->queue = calloc(count, sizeof(*workers->queue));
	if (!workers->queue)
		goto free_worker;
	error = start_threads(workers);
	if (error)
		goto free_queue;
	*out = workers;
	return 0;

free_queue:
	free(workers->queue);
free_worker:
	free(workers->worker);
free_workers:
	free(workers);
	return error;
}

int64_t workers_stop(struct workers *workers)
{
	int64_t cpu_ns;

	if (!workers)
		return 0;
	cpu_ns = end_threads(workers, workers->count);
	free(workers->queue);
	free(workers->worker);
	free(workers);
	return cpu_ns;
}

void workers_put(struct workers *workers, uint32_t worker)
{
	CHECK(worker < workers->count);
	CHECK(!workers->worker[worker].busy);
	workers->worker[worker].busy = true;
	sem_post(&workers->worker[worker].start);
}

bool workers_take(struct workers *workers, uint32_t *worker, int64_t *at_ns)
{
	struct finished *first =
		&workers->queue[workers->head % workers->count];

	if (!atomic_load_explicit(&first->full, memory_order_acquire))
		return false;
	*worker = first->worker;
	*at_ns = first->at_ns;
	atomic_store_explicit(&first->full, false, memory_order_relaxed);
	workers->head++;
	workers->worker[*worker].busy = false;
	return true;
}
