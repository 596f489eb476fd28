/* SPDX-License-Identifier: MIT */
/* A probe of storage that refuses, fails, shrinks or is not there; and that a
 * probe leaves nothing behind and touches nothing, however it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/probe/probe.h"
#include "storage/reader_pool.h"
#include "tests/support/examples.h"
#include "tests/support/faulty_reader.h"
#include "tests/support/temp.h"

#define MIB (UINT64_C(1) << 20)
/* Too small for the large requests, which would only take time. */
#define FILE_BYTES (3 * MIB)

/* A file on a file system that knows no direct reads. */
#define NEVER_DIRECT "/sys/kernel/btf/vmlinux"

/* How a test watches: it stops the probe at a call, and looks into a folder
 * at every one. */
struct watch {
	uint64_t calls;
	uint64_t stop_at; /* 0: never */
	const char *folder;
	unsigned names; /* most that were ever seen in it */
};

static bool look(void *context, const char *what, double done)
{
	struct watch *watch = context;

	assert_non_null(what);
	assert_true(done >= 0);
	assert_true(done <= 1);
	watch->calls++;
	if (watch->folder && watch->calls % 16 == 1) {
		unsigned names = examples_count_names(watch->folder);

		watch->names = names > watch->names ? names : watch->names;
	}
	return !watch->stop_at || watch->calls < watch->stop_at;
}

static struct probe_options options_of(const char *path, struct watch *watch)
{
	return (struct probe_options){
		.path = path,
		.budget_ns = 20000000,
		.seed = 1,
		.kind = &reader_pool,
		.progress = look,
		.context = watch,
	};
}

static unsigned open_files(void)
{
	return examples_count_names("/proc/self/fd");
}

static const char *make_file(const struct temp *temp, const char *name,
			     char *path, size_t bytes)
{
	uint8_t *content = malloc(bytes);

	assert_non_null(content);
	examples_fill(content, bytes, bytes);
	assert_int_equal(temp_write(temp, name, content, bytes), 0);
	free(content);
	return temp_name(temp, name, path);
}

/* Runs a probe that is refused with this error and these words. */
static void refused(const struct probe_options *options, int error,
		    const char *words)
{
	static struct probe_result result;
	struct fault fault = { 0 };
	unsigned files = open_files();

	assert_int_equal(probe_run(options, &result, &fault), error);
	if (!strstr(fault.text, words))
		fail_msg("\"%s\" does not say \"%s\"", fault.text, words);
	assert_string_equal(fault.file, options->path);
	assert_int_equal(open_files(), files);
}

static void measured(const struct probe_options *options,
		     struct probe_result *result)
{
	struct fault fault = { 0 };
	unsigned files = open_files();
	int error = probe_run(options, result, &fault);

	if (error)
		fail_msg("%d: %s", error, fault.text);
	assert_int_equal(open_files(), files);
	assert_true(result->count > 10);
	for (size_t i = 0; i < result->count; i++) {
		const struct probe_measure *measure = &result->measures[i];

		assert_true(measure->rounds > 0);
		assert_true(measure->requests_per_s > 0);
		assert_true(measure->lower_per_s <= measure->requests_per_s);
		assert_true(measure->upper_per_s >= measure->requests_per_s);
	}
}

/* ---- what goes well ---- */

