/* SPDX-License-Identifier: MIT */
/*
 * What the world around a live run may refuse it: rings, locked memory, open
 * files, writing; and datasets of unusual size or in unusual places.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "storage/pack/pack.h"
#include "tests/support/limits.h"
#include "tests/support/live_bench.h"
#include "tests/support/program.h"
#include "tests/support/temp.h"

#ifdef __SANITIZE_THREAD__
/* Packing has transactions of two LMDB environments open, begun now in this
 * order and now in that; but they are its own, and it is one thread. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
	return "deadlock:liblmdb";
}
#endif

static void open_bench(struct live_bench *bench, const char *format)
{
	live_bench_open(bench, format);
	bench->pipeline.limit.duration_ns = 0;
	bench->pipeline.limit.epochs = 1;
	bench->pipeline.accelerators.step_ns = distribution_constant(1e5);
	bench->native = true;
}

static const char *const formats[] = { "shards",	   "lmdb",
				       "lmdb-environment", "zstd-seekable",
				       "zstd-frames",	   "files" };

#define FORMATS (sizeof(formats) / sizeof(formats[0]))
#define FORMATS_OPEN 5 /* files stay open */

/* A child's claims in the first formats; each dataset is open beforehand. */
static void in_children(size_t count, int (*test)(void *bench))
{
	struct live_bench bench;
	int status;

	for (size_t f = 0; f < count; f++) {
		open_bench(&bench, formats[f]);
		status = in_child(test, &bench);
		live_bench_close(&bench);
		if (status == CHILD_SKIPPED)
			skip();
		assert_int_equal(status, 0);
	}
}

static int run_without_rings(void *context)
{
	struct live_bench *bench = context;

	if (forbid_rings())
		return CHILD_SKIPPED;
	if (live_bench_run(bench))
		return 1;
	if (strcmp(bench->report.backend, "pread"))
		return 2;
	if (!strstr(bench->report.notes, "Operation not permitted"))
		return 3;
	return !bench->figures.complete;
}

static void where_rings_are_forbidden_threads_read(void **state)
{
	(void)state;
	in_children(FORMATS, run_without_rings);
}

static int run_with_little_locked(void *context)
{
	struct live_bench *bench = context;

	if (limit_resource(RLIMIT_MEMLOCK, 64 << 10) || become_nobody())
		return CHILD_SKIPPED;
	if (live_bench_run(bench))
		return 1;
	if (bench->report.buffers_registered)
		return 2;
	if (!bench->report.notes[0])
		return 3;
	return !bench->figures.complete;
}

static void with_64_kib_of_locked_memory_a_run_is_whole_and_noted(void **state)
{
	(void)state;
	in_children(FORMATS, run_with_little_locked);
}

static int run_with_few_files(void *context)
{
	struct live_bench *bench = context;
	struct dataset *dataset;
	struct fault fault = { 0 };

	if (limit_resource(RLIMIT_NOFILE, 4))
		return CHILD_SKIPPED;
	/* The dataset is open, and not a descriptor more is to be had. */
	if (!live_bench_run(bench) || bench->figures.complete)
		return 1;
	if (!strstr(bench->fault.text, "Too many open files"))
		return 2;
	if (!dataset_open(&dataset, bench->path, NULL, true, &fault))
		return 3;
	return !fault.text[0];
}

static void with_four_open_files_the_cause_is_said(void **state)
{
	(void)state;
	in_children(FORMATS_OPEN, run_with_few_files);
}

/* Where each file is opened for its read, with ever fewer descriptors: until
 * one is lacking, and then it is said which file could not be opened. */
static int run_with_fewer_files(void *context)
{
	struct live_bench *bench = context;
	unsigned whole = 0;
	unsigned named = 0;

	for (unsigned limit = 40; limit > 6; limit--) {
		if (limit_resource(RLIMIT_NOFILE, limit))
			return CHILD_SKIPPED;
		memset(&bench->fault, 0, sizeof(bench->fault));
		if (!live_bench_run(bench)) {
			whole++;
			continue;
		}
		if (!strstr(bench->fault.text, "Too many open files"))
			return 1;
		named += strstr(bench->fault.text, bench->path) != NULL;
	}
	return whole && named ? 0 : 2;
}

