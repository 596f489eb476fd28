/* SPDX-License-Identifier: MIT */
/*
 * Between the first submit and the last reap nothing is allocated or freed, by
 * any thread. This program's malloc counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdlib.h>

#include "storage/reader_pool.h"
#include "storage/ring.h"
#include "tests/support/live_bench.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

/* The sanitizers have a malloc of their own. */
static void nothing_is_allocated_while_reading(void **state)
{
	(void)state;
	skip();
}

#else

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static atomic_uint_fast64_t calls;

void *malloc(size_t size)
{
	atomic_fetch_add(&calls, 1);
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	atomic_fetch_add(&calls, 1);
	return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
	atomic_fetch_add(&calls, 1);
	return __libc_realloc(memory, size);
}

void free(void *memory)
{
	if (memory)
		atomic_fetch_add(&calls, 1);
	__libc_free(memory);
}

/* A back end that notes the count at its first submit and its last reap. */
static const struct reader_kind *base;
static uint64_t calls_first;
static uint64_t calls_last;
static uint64_t submits;

static int watch_open(void **state, const struct reader_setup *setup,
		      struct reader_facts *facts)
{
	submits = 0;
	return base->open(state, setup, facts);
}

static void watch_close(void *state)
{
	base->close(state);
}

static void watch_submit(void *state, const struct reader_attempt *attempt)
{
	if (!submits++)
		calls_first = atomic_load(&calls);
	base->submit(state, attempt);
}

static int watch_wait(void *state, int64_t timeout_ns)
{
	return base->wait(state, timeout_ns);
}

static uint32_t watch_reap(void *state, struct reader_result *results,
			   uint32_t count)
{
	uint32_t got = base->reap(state, results, count);

	if (got)
		calls_last = atomic_load(&calls);
	return got;
}

static const struct reader_kind watching = {
	.name = "watching",
	.open = watch_open,
	.close = watch_close,
	.submit = watch_submit,
	.wait = watch_wait,
	.reap = watch_reap,
};

static void check_quiet(const char *format, const struct reader_kind *kind)
{
	struct live_bench bench;

	base = kind;
	live_bench_open(&bench, format);
	bench.options.reader_kind = &watching;
	bench.native = true;
	bench.pipeline.limit.duration_ns = 0;
	bench.pipeline.limit.epochs = 2;
	bench.pipeline.request_bytes = 16384;
	bench.pipeline.accelerators.step_ns = distribution_constant(1e5);
	if (live_bench_run(&bench)) {
		print_message("%s\n", bench.fault.text);
	} else {
		assert_true(submits > 100);
		assert_int_equal(calls_last - calls_first, 0);
	}
	live_bench_close(&bench);
}

static void nothing_is_allocated_while_reading(void **state)
{
	void *volatile memory;

	(void)state;
	/* The counting counts. */
	calls_first = atomic_load(&calls);
	memory = malloc(1);
	free(memory);
	assert_int_equal(atomic_load(&calls), calls_first + 2);

	check_quiet("shards", &ring_defer);
	check_quiet("shards", &ring_plain);
	check_quiet("shards", &reader_pool);
	check_quiet("lmdb", &ring_defer);
	check_quiet("zstd-frames", &ring_plain);
	check_quiet("files", &ring_defer);
	check_quiet("files", &reader_pool);
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_allocated_while_reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
