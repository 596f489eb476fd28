/* SPDX-License-Identifier: MIT */
/*
 * Each read of an opening fails once, as a bad sector lets it: that is the
 * world's trouble, not damage and not the person's mistake, and its errno is
 * what the caller gets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "storage/dataset/dataset.h"
#include "tests/support/live_bench.h"

static unsigned reads;
static unsigned failing; /* the how manieth read; 0: none */

/* In the place of the C library's. */
ssize_t pread(int fd, void *to, size_t size, off_t offset);
ssize_t pread(int fd, void *to, size_t size, off_t offset)
{
	if (++reads == failing) {
		errno = EIO;
		return -1;
	}
	return syscall(SYS_pread64, fd, to, size, offset);
}

/* `looks`: what is there is looked at first for what else it might be, and a
 * look that fails says nothing. */
static void each_failing_read_is_the_worlds(const char *format, bool looks)
{
	struct live_bench bench;
	struct dataset *dataset;
	struct fault fault;
	unsigned all, number;
	int error;

	live_bench_open(&bench, format);
	reads = failing = 0;
	assert_int_equal(dataset_open(&dataset, bench.path, NULL, false, NULL),
			 0);
	dataset_close(dataset);
	all = reads;
	assert_true(all > 3);
	/* The first few, the last few, and some between. */
	for (number = 1; number <= all;
	     number += number < 20 || number + 20 > all ? 1 : all / 50 + 1) {
		reads = 0;
		failing = number;
		memset(&fault, 0, sizeof(fault));
		error = dataset_open(&dataset, bench.path, NULL, false, &fault);
		if (!error && looks)
			dataset_close(dataset);
		if (!error && looks)
			continue;
		assert_int_equal(error, -EIO);
		assert_non_null(strstr(fault.text, strerror(EIO)));
	}
	failing = 0;
	live_bench_close(&bench);
}

static void a_read_of_shards_keeps_its_errno(void **state)
{
	(void)state;
	each_failing_read_is_the_worlds("shards", false);
}

static void a_read_of_lmdb_keeps_its_errno(void **state)
{
	(void)state;
	each_failing_read_is_the_worlds("lmdb", false);
}

static void a_read_of_an_environment_keeps_its_errno(void **state)
{
	(void)state;
	each_failing_read_is_the_worlds("lmdb-environment", false);
}

static void a_read_of_seekable_files_keeps_its_errno(void **state)
{
	(void)state;
	each_failing_read_is_the_worlds("zstd-seekable", true);
}

static void a_read_of_frames_keeps_its_errno(void **state)
{
	(void)state;
	each_failing_read_is_the_worlds("zstd-frames", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_read_of_shards_keeps_its_errno),
		cmocka_unit_test(a_read_of_lmdb_keeps_its_errno),
		cmocka_unit_test(a_read_of_an_environment_keeps_its_errno),
		cmocka_unit_test(a_read_of_seekable_files_keeps_its_errno),
		cmocka_unit_test(a_read_of_frames_keeps_its_errno),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
