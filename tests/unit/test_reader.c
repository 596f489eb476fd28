/* SPDX-License-Identifier: MIT */
/* Every back end that this kernel grants must give the same bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "storage/reader.h"
#include "storage/workers.h"
#include "tests/support/faulty_reader.h"
#include "tests/support/reader_bench.h"

#define BLOCK 512 /* of direct I/O */

static void every_back_end_reads_the_same_bytes(void **state)
{
	struct reader_bench *bench = *state;
	int backend;

	for (backend = READER_ANY; backend <= READER_PREAD; backend++) {
		if (!bench_open(bench, backend))
			continue;
		bench_read_everything(bench);
		assert_int_equal(reader_facts(bench->reader)->bytes,
				 BENCH_FILE_BYTES);
		assert_int_equal(reader_facts(bench->reader)->resumed, 0);
		bench_close(bench);
	}
}

static void every_back_end_reads_directly(void **state)
{
	struct reader_bench *bench = *state;
	char path[TEMP_PATH_MAX];
	int backend;
	int direct;

	direct = open(temp_name(&bench->temp, "data", path),
		      O_RDONLY | O_DIRECT);
	if (direct < 0)
		skip();
	bench->setup.files = &direct;
	bench->setup.alignment_bytes = BLOCK;
	for (backend = READER_ANY; backend <= READER_PREAD; backend++) {
		if (!bench_open(bench, backend))
			continue;
		bench_read_everything(bench);
		bench_close(bench);
	}
	close(direct);
}

static void a_request_may_be_one_byte_or_begin_anywhere(void **state)
{
	struct reader_bench *bench = *state;
	struct reader_done done;
	uint64_t offset;

	assert_true(bench_open(bench, READER_ANY));
	for (offset = 0; offset < BENCH_FILE_BYTES; offset += 9973) {
		bench_submit(bench, 3, offset, 1 + offset % 700);
		done = bench_next(bench);
		assert_int_equal(done.error, 0);
		bench_check(bench, 3, offset, 1 + offset % 700);
	}
	bench_close(bench);
}

static void short_reads_are_resumed_to_the_last_byte(void **state)
{
	static const uint32_t lengths[] = { 511,  512,	513,   1000,
					    4095, 4096, 10000, 16383 };
	struct reader_bench *bench = *state;
	size_t i;

	bench->setup.alignment_bytes = BLOCK;
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		faulty = (struct faulty){ .bytes_max = lengths[i] };
		if (lengths[i] < BLOCK)
			bench->setup.alignment_bytes = 1;
		bench_open_kind(bench, &faulty_reader);
		bench_read_everything(bench);
		assert_true(reader_facts(bench->reader)->resumed > 0);
		bench_close(bench);
		bench->setup.alignment_bytes = BLOCK;
	}
}

static void a_resumed_read_starts_at_an_aligned_place(void **state)
{
	struct reader_bench *bench = *state;
	char path[TEMP_PATH_MAX];
	int direct;

	/* Direct I/O itself refuses any other. */
	direct = open(temp_name(&bench->temp, "data", path),
		      O_RDONLY | O_DIRECT);
	if (direct < 0)
		skip();
	bench->setup.files = &direct;
	bench->setup.alignment_bytes = BLOCK;
	faulty.bytes_max = 1500;
	bench_open_kind(bench, &faulty_reader);
	bench_read_everything(bench);
	bench_close(bench);
	close(direct);
}

static void interrupted_reads_are_made_again(void **state)
{
	struct reader_bench *bench = *state;

	faulty.interrupt_every = 2;
	bench_open_kind(bench, &faulty_reader);
	bench_read_everything(bench);
	bench_close(bench);
}

static void a_read_over_the_end_brings_the_tail(void **state)
{
	struct reader_bench *bench = *state;
	uint64_t offset = BENCH_FILE_BYTES / BLOCK * BLOCK;
	struct reader_done done;

	bench->setup.alignment_bytes = BLOCK;
	bench_open_kind(bench, &faulty_reader);
	bench_submit(bench, 0, offset, BLOCK);
	done = bench_next(bench);
	assert_int_equal(done.error, 0);
	bench_check(bench, 0, offset, BLOCK);
	assert_int_equal(faulty.attempts, 1);
	bench_close(bench);
}