static void a_file_that_cannot_be_opened_is_named(void **state)
{
	struct live_bench bench;

	(void)state;
	open_bench(&bench, "files");
	assert_int_equal(in_child(run_with_fewer_files, &bench), 0);
	live_bench_close(&bench);
}

static void a_file_that_is_gone_is_named(void **state)
{
	struct live_bench bench;
	char path[TEMP_PATH_MAX];

	(void)state;
	open_bench(&bench, "files");
	assert_int_equal(unlink(temp_name(&bench.temp, "dataset/000042", path)),
			 0);
	/* The world's, as a server that forgot it. */
	assert_int_equal(live_bench_run(&bench), -ESTALE);
	assert_non_null(strstr(bench.fault.text, path));
	live_bench_close(&bench);
}

/* Nobody may write there, whoever it is. */
static int protect(const struct temp *temp)
{
	static const char *const folders[] = { "dataset/catalogue", "dataset" };
	char path[TEMP_PATH_MAX];

	for (int i = 0; i < 2; i++)
		if (chmod(temp_name(temp, folders[i], path), 0555) &&
		    errno != ENOENT)
			return -errno;
	return chmod(temp->path, 0555) ? -errno : 0;
}

static int read_as_nobody(void *context)
{
	struct live_bench *bench = context;

	if (protect(&bench->temp) || become_nobody())
		return CHILD_SKIPPED;
	if (!access(bench->path, W_OK))
		return 1;
	live_bench_reopen(bench);
	if (live_bench_run(bench))
		return 2;
	return !bench->figures.complete;
}

static void a_dataset_that_cannot_be_written_is_read(void **state)
{
	(void)state;
	in_children(FORMATS, read_as_nobody);
}

/* Memory, where direct reads are refused or are no different. */
static void a_dataset_in_memory_is_read(void **state)
{
	const char *before = getenv("TMPDIR");
	struct statfs facts;
	struct live_bench bench;

	(void)state;
	if (statfs("/dev/shm", &facts) || facts.f_type != TMPFS_MAGIC ||
	    access("/dev/shm", W_OK))
		skip();
	before = before ? strdup(before) : NULL;
	assert_int_equal(setenv("TMPDIR", "/dev/shm", 1), 0);
	for (size_t f = 0; f < FORMATS; f++) {
		open_bench(&bench, formats[f]);
		if (live_bench_run(&bench))
			fail_msg("%s", bench.fault.text);
		assert_true(bench.figures.complete);
		live_bench_close(&bench);
	}
	if (before)
		setenv("TMPDIR", before, 1);
	else
		unsetenv("TMPDIR");
	free((void *)(uintptr_t)before);
}

static void pack_million(struct live_bench *bench, const char *format)
{
	struct pack_options options = {
		.target = bench->path,
		.force = true,
		.format = format,
		.synthetic_examples = 1000000,
		.synthetic_bytes = distribution_constant(24),
		.synthetic_ratio = 1,
		.seed = 1,
		.block_bytes = 65536,
		.shard_examples = 1000000,
		.level = 1,
	};
	struct pack_result result;

	if (pack_run(&options, &result, &bench->fault))
		fail_msg("%s", bench->fault.text);
	live_bench_reopen(bench);
}

static void a_million_small_examples_are_read(void **state)
{
	struct live_bench bench;

	(void)state;
	for (int i = 0; i < 2; i++) {
		open_bench(&bench, formats[i]);
		pack_million(&bench, formats[i]);
		bench.pipeline.limit = (struct run_limit){ .steps = 500 };
		if (live_bench_run(&bench))
			fail_msg("%s", bench.fault.text);
		assert_true(bench.figures.complete);
		assert_int_equal(bench.figures.consumed_examples,
				 500 * bench.pipeline.batch_size);
		live_bench_close(&bench);
	}
}