static void a_file_is_measured_and_left_as_it_is(void **state)
{
	struct temp *temp = *state;
	static struct probe_result result;
	char path[TEMP_PATH_MAX];
	struct watch watch = { 0 };
	struct probe_options options = options_of(
		make_file(temp, "data", path, FILE_BYTES + 77), &watch);
	unsigned held_out = 0, alone = 0;
	struct stat before, after;
	uint8_t *content, *expected;
	size_t size;

	assert_int_equal(chmod(path, 0400), 0);
	assert_int_equal(stat(path, &before), 0);
	measured(&options, &result);
	assert_true(result.complete);
	assert_string_equal(result.facts.what, "file");
	assert_string_equal(result.facts.backend, "pread");
	assert_int_equal(result.facts.bytes, FILE_BYTES + 77);
	assert_true(result.latency_ns.count >= 16);
	for (size_t i = 0; i < result.count; i++) {
		held_out += result.measures[i].point.held_out;
		alone += result.measures[i].point.inflight == 1;
		/* Four blocks of 1 MiB do not fit. */
		assert_true(result.measures[i].point.bytes <= MIB / 4);
	}
	assert_true(held_out >= 3);
	assert_true(alone >= 2);
	assert_non_null(strstr(result.facts.notes, "too small"));
	probe_release(&result);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(after.st_size, before.st_size);
	assert_int_equal(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
	assert_int_equal(after.st_ctim.tv_nsec, before.st_ctim.tv_nsec);
	content = examples_read(path, &size);
	expected = malloc(size);
	assert_non_null(expected);
	examples_fill(expected, size, FILE_BYTES + 77);
	assert_memory_equal(content, expected, size);
	free(expected);
	free(content);
}

static void the_largest_files_of_a_folder_are_read(void **state)
{
	struct temp *temp = *state;
	static struct probe_result result;
	char path[TEMP_PATH_MAX], inner[TEMP_PATH_MAX];
	struct watch watch = { 0 };
	struct probe_options options = options_of(temp->path, &watch);

	make_file(temp, "small", path, MIB - 1);
	make_file(temp, "one", path, MIB);
	assert_int_equal(mkdir(temp_name(temp, "inner", inner), 0700), 0);
	make_file(temp, "inner/two", path, 2 * MIB);
	/* Neither followed nor read. */
	assert_int_equal(symlink("one", temp_name(temp, "link", path)), 0);
	assert_int_equal(mkfifo(temp_name(temp, "pipe", path), 0600), 0);
	measured(&options, &result);
	assert_string_equal(result.facts.what, "files");
	assert_int_equal(result.facts.files, 2);
	assert_int_equal(result.facts.bytes, 3 * MIB);
	probe_release(&result);
}

/* Where there are no larger ones, as long as they come to a mebibyte. */
static void small_files_are_read_together(void **state)
{
	struct temp *temp = *state;
	static struct probe_result result;
	char path[TEMP_PATH_MAX], name[16];
	struct watch watch = { 0 };
	struct probe_options options = options_of(temp->path, &watch);

	for (unsigned i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "%u", i);
		make_file(temp, name, path, i ? 100000 : 4095);
	}
	measured(&options, &result);
	assert_int_equal(result.facts.files, 19);
	assert_int_equal(result.facts.bytes, 1900000);
	assert_non_null(
		strstr(result.facts.notes, "files are smaller than 1 MiB"));
	for (size_t i = 0; i < result.count; i++)
		assert_true(result.measures[i].point.bytes <= 65536);
	probe_release(&result);
}

static void of_many_files_the_largest_are_kept(void **state)
{
	struct temp *temp = *state;
	static struct probe_result result;
	struct watch watch = { 0 };
	struct probe_options options = options_of(temp->path, &watch);
	char path[TEMP_PATH_MAX], name[16];
	uint64_t expected = 0;

	/* 518 files of 1 MiB and some blocks: the 512 largest. */
	for (unsigned i = 0; i < 518; i++) {
		unsigned blocks = i * 41 % 518;

		snprintf(name, sizeof(name), "%u", i);
		make_file(temp, name, path, 0);
		assert_int_equal(truncate(path, (off_t)(MIB + blocks * 4096)),
				 0);
		if (blocks >= 6)
			expected += MIB + blocks * 4096;
	}
	measured(&options, &result);
	assert_int_equal(result.facts.files, 512);
	assert_int_equal(result.facts.bytes, expected);
	assert_non_null(strstr(result.facts.notes, "mostly holes"));
	probe_release(&result);
}

static void a_test_file_has_no_name_and_is_gone(void **state)
{
	struct temp *temp = *state;
	static struct probe_result result;
	struct watch watch = { .folder = temp->path };
	struct probe_options options = options_of(temp->path, &watch);

	options.create_bytes = FILE_BYTES;
	measured(&options, &result);
	assert_string_equal(result.facts.what, "test file");
	assert_int_equal(result.facts.bytes, FILE_BYTES);
	assert_int_equal(watch.names, 0);
	assert_int_equal(examples_count_names(temp->path), 0);
	probe_release(&result);
}

