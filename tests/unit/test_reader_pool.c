/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "storage/reader_pool.h"
#include "tests/support/reader_bench.h"

#define SMALL_BYTES 512
#define SMALL_SLOTS (BENCH_SLOTS * BENCH_SLOT_BYTES / SMALL_BYTES)

static void more_reads_than_threads_wait_their_turn(void **state)
{
	struct reader_bench *bench = *state;
	bool seen[SMALL_SLOTS] = { false };

	bench->setup.slot_bytes = SMALL_BYTES;
	bench->setup.slot_count = SMALL_SLOTS;
	bench->setup.inflight_max = SMALL_SLOTS;
	bench_open_kind(bench, &reader_pool);
	assert_non_null(
		strstr(reader_facts(bench->reader)->notes, "256 threads"));
	for (uint32_t i = 0; i < SMALL_SLOTS; i++)
		bench_submit(bench, i, i * SMALL_BYTES, SMALL_BYTES);
	for (uint32_t i = 0; i < SMALL_SLOTS; i++) {
		struct reader_done done = bench_next(bench);

		assert_int_equal(done.error, 0);
		assert_false(seen[done.slot]);
		seen[done.slot] = true;
		assert_memory_equal(bench->memory + done.slot * SMALL_BYTES,
				    bench->content + done.slot * SMALL_BYTES,
				    SMALL_BYTES);
	}
	bench_close(bench);
}

static void a_read_of_a_bad_descriptor_says_so(void **state)
{
	struct reader_bench *bench = *state;
	int bad = -1;

	bench->setup.files = &bad;
	bench_open_kind(bench, &reader_pool);
	bench_submit(bench, 0, 0, BENCH_SLOT_BYTES);
	assert_int_equal(bench_next(bench).error, -EBADF);
	bench_close(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			more_reads_than_threads_wait_their_turn, bench_setup,
			bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_read_of_a_bad_descriptor_says_so, bench_setup,
			bench_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
