/* SPDX-License-Identifier: MIT */
#include "storage/reader_pool.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/workers.h"

#define THREADS_MAX 256

struct pool {
	struct reader_setup setup;
	struct workers *workers;
	/* By worker: what it reads, and what came of it. */
	struct reader_attempt *attempts;
	int32_t *results;
	uint32_t *idle; /* a stack of workers */
	uint32_t idle_count;
	/* Attempts that no worker was free for: a ring of inflight_max. */
	struct reader_attempt *waiting;
	uint32_t waiting_first;
	uint32_t waiting_count;
};

static void read_one(void *context, uint32_t worker)
{
	struct pool *pool = context;
	const struct reader_attempt *attempt = &pool->attempts[worker];
	ssize_t got;

	got = pread(pool->setup.files[attempt->file], attempt->buffer,
		    attempt->bytes, (off_t)attempt->offset_bytes);
	pool->results[worker] = got < 0 ? -errno : (int32_t)got;
}

static void pool_free(struct pool *pool)
{
	free(pool->attempts);
	free(pool->results);
	free(pool->idle);
	free(pool->waiting);
	free(pool);
}

static int pool_open(void **state, const struct reader_setup *setup,
		     struct reader_facts *facts)
{
	uint32_t threads = setup->inflight_max < THREADS_MAX ?
				   setup->inflight_max :
				   THREADS_MAX;
	struct pool *pool;
	int error = -ENOMEM;

	pool = calloc(1, sizeof(*pool));
	if (!pool)
		return error;
	pool->setup = *setup;
	pool->attempts = calloc(threads, sizeof(*pool->attempts));
	pool->results = calloc(threads, sizeof(*pool->results));
	pool->idle = calloc(threads, sizeof(*pool->idle));
	pool->waiting = calloc(setup->inflight_max, sizeof(*pool->waiting));
	if (!pool->attempts || !pool->results || !pool->idle || !pool->waiting)
		goto free_pool;
	while (pool->idle_count < threads) {
		pool->idle[pool->idle_count] = pool->idle_count;
		pool->idle_count++;
	}
	error = workers_start(&pool->workers, threads, read_one, pool,
			      setup->wake);
	if (error)
		goto free_pool;
	if (threads < setup->inflight_max)
		reader_note(facts, "pread",
			    "256 threads; further reads wait their turn");
	*state = pool;
	return 0;

free_pool:
	pool_free(pool);
	return error;
}

static void pool_close(void *state)
{
	struct pool *pool = state;

	workers_stop(pool->workers);
	pool_free(pool);
}

static void pool_start(struct pool *pool, const struct reader_attempt *attempt)
{
	uint32_t worker = pool->idle[--pool->idle_count];

	pool->attempts[worker] = *attempt;
	workers_put(pool->workers, worker);
}

static void pool_submit(void *state, const struct reader_attempt *attempt)
{
	struct pool *pool = state;
	uint32_t size = pool->setup.inflight_max;

	if (pool->idle_count) {
		pool_start(pool, attempt);
		return;
	}
	CHECK(pool->waiting_count < size);
	pool->waiting[(pool->waiting_first + pool->waiting_count) % size] =
		*attempt;
	pool->waiting_count++;
}

/* Everything that can happen posts to the wake. */
static int pool_wait(void *state, int64_t timeout_ns)
{
	struct pool *pool = state;
	struct pollfd wake = { .fd = pool->setup.wake->fd, .events = POLLIN };
	struct timespec timeout = {
		.tv_sec = timeout_ns / 1000000000,
		.tv_nsec = timeout_ns % 1000000000,
	};
	eventfd_t posts;

	if (timeout_ns <= 0)
		return 0;
	if (ppoll(&wake, 1, &timeout, NULL) < 0)
		return errno == EINTR ? 0 : -errno;
	if (wake.revents && eventfd_read(wake.fd, &posts))
		return -errno;
	return 0;
}

static uint32_t pool_reap(void *state, struct reader_result *results,
			  uint32_t count)
{
	struct pool *pool = state;
	uint32_t taken = 0;
	uint32_t worker;
	int64_t at_ns;

	while (taken < count && workers_take(pool->workers, &worker, &at_ns)) {
		results[taken++] = (struct reader_result){
			.slot = pool->attempts[worker].slot,
			.result = pool->results[worker],
			.at_ns = at_ns,
		};
		pool->idle[pool->idle_count++] = worker;
		if (!pool->waiting_count)
			continue;
		pool_start(pool, &pool->waiting[pool->waiting_first]);
		pool->waiting_first =
			(pool->waiting_first + 1) % pool->setup.inflight_max;
		pool->waiting_count--;
	}
	return taken;
}

const struct reader_kind reader_pool = {
	.name = "pread",
	.open = pool_open,
	.close = pool_close,
	.submit = pool_submit,
	.wait = pool_wait,
	.reap = pool_reap,
};