static void a_soak_gives_a_rate_for_each_period(void **state)
{
	struct temp *temp = *state;
	static struct probe_result result;
	struct watch watch = { 0 };
	struct probe_options options = options_of(temp->path, &watch);
	double sum = 0;

	options.create_bytes = 40 * MIB;
	options.soak = true;
	/* Half of it is the soak: longer than a shared disk stalls. */
	options.budget_ns = 40 * PROBE_SOAK_PERIOD_NS;
	measured(&options, &result);
	assert_int_equal(result.soak_count, 20);
	for (size_t i = 0; i < result.soak_count; i++)
		sum += result.soak_bytes_per_s[i];
	assert_true(sum > 0);
	probe_release(&result);
	assert_null(result.soak_bytes_per_s);
}

static void buffered_reads_are_taken_where_direct_ones_are_refused(void **state)
{
	static struct probe_result result;
	struct watch watch = { 0 };
	struct probe_options options = options_of(NEVER_DIRECT, &watch);

	(void)state;
	if (access(NEVER_DIRECT, R_OK) != 0)
		skip();
	measured(&options, &result);
	assert_false(result.facts.direct);
	assert_non_null(strstr(result.facts.notes, "O_DIRECT"));
	probe_release(&result);
	options.cache = PROBE_DIRECT;
	refused(&options, -EOPNOTSUPP, "O_DIRECT");
}

/* ---- what does not ---- */

static void what_is_no_storage_is_refused(void **state)
{
	struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct watch watch = { 0 };
	struct probe_options options = options_of(temp->path, &watch);

	refused(&options, -EINVAL, "at least 1 MiB in files of 4 KiB or more");
	options.path = temp_name(temp, "nowhere", path);
	refused(&options, -ENOENT, "No such file");
	options.path = "/dev/null";
	refused(&options, -EINVAL, "a file, a folder or a block device");
	options.path = temp_name(temp, "pipe", path);
	assert_int_equal(mkfifo(path, 0600), 0);
	refused(&options, -EINVAL, "a file, a folder or a block device");
	options.path = make_file(temp, "tiny", path, MIB - 1);
	refused(&options, -EINVAL, "too few to measure with");
	options.create_bytes = FILE_BYTES;
	refused(&options, -ENOTDIR, "makes a file in a folder");
	options.create_bytes = 0;
	options.path = make_file(temp, "short", path, FILE_BYTES);
	options.soak = true;
	refused(&options, -EINVAL, "too small to soak");
}

static void what_may_not_be_read_is_refused(void **state)
{
	struct temp *temp = *state;
	char folder[TEMP_PATH_MAX], path[TEMP_PATH_MAX];
	struct watch watch = { 0 };
	struct probe_options options = options_of(path, &watch);

	assert_int_equal(mkdir(temp_name(temp, "inner", folder), 0755), 0);
	make_file(temp, "inner/data", path, FILE_BYTES);
	assert_int_equal(chmod(path, 0), 0);
	examples_be_nobody(temp);
	refused(&options, -EACCES, "cannot be read: Permission denied");
	options.path = folder;
	refused(&options, -EACCES, "nothing in it can be read");
	options.create_bytes = FILE_BYTES;
	refused(&options, -EACCES, "a test file cannot be made");
	examples_be_oneself();
}

/* Wherever a probe is stopped, it says so and leaves nothing. */
static void a_probe_stops_when_it_is_asked_to(void **state)
{
	struct temp *temp = *state;
	struct watch watch = { .folder = temp->path };
	struct probe_options options = options_of(temp->path, &watch);

	options.create_bytes = FILE_BYTES;
	for (watch.stop_at = 1; watch.stop_at < 40;
	     watch.stop_at += watch.stop_at / 2 + 1) {
		watch.calls = 0;
		refused(&options, -EINTR, "stopped before");
		assert_int_equal(watch.calls, watch.stop_at);
		assert_int_equal(watch.names, 0);
		assert_int_equal(examples_count_names(temp->path), 0);
	}
}

