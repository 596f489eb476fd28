/* SPDX-License-Identifier: MIT */
/*
 * Everything that a read can come to, in every format, through a ring and
 * through threads that call pread: the run ends with the right data (every
 * block that carries a checksum is checked), or with the cause and its place.
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

#include "storage/dataset/files.h"
#include "storage/reader_pool.h"
#include "storage/ring.h"
#include "tests/support/faulty_reader.h"
#include "tests/support/foreign.h"
#include "tests/support/live_bench.h"

static const struct reader_kind *const bases[] = { &ring_defer, &ring_plain,
						   &reader_pool };
static const char *const formats[] = { "shards",	   "lmdb",
				       "zstd-seekable",	   "zstd-frames",
				       "lmdb-environment", "files" };

#define FORMATS (sizeof(formats) / sizeof(formats[0]))
/* Up to here a block carries a checksum; up to here files stay open. */
#define FORMATS_CHECKED 4
#define FORMATS_OPEN 5

#define BASES (sizeof(bases) / sizeof(bases[0]))

/* A run of one epoch as fast as it goes, through the back end that misbehaves. */
static void open_bench(struct live_bench *bench, const char *format)
{
	live_bench_open(bench, format);
	bench->pipeline.limit.duration_ns = 0;
	bench->pipeline.limit.epochs = 1;
	bench->pipeline.accelerators.step_ns = distribution_constant(1e5);
	bench->pipeline.request_bytes = 32768;
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

/* Does it for the first formats and all back ends that are granted. */
static void in_formats(size_t count, void (*test)(struct live_bench *bench))
{
	struct live_bench bench;

	for (size_t f = 0; f < count; f++) {
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

static void everywhere(void (*test)(struct live_bench *bench))
{
	in_formats(FORMATS, test);
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

static void cut_files(void)
{
	off_t cut_bytes =
		dataset_facts(acting->dataset)->opens_each ? 17 : 4096 * 3 + 17;
	char path[DATASET_NAME_BYTES];

	for (uint32_t i = 0; i < dataset_facts(acting->dataset)->shards; i++) {
		dataset_file_name(acting->dataset, i, path);
		assert_int_equal(truncate(path, cut_bytes), 0);
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
	char path[DATASET_NAME_BYTES];
	char other[TEMP_PATH_MAX];
	struct stat facts;

	for (uint32_t i = 0; i < dataset_facts(acting->dataset)->shards; i++) {
		dataset_file_name(acting->dataset, i, path);
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
	in_formats(FORMATS_OPEN, run_replaced);
}

static void overwrite_files(void)
{
	char path[DATASET_NAME_BYTES];
	struct stat facts;

	for (uint32_t i = 0; i < dataset_facts(acting->dataset)->shards; i++) {
		dataset_file_name(acting->dataset, i, path);
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
	in_formats(FORMATS_CHECKED, run_overwritten);
}

static bool heard[LIVE_BENCH_FOREIGN];

/* Marks the examples that are in what was read, byte for byte. */
static void hear(const unsigned char *bytes, size_t size)
{
	const struct foreign foreign = { .bytes = LIVE_BENCH_FOREIGN_BYTES };

	for (unsigned i = 0; i < LIVE_BENCH_FOREIGN; i++) {
		uint8_t *content;
		size_t length;

		if (heard[i])
			continue;
		content = foreign_content(&foreign, i, &length);
		heard[i] = memmem(bytes, size, content, length) != NULL;
		free(content);
	}
}

static void run_heard(struct live_bench *bench)
{
	memset(heard, 0, sizeof(heard));
	faulty.hear = hear;
	run_whole(bench);
	assert_int_equal(bench->report.decompress_content_bytes,
			 (uint64_t)LIVE_BENCH_FOREIGN *
				 LIVE_BENCH_FOREIGN_BYTES);
	for (unsigned i = 0; i < LIVE_BENCH_FOREIGN; i++)
		assert_true(heard[i]);
}

/* Frames are checked by zstd; here what is read as it is. */
static void foreign_examples_are_all_read_byte_for_byte(void **state)
{
	struct live_bench bench;

	(void)state;
	for (size_t f = FORMATS_CHECKED; f < FORMATS; f++) {
		open_bench(&bench, formats[f]);
		faulty = (struct faulty){ .base = bases[BASES - 1] };
		run_heard(&bench);
		live_bench_close(&bench);
	}
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
		cmocka_unit_test(foreign_examples_are_all_read_byte_for_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
