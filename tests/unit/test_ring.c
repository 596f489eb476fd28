/* SPDX-License-Identifier: MIT */
/* What the kernel may refuse, each in a process of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/reader.h"
#include "tests/support/reader_bench.h"

#define CHILD_SKIPPED 77

static int in_child(struct reader_bench *bench,
		    int (*test)(struct reader_bench *bench))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child)
		_exit(test(bench));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Makes io_uring_setup() say "not permitted", as containers do. */
static int forbid_rings(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]),
		.filter = filter,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return -errno;
	return 0;
}

static int check_pread_taken(struct reader_bench *bench)
{
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
	int status = in_child(*state, check_pread_taken);

	if (status == CHILD_SKIPPED)
		skip();
	assert_int_equal(status, 0);
}

static int check_forced_ring_refused(struct reader_bench *bench)
{
	if (forbid_rings())
		return CHILD_SKIPPED;
	if (reader_open(&bench->reader, READER_RING_PLAIN, &bench->setup,
			&bench->fault) != -EPERM)
		return 1;
	return !strstr(bench->fault.text, "io_uring");
}

static void a_ring_that_was_asked_for_is_not_replaced(void **state)
{
	int status = in_child(*state, check_forced_ring_refused);

	if (status == CHILD_SKIPPED)
		skip();
	assert_int_equal(status, 0);
}

static int check_unregistered(struct reader_bench *bench)
{
	const struct rlimit little = {
		.rlim_cur = 256 << 10, .rlim_max = 256 << 10
	}; /* enough for a ring, not for the buffers */
	const struct reader_facts *facts;

	/* The superuser may lock what it likes. */
	if (setrlimit(RLIMIT_MEMLOCK, &little) ||
	    (!getuid() && setresuid(65534, 65534, 65534)))
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
	int status = in_child(*state, check_unregistered);

	if (status == CHILD_SKIPPED)
		skip();
	assert_int_equal(status, 0);
}

#define COPIES 64

static int check_plain_files(struct reader_bench *bench)
{
	const struct rlimit few = { .rlim_cur = 32, .rlim_max = 32 };
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
	if (setrlimit(RLIMIT_NOFILE, &few))
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
	int status = in_child(*state, check_plain_files);

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
