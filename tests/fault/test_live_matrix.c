/* SPDX-License-Identifier: MIT */
/*
 * Everything that a read can come to, in both formats, through a ring and
 * through threads that call pread: the run ends with the right data (every
 * block is checked), or with the cause and its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/reader_pool.h"
#include "storage/ring.h"
#include "tests/support/faulty_reader.h"
#include "tests/support/live_bench.h"

static const struct reader_kind *const bases[] = { &ring_defer, &ring_plain,
						   &reader_pool };
static const char *const formats[] = { "shards", "lmdb" };

#define BASES (sizeof(bases) / sizeof(bases[0]))

/* A run of one epoch as fast as it goes, through the back end that misbehaves. */
static void open_bench(struct live_bench *bench, const char *format)
{
	live_bench_open(bench, format);
	bench->pipeline.limit.duration_ns = 0;
	bench->pipeline.limit.epochs = 1;
	bench->pipeline.accelerators.step_ns = distribution_constant(1e5);
	bench->native = true;
	bench->options.reader_kind = &faulty_reader;
}

/* Asked once of each. */
static bool granted(size_t base)
{
	static int answers[BASES]; /* 1: yes, -1: no */
	struct live_bench bench;

	if (answers[base])
		return answers[base] > 0;
	open_bench(&bench, "shards");
	bench.options.reader_kind = bases[base];
	answers[base] = live_bench_run(&bench) ? -1 : 1;
	if (answers[base] < 0)
		print_message("%s\n", bench.fault.text);
	live_bench_close(&bench);
	return answers[base] > 0;
}

/* Does it for both formats and all back ends that are granted. */
static void everywhere(void (*test)(struct live_bench *bench))
{
	struct live_bench bench;

	for (size_t f = 0; f < 2; f++) {
		for (size_t b = 0; b < BASES; b++) {
			if (!granted(b))
				continue;
			open_bench(&bench, formats[f]);
			faulty = (struct faulty){ .base = bases[b] };
			test(&bench);
			live_bench_close(&bench);
		}
	}
}

static void run_whole(struct live_bench *bench)
{
	if (live_bench_run(bench))
		fail_msg("%s", bench->fault.text);
	assert_true(bench->figures.complete);
	assert_true(faulty.closed);
}

static void run_broken(struct live_bench *bench, int error, const char *words)
{
	assert_int_equal(live_bench_run(bench), error);
	assert_false(bench->figures.complete);
	assert_true(faulty.closed);
	if (!strstr(bench->fault.text, words) ||
	    !strstr(bench->fault.text, "block ") ||
	    strchr(bench->fault.text, '\n'))
		fail_msg("%s", bench->fault.text);
}

static void fail_some(struct live_bench *bench)
{
	static const int errors[] = { EIO, ENXIO, ESTALE };

	for (uint64_t i = 0; i < 3; i++) {
		faulty = (struct faulty){ .base = faulty.base,
					  .fail_attempt = 1 + 7 * i,
					  .fail_error = -errors[i] };
		run_broken(bench, -errors[i], strerror(errors[i]));
	}
}

static void a_read_that_fails_is_named(void **state)
{
	(void)state;
	everywhere(fail_some);
}

static void cut_reads_short(struct live_bench *bench)
{
	static const uint32_t lengths[] = { 1000, 4096, 12345 };

	for (size_t i = 0; i < 3; i++) {
		faulty = (struct faulty){ .base = faulty.base,
					  .bytes_max = lengths[i] };
		run_whole(bench);
	}
}

static void short_reads_lose_nothing(void **state)
{
	(void)state;
	everywhere(cut_reads_short);
}

static void interrupt(struct live_bench *bench)
{
	faulty.interrupt_every = 2;
	run_whole(bench);
}

static void reads_are_made_again_after_eintr_and_eagain(void **state)
{
	(void)state;
	everywhere(interrupt);
}

static struct live_bench *acting;

static void path_of(const struct live_bench *bench, uint32_t shard, char *path)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d",
		 dataset_fd(bench->dataset, shard));
	length = readlink(link, path, TEMP_PATH_MAX - 1);
	assert_true(length > 0);
	path[length] = '\0';
}

static void cut_files(void)
{
	char path[TEMP_PATH_MAX];

	for (uint32_t i = 0; i < dataset_facts(acting->dataset)->shards; i++) {
		path_of(acting, i, path);
		assert_int_equal(truncate(path, 4096 * 3 + 17), 0);
	}
}

static void run_cut(struct live_bench *bench)
{
	acting = bench;
	faulty.act_attempt = 7;
	faulty.act = cut_files;
	run_broken(bench, -ENODATA, "shorter than when it was opened");
}

static void files_cut_meanwhile_end_the_run(void **state)
{
	(void)state;
	everywhere(run_cut);
}

/* Rubbish of the same size, by another name or in the same file. */
static void write_rubbish(const char *path, off_t size)
{
	int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	unsigned char rubbish[4096];
	off_t done;

	assert_true(file >= 0);
	memset(rubbish, 0x77, sizeof(rubbish));
	for (done = 0; done < size; done += (off_t)sizeof(rubbish)) {
		size_t left = (size_t)(size - done);
		size_t part = left < sizeof(rubbish) ? left : sizeof(rubbish);

		assert_int_equal(pwrite(file, rubbish, part, done), part);
	}
	assert_int_equal(close(file), 0);
}

static void replace_files(void)
{
	char path[TEMP_PATH_MAX];
	char other[TEMP_PATH_MAX];
	struct stat facts;

	for (uint32_t i = 0; i < dataset_facts(acting->dataset)->shards; i++) {
		path_of(acting, i, path);
		assert_int_equal(stat(path, &facts), 0);
		write_rubbish(temp_name(&acting->temp, "other", other),
			      facts.st_size);
		assert_int_equal(rename(other, path), 0);
	}
}

static void run_replaced(struct live_bench *bench)
{
	acting = bench;
	faulty.act_attempt = 7;
	faulty.act = replace_files;
	run_whole(bench);
}

static void files_replaced_meanwhile_are_read_as_they_were(void **state)
{
	(void)state;
	everywhere(run_replaced);
}

static void overwrite_files(void)
{
	char path[TEMP_PATH_MAX];
	struct stat facts;

	for (uint32_t i = 0; i < dataset_facts(acting->dataset)->shards; i++) {
		path_of(acting, i, path);
		assert_int_equal(stat(path, &facts), 0);
		write_rubbish(path, facts.st_size);
	}
}

static void run_overwritten(struct live_bench *bench)
{
	acting = bench;
	faulty.act_attempt = 7;
	faulty.act = overwrite_files;
	run_broken(bench, -EBADMSG, bench->path);
}

static void files_overwritten_meanwhile_do_not_pass(void **state)
{
	(void)state;
	everywhere(run_overwritten);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_read_that_fails_is_named),
		cmocka_unit_test(short_reads_lose_nothing),
		cmocka_unit_test(reads_are_made_again_after_eintr_and_eagain),
		cmocka_unit_test(files_cut_meanwhile_end_the_run),
		cmocka_unit_test(
			files_replaced_meanwhile_are_read_as_they_were),
		cmocka_unit_test(files_overwritten_meanwhile_do_not_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