static void a_read_that_fails_ends_the_probe(void **state)
{
	struct temp *temp = *state;
	struct watch watch = { 0 };
	struct probe_options options = options_of(temp->path, &watch);
	static const int errors[] = { -EIO, -EINVAL, -ENODEV };

	options.create_bytes = FILE_BYTES;
	options.kind = &faulty_reader;
	for (unsigned i = 0; i < 3; i++) {
		memset(&faulty, 0, sizeof(faulty));
		faulty.fail_attempt = 1 + 40 * i;
		faulty.fail_error = errors[i];
		refused(&options, -EIO, "a read failed");
		assert_true(faulty.closed);
		assert_int_equal(examples_count_names(temp->path), 0);
	}
}

static char shrinking[TEMP_PATH_MAX];

static void shrink(void)
{
	assert_int_equal(truncate(shrinking, 4096), 0);
}

static void a_file_that_shrinks_ends_the_probe(void **state)
{
	struct temp *temp = *state;
	struct watch watch = { 0 };
	struct probe_options options = options_of(
		make_file(temp, "data", shrinking, FILE_BYTES), &watch);

	options.kind = &faulty_reader;
	memset(&faulty, 0, sizeof(faulty));
	faulty.act_attempt = 100;
	faulty.act = shrink;
	refused(&options, -EIO, "a read failed");
}

static void interrupted_attempts_are_made_again(void **state)
{
	struct temp *temp = *state;
	static struct probe_result result;
	char path[TEMP_PATH_MAX];
	struct watch watch = { 0 };
	struct probe_options options =
		options_of(make_file(temp, "data", path, FILE_BYTES), &watch);

	options.kind = &faulty_reader;
	memset(&faulty, 0, sizeof(faulty));
	faulty.interrupt_every = 7;
	measured(&options, &result);
	probe_release(&result);
}

static void a_back_end_that_is_not_granted_is_a_fault(void **state)
{
	struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	static struct probe_result result;
	struct watch watch = { 0 };
	struct fault fault = { 0 };
	struct probe_options options =
		options_of(make_file(temp, "data", path, FILE_BYTES), &watch);

	options.kind = &faulty_reader;
	memset(&faulty, 0, sizeof(faulty));
	faulty.open_error = -EPERM;
	assert_int_equal(probe_run(&options, &result, &fault), -EPERM);
	assert_non_null(strstr(fault.text, "faulty"));
	memset(&faulty, 0, sizeof(faulty));
}

/* A limit of this process's files stands in for a full disk. */
static void a_test_file_that_finds_no_room_leaves_nothing(void **state)
{
	struct temp *temp = *state;
	const struct rlimit limit = { MIB, MIB };
	struct watch watch = { 0 };
	struct probe_options options = options_of(temp->path, &watch);
	int status;
	pid_t child;

	options.create_bytes = FILE_BYTES;
	child = fork();
	if (child == 0) {
		struct sigaction ignore = { .sa_handler = SIG_IGN };
		static struct probe_result result;
		struct fault fault = { 0 };

		sigaction(SIGXFSZ, &ignore, NULL);
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(probe_run(&options, &result, &fault) == -EFBIG &&
				      strstr(fault.text, "test file cannot be "
							 "written") ?
			      0 :
			      1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(examples_count_names(temp->path), 0);
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, temp_setup, temp_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_is_measured_and_left_as_it_is),
		TEST(the_largest_files_of_a_folder_are_read),
		TEST(small_files_are_read_together),
		TEST(of_many_files_the_largest_are_kept),
		TEST(a_test_file_has_no_name_and_is_gone),
		TEST(a_soak_gives_a_rate_for_each_period),
		TEST(buffered_reads_are_taken_where_direct_ones_are_refused),
		TEST(what_is_no_storage_is_refused),
		TEST(what_may_not_be_read_is_refused),
		TEST(a_probe_stops_when_it_is_asked_to),
		TEST(a_read_that_fails_ends_the_probe),
		TEST(a_file_that_shrinks_ends_the_probe),
		TEST(interrupted_attempts_are_made_again),
		TEST(a_back_end_that_is_not_granted_is_a_fault),
		TEST(a_test_file_that_finds_no_room_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