/* What a request of 4096 bytes ends with when its file has become shorter. */
static int error_of_cut_file(struct reader_bench *bench, off_t size)
{
	struct reader_done done;
	int direct;
	char path[TEMP_PATH_MAX];

	direct = open(temp_name(&bench->temp, "data", path),
		      O_RDONLY | O_DIRECT);
	assert_int_equal(ftruncate(bench->file, size), 0);
	if (direct >= 0)
		bench->setup.files = &direct;
	bench_open_kind(bench, &faulty_reader);
	bench_submit(bench, 0, 0, 4096);
	done = bench_next(bench);
	bench_close(bench);
	if (direct >= 0)
		close(direct);
	bench->setup.files = &bench->file;
	assert_true(faulty.attempts < 10);
	return done.error;
}

static void a_file_cut_meanwhile_is_an_error_wherever_it_is_cut(void **state)
{
	static const off_t sizes[] = { 4095, 3584, 3583, 1000, 512, 511, 1, 0 };
	struct reader_bench *bench = *state;
	size_t i;

	bench->setup.alignment_bytes = BLOCK;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		faulty = (struct faulty){ 0 };
		assert_int_equal(error_of_cut_file(bench, sizes[i]), -ENODATA);
	}
}

static void an_error_is_told_with_its_request(void **state)
{
	struct reader_bench *bench = *state;
	struct reader_done done;
	uint32_t failed = 0;
	uint32_t i;

	faulty.fail_attempt = 3;
	faulty.fail_error = -EIO;
	bench_open_kind(bench, &faulty_reader);
	for (i = 0; i < 4; i++)
		bench_submit(bench, i, i * BENCH_SLOT_BYTES, BENCH_SLOT_BYTES);
	for (i = 0; i < 4; i++) {
		done = bench_next(bench);
		if (!done.error)
			continue;
		assert_int_equal(done.error, -EIO);
		assert_int_equal(done.slot, 2);
		failed++;
	}
	assert_int_equal(failed, 1);
	bench_close(bench);
}

static void a_post_ends_a_wait_that_nothing_else_would_end(void **state)
{
	struct reader_bench *bench = *state;
	int backend;

	for (backend = READER_ANY; backend <= READER_PREAD; backend++) {
		if (!bench_open(bench, backend))
			continue;
		reader_wake_post(&bench->wake);
		assert_int_equal(reader_wait(bench->reader, INT64_MAX / 2), 0);
		bench_close(bench);
	}
}

/* A worker whose job is over only once the reader's thread sleeps. */
static void wait_for_sleep(void *context, uint32_t worker, uint32_t job)
{
	struct reader_wake *wake = context;

	(void)worker;
	(void)job;
	while (!atomic_load(&wake->asleep))
		sched_yield();
}

static void a_worker_wakes_the_thread_that_waits_for_reads(void **state)
{
	struct reader_bench *bench = *state;
	struct workers *workers;
	uint32_t job;
	int64_t at_ns;
	int backend;

	assert_int_equal(workers_start(&workers, 1, 1, wait_for_sleep,
				       &bench->wake, &bench->wake),
			 0);
	for (backend = READER_ANY; backend <= READER_PREAD; backend++) {
		if (!bench_open(bench, backend))
			continue;
		for (int i = 0; i < 100; i++) {
			workers_put(workers, 0);
			workers_wake(workers);
			while (!workers_take(workers, &job, &at_ns))
				assert_int_equal(reader_wait(bench->reader,
							     INT64_MAX / 2),
						 0);
		}
		bench_close(bench);
	}
	workers_stop(workers);
}

static void closing_waits_for_what_is_in_flight(void **state)
{
	struct reader_bench *bench = *state;
	uint32_t i;
	int backend;

	for (backend = READER_ANY; backend <= READER_PREAD; backend++) {
		if (!bench_open(bench, backend))
			continue;
		for (i = 0; i < BENCH_SLOTS; i++)
			bench_submit(bench, i, i * BENCH_SLOT_BYTES,
				     BENCH_SLOT_BYTES);
		bench_close(bench);
	}
}

