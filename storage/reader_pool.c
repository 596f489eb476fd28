/* SPDX-License-Identifier: MIT */
#include "storage/reader_pool.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "storage/workers.h"

#define THREADS_MAX 256

struct pool {
	struct reader_setup setup;
	struct workers *workers;
	/* By slot: what is read, and what came of it. */
	struct reader_attempt *attempts;
	int32_t *results;
};

static void read_one(void *context, uint32_t worker, uint32_t slot)
{
	struct pool *pool = context;
	const struct reader_attempt *attempt = &pool->attempts[slot];
	ssize_t got;

	(void)worker;
	got = pread(pool->setup.files[attempt->file], attempt->buffer,
		    attempt->bytes, (off_t)attempt->offset_bytes);
	pool->results[slot] = got < 0 ? -errno : (int32_t)got;
}

static void pool_free(struct pool *pool)
{
	free(pool->attempts);
	free(pool->results);
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
	pool->attempts = calloc(setup->slot_count, sizeof(*pool->attempts));
	pool->results = calloc(setup->slot_count, sizeof(*pool->results));
	if (!pool->attempts || !pool->results)
		goto free_pool;
	error = workers_start(&pool->workers, threads, setup->slot_count,
			      read_one, pool, setup->wake);
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

static void pool_submit(void *state, const struct reader_attempt *attempt)
{
	struct pool *pool = state;

	pool->attempts[attempt->slot] = *attempt;
	workers_put(pool->workers, attempt->slot);
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

	workers_wake(pool->workers);
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
	uint32_t slot;
	int64_t at_ns;

	while (taken < count && workers_take(pool->workers, &slot, &at_ns))
		results[taken++] = (struct reader_result){
			.slot = slot,
			.result = pool->results[slot],
			.at_ns = at_ns,
		};
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