/* A file of 2 GiB without a byte in it. */
static void
an_example_of_2_gib_is_refused_before_a_byte_is_written(void **state)
{
	struct temp *temp = *state;
	char target[TEMP_PATH_MAX];
	char source[TEMP_PATH_MAX];
	char file[TEMP_PATH_MAX];
	int fd;

	assert_int_equal(mkdir(temp_name(temp, "files", source), 0755), 0);
	fd = open(temp_name(temp, "files/huge", file),
		  O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)2 << 30), 0);
	assert_int_equal(close(fd), 0);
	for (int i = 0; i < 2; i++) {
		struct pack_options options = {
			.source = source,
			.target = temp_name(temp, "dataset", target),
			.format = formats[i],
			.block_bytes = 65536,
			.level = 1,
		};
		struct pack_result result;
		struct fault fault = { 0 };

		assert_int_equal(pack_run(&options, &result, &fault), -EINVAL);
		assert_non_null(strstr(fault.text, "at most 1 GiB"));
		assert_int_equal(access(target, F_OK), -1);
	}
}

/* Two zeros of 1 GiB each are few bytes as frames. */
static void a_frame_of_2_gib_is_refused_when_opened(void **state)
{
	static const char *const scripts[] = {
		"truncate -s 2G z; zstd -q -f z -o z.zst; rm z",
		"truncate -s 2G z; zstd -q <z >z.zst; rm z",
	};
	struct temp *temp = *state;
	char text[2 * TEMP_PATH_MAX];
	char path[TEMP_PATH_MAX];
	const char *const run[] = { "sh", "-c", text, NULL };

	for (int i = 0; i < 2; i++) {
		struct dataset *dataset;
		struct fault fault = { 0 };

		snprintf(text, sizeof(text), "cd '%s'; %s", temp->path,
			 scripts[i]);
		assert_int_equal(program_run(run, NULL, 0, NULL), 0);
		assert_true(dataset_open(&dataset,
					 temp_name(temp, "z.zst", path), NULL,
					 true, &fault) < 0);
		assert_non_null(strstr(fault.text, "more than 1 GiB"));
	}
}

static void a_file_of_2_gib_is_refused_when_opened(void **state)
{
	struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	char folder[TEMP_PATH_MAX];
	struct dataset *dataset;
	struct fault fault = { 0 };

	assert_int_equal(mkdir(temp_name(temp, "files", folder), 0755), 0);
	assert_int_equal(temp_write(temp, "files/huge", "x", 1), 0);
	assert_int_equal(truncate(temp_name(temp, "files/huge", path),
				  (off_t)2 << 30),
			 0);
	assert_int_equal(dataset_open(&dataset, folder, NULL, true, &fault),
			 -EINVAL);
	assert_non_null(strstr(fault.text, "at most 1 GiB"));
	assert_non_null(strstr(fault.text, path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_rings_are_forbidden_threads_read),
		cmocka_unit_test(
			with_64_kib_of_locked_memory_a_run_is_whole_and_noted),
		cmocka_unit_test(with_four_open_files_the_cause_is_said),
		cmocka_unit_test(a_file_that_cannot_be_opened_is_named),
		cmocka_unit_test(a_file_that_is_gone_is_named),
		cmocka_unit_test(a_dataset_that_cannot_be_written_is_read),
		cmocka_unit_test(a_dataset_in_memory_is_read),
		cmocka_unit_test(a_million_small_examples_are_read),
		cmocka_unit_test_setup_teardown(
			an_example_of_2_gib_is_refused_before_a_byte_is_written,
			temp_setup, temp_teardown),
		cmocka_unit_test_setup_teardown(
			a_frame_of_2_gib_is_refused_when_opened, temp_setup,
			temp_teardown),
		cmocka_unit_test_setup_teardown(
			a_file_of_2_gib_is_refused_when_opened, temp_setup,
			temp_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
