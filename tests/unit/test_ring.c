/* SPDX-License-Identifier: MIT */
/* What the kernel may refuse, each in a process of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "storage/reader.h"
#include "tests/support/limits.h"
#include "tests/support/reader_bench.h"

static int check_pread_taken(void *context)
{
	struct reader_bench *bench = context;
	const struct reader_facts *facts;

	if (forbid_rings())
		return CHILD_SKIPPED;
	if (reader_open(&bench->reader, READER_ANY, &bench->setup,
			&bench->fault))
		return 1;
	facts = reader_facts(bench->reader);
	if (strcmp(facts->backend, "pread"))
		return 2;
	if (!strstr(facts->notes, "Operation not permitted"))
		return 3;
	bench_read_everything(bench);
	bench_close(bench);
	return 0;
}

static void without_rings_threads_read_and_the_notes_say_why(void **state)
{
	int status = in_child(check_pread_taken, *state);

	if (status == CHILD_SKIPPED)
		skip();
	assert_int_equal(status, 0);
}

static int check_forced_ring_refused(void *context)
{
	struct reader_bench *bench = context;
	if (forbid_rings())
		return CHILD_SKIPPED;
	if (reader_open(&bench->reader, READER_RING_PLAIN, &bench->setup,
			&bench->fault) != -EPERM)
		return 1;
	if (!strstr(bench->fault.text, "io_uring"))
		return 2;
	bench->fault.text[0] = '\0';
	if (reader_open(&bench->reader, READER_RING_ANY, &bench->setup,
			&bench->fault) != -EPERM)
		return 3;
	return strcmp(bench->fault.text, "cannot read through io_uring: "
					 "Operation not permitted") != 0;
}

static void a_ring_that_was_asked_for_is_not_replaced(void **state)
{
	int status = in_child(check_forced_ring_refused, *state);

	if (status == CHILD_SKIPPED)
		skip();
	assert_int_equal(status, 0);
}

static int check_unregistered(void *context)
{
	struct reader_bench *bench = context;
	const struct reader_facts *facts;

	/* Enough for a ring, not for the buffers. The superuser may lock what
	 * it likes. */
	if (limit_resource(RLIMIT_MEMLOCK, 256 << 10) || become_nobody())
		return CHILD_SKIPPED;
	if (reader_open(&bench->reader, READER_ANY, &bench->setup,
			&bench->fault))
		return 1;
	facts = reader_facts(bench->reader);
	if (!strcmp(facts->backend, "pread"))
		return CHILD_SKIPPED;
	if (facts->buffers_registered)
		return 2;
	if (!strstr(facts->notes, "512 KiB needed, RLIMIT_MEMLOCK 256 KiB"))
		return 3;
	bench_read_everything(bench);
	bench_close(bench);
	return 0;
}

static void with_little_locked_memory_reads_still_work(void **state)
{
	int status = in_child(check_unregistered, *state);

	if (status == CHILD_SKIPPED)
		skip();
	assert_int_equal(status, 0);
}

#define COPIES 64

static int check_plain_files(void *context)
{
	struct reader_bench *bench = context;
	struct reader_request request = {
		.file = COPIES - 1,
		.bytes = BENCH_SLOT_BYTES,
		.needed_bytes = BENCH_SLOT_BYTES,
	};
	int files[COPIES];

	for (int i = 0; i < COPIES; i++)
		files[i] = bench->file;
	bench->setup.files = files;
	bench->setup.file_count = COPIES;
	if (limit_resource(RLIMIT_NOFILE, 32))
		return CHILD_SKIPPED;
	if (!bench_open(bench, READER_RING_PLAIN))
		return CHILD_SKIPPED;
	if (reader_facts(bench->reader)->files_registered)
		return 1;
	if (!strstr(reader_facts(bench->reader)->notes, "files"))
		return 2;
	reader_submit(bench->reader, &request);
	if (bench_next(bench).error)
		return 3;
	bench_check(bench, 0, 0, BENCH_SLOT_BYTES);
	bench_close(bench);
	return 0;
}

static void files_that_are_not_registered_are_read_all_the_same(void **state)
{
	int status = in_child(check_plain_files, *state);

	if (status == CHILD_SKIPPED)
		skip();
	assert_int_equal(status, 0);
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, bench_setup, bench_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_rings_threads_read_and_the_notes_say_why),
		TEST(a_ring_that_was_asked_for_is_not_replaced),
		TEST(with_little_locked_memory_reads_still_work),
		TEST(files_that_are_not_registered_are_read_all_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