static void closing_gives_up_on_a_read_that_never_ends(void **state)
{
	struct reader_bench *bench = *state;

	faulty.swallow_attempt = 1;
	bench_open_kind(bench, &faulty_reader);
	bench_submit(bench, 0, 0, BENCH_SLOT_BYTES);
	assert_int_equal(reader_wait(bench->reader, 0), 0);
	assert_int_equal(reader_close(bench->reader, 1), -ETIMEDOUT);
	assert_false(faulty.closed);
	faulty_let_go();
	bench_close(bench);
	assert_true(faulty.closed);
}

static void
closing_does_not_go_on_with_a_read_that_is_not_finished(void **state)
{
	struct reader_bench *bench = *state;

	faulty.interrupt_every = 1;
	bench_open_kind(bench, &faulty_reader);
	bench_submit(bench, 0, 0, BENCH_SLOT_BYTES);
	bench_close(bench);
	assert_int_equal(faulty.attempts, 1);
}

static void more_in_flight_than_can_be_is_refused(void **state)
{
	struct reader_bench *bench = *state;

	bench->setup.inflight_max = READER_INFLIGHT_MAX + 1;
	assert_int_equal(reader_open(&bench->reader, READER_ANY, &bench->setup,
				     &bench->fault),
			 -EINVAL);
	assert_non_null(strstr(bench->fault.text, "16384"));
}

static void a_back_end_that_was_asked_for_is_not_replaced(void **state)
{
	struct reader_bench *bench = *state;

	faulty.open_error = -EPERM;
	assert_int_equal(reader_open_kind(&bench->reader, &faulty_reader,
					  &bench->setup, &bench->fault),
			 -EPERM);
	assert_non_null(strstr(bench->fault.text, "faulty"));
}

static void back_ends_have_names_for_people(void **state)
{
	enum reader_backend backend = READER_PREAD;

	(void)state;
	assert_int_equal(reader_backend_parse("auto", &backend), 0);
	assert_int_equal(backend, READER_ANY);
	assert_int_equal(reader_backend_parse("uring", &backend), 0);
	assert_int_equal(backend, READER_RING_ANY);
	assert_int_equal(reader_backend_parse("pread", &backend), 0);
	assert_int_equal(backend, READER_PREAD);
	assert_int_equal(reader_backend_parse("io_uring", &backend), -EINVAL);
	assert_int_equal(reader_backend_parse("", &backend), -EINVAL);
}

static void notes_stop_where_their_room_ends(void **state)
{
	struct reader_facts facts = { 0 };
	int i;

	(void)state;
	for (i = 0; i < 100; i++)
		reader_note(&facts, "something", "was not granted");
	assert_int_equal(strlen(facts.notes), sizeof(facts.notes) - 1);
	assert_int_equal(strncmp(facts.notes,
				 "something: was not granted\nsomething: ", 38),
			 0);
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, bench_setup, bench_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_back_end_reads_the_same_bytes),
		TEST(every_back_end_reads_directly),
		TEST(a_request_may_be_one_byte_or_begin_anywhere),
		TEST(short_reads_are_resumed_to_the_last_byte),
		TEST(a_resumed_read_starts_at_an_aligned_place),
		TEST(interrupted_reads_are_made_again),
		TEST(a_read_over_the_end_brings_the_tail),
		TEST(a_file_cut_meanwhile_is_an_error_wherever_it_is_cut),
		TEST(an_error_is_told_with_its_request),
		TEST(a_post_ends_a_wait_that_nothing_else_would_end),
		TEST(a_worker_wakes_the_thread_that_waits_for_reads),
		TEST(closing_waits_for_what_is_in_flight),
		TEST(closing_gives_up_on_a_read_that_never_ends),
		TEST(closing_does_not_go_on_with_a_read_that_is_not_finished),
		TEST(more_in_flight_than_can_be_is_refused),
		TEST(a_back_end_that_was_asked_for_is_not_replaced),
		TEST(back_ends_have_names_for_people),
		TEST(notes_stop_where_their_room_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
