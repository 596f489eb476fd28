/* SPDX-License-Identifier: MIT */
/*
 * A disk that is full, at every point of packing at which it can be: a file
 * size limit cuts each file's writing short, and a small file system of its
 * own, where one can be mounted, runs out of space in earnest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/pack/pack.h"
#include "tests/support/examples.h"
#include "tests/support/temp.h"

/* What a child found: as its exit status, so none that it has otherwise. */
enum outcome {
	OUTCOME_MADE = 40,
	OUTCOME_REFUSED,
	OUTCOME_WRONG,
	OUTCOME_CANNOT_TELL,
};

static struct pack_options synthetic(const char *target, const char *format)
{
	return (struct pack_options){
		.target = target,
		.format = format,
		.synthetic_examples = 100,
		.synthetic_bytes = distribution_constant(20000),
		.synthetic_ratio = 2,
		.block_bytes = 65536,
		.shard_examples = 40,
		.level = 1,
	};
}

/* Packs; a refusal must be that error and leave nothing behind. */
static enum outcome try_pack(const char *folder, const char *format,
			     int expected)
{
	char target[TEMP_PATH_MAX];
	struct pack_options options;
	struct pack_result result;
	struct fault fault = { 0 };
	int error;

	snprintf(target, sizeof(target), "%s/set", folder);
	options = synthetic(target, format);
	error = pack_run(&options, &result, &fault);
	if (!error)
		return OUTCOME_MADE;
	if (error != expected || !strstr(fault.text, strerror(-expected))) {
		print_error("%d: %s\n", error, fault.text);
		return OUTCOME_WRONG;
	}
	return examples_count_names(folder) == 0 ? OUTCOME_REFUSED :
						   OUTCOME_WRONG;
}

/* cmocka would make a failed test of a signal, and go on with the others. */
static void be_mortal(void)
{
	static const int signals[] = { SIGBUS, SIGSEGV, SIGABRT };

	for (unsigned index = 0; index < 3; index++) {
		struct sigaction usual = { .sa_handler = SIG_DFL };

		sigaction(signals[index], &usual, NULL);
	}
}

static enum outcome wait_for(pid_t child)
{
	int status;

	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_in_range(WEXITSTATUS(status), OUTCOME_MADE, OUTCOME_CANNOT_TELL);
	return (enum outcome)WEXITSTATUS(status);
}

static enum outcome with_file_limit(const struct temp *temp, const char *format,
				    rlim_t bytes)
{
	pid_t child = fork();

	if (child == 0) {
		const struct rlimit limit = { bytes, bytes };
		struct sigaction ignore = { .sa_handler = SIG_IGN };

		be_mortal();
		sigaction(SIGXFSZ, &ignore, NULL);
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit((int)try_pack(temp->path, format, -EFBIG));
	}
	return wait_for(child);
}

static void files_that_cannot_grow(struct temp *temp, const char *format)
{
	unsigned refused = 0;
	rlim_t bytes;

	for (bytes = 0; bytes < 4000000; bytes = bytes * 5 / 4 + 500) {
		enum outcome outcome = with_file_limit(temp, format, bytes);

		assert_int_not_equal(outcome, OUTCOME_WRONG);
		if (outcome == OUTCOME_MADE)
			break;
		refused++;
	}
	assert_true(refused > 5);
	assert_true(bytes < 4000000);
}

static void a_shard_that_cannot_grow_leaves_nothing_behind(void **state)
{
	files_that_cannot_grow(*state, "shards");
}

static void an_lmdb_file_that_cannot_grow_leaves_nothing_behind(void **state)
{
	files_that_cannot_grow(*state, "lmdb");
}

/* A file system of that size, seen by this process alone. */
static int mount_small(const char *path, unsigned kibibytes)
{
	char options[32];

	snprintf(options, sizeof(options), "size=%uk", kibibytes);
	if (unshare(CLONE_NEWNS) != 0)
		return -errno;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		return -errno;
	if (mount("none", path, "tmpfs", 0, options) != 0)
		return -errno;
	return 0;
}

static enum outcome on_small_disk(const struct temp *temp, const char *format,
				  unsigned kibibytes)
{
	pid_t child = fork();

	if (child == 0) {
		be_mortal();
		if (mount_small(temp->path, kibibytes) != 0)
			_exit(OUTCOME_CANNOT_TELL);
		_exit((int)try_pack(temp->path, format, -ENOSPC));
	}
	return wait_for(child);
}

static void a_full_disk(struct temp *temp, const char *format)
{
	unsigned refused = 0;
	unsigned kibibytes;

	for (kibibytes = 4; kibibytes < 4000;
	     kibibytes = kibibytes * 5 / 4 + 4) {
		enum outcome outcome = on_small_disk(temp, format, kibibytes);

		if (outcome == OUTCOME_CANNOT_TELL) {
			print_message("no file system may be mounted here\n");
			skip();
		}
		assert_int_not_equal(outcome, OUTCOME_WRONG);
		if (outcome == OUTCOME_MADE)
			break;
		refused++;
	}
	assert_true(refused > 5);
	assert_true(kibibytes < 4000);
}

static void a_full_disk_leaves_nothing_of_shards_behind(void **state)
{
	a_full_disk(*state, "shards");
}

static void a_full_disk_leaves_nothing_of_an_lmdb_dataset_behind(void **state)
{
	a_full_disk(*state, "lmdb");
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, temp_setup, temp_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_shard_that_cannot_grow_leaves_nothing_behind),
		TEST(an_lmdb_file_that_cannot_grow_leaves_nothing_behind),
		TEST(a_full_disk_leaves_nothing_of_shards_behind),
		TEST(a_full_disk_leaves_nothing_of_an_lmdb_dataset_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
