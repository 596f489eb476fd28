/* SPDX-License-Identifier: MIT */
/*
 * What can go wrong under a live run. However it does, the run ends cleanly,
 * and where it fails it says what, and at which place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "storage/dataset/files.h"
#include "tests/support/faulty_reader.h"
#include "tests/support/live_bench.h"
#include "tests/support/program.h"

static const char *const formats[] = { "shards", "lmdb" };

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

/* The run of a test: short, fast, and through the faulty back end. */
static void open_bench(struct live_bench *bench, const char *format)
{
	live_bench_open(bench, format);
	bench->pipeline.limit.duration_ns = 0;
	bench->pipeline.limit.epochs = 1;
	bench->pipeline.accelerators.step_ns = distribution_constant(1e5);
	bench->native = true;
	bench->options.reader_kind = &faulty_reader;
	faulty = (struct faulty){ 0 };
}

static void file_of(const struct live_bench *bench, uint32_t shard, char *path)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d",
		 dataset_fd(bench->dataset, shard));
	length = readlink(link, path, TEMP_PATH_MAX - 1);
	assert_true(length > 0);
	path[length] = '\0';
}

static void check_says(const struct live_bench *bench, const char *words)
{
	if (!strstr(bench->fault.text, words))
		fail_msg("\"%s\" is not in: %s", words, bench->fault.text);
}

/* For n = 1, 2, 3, ... until the run needs fewer reads than that. */
static void every_read_may_fail(void **state)
{
	struct live_bench bench;
	uint64_t n;
	int error;

	(void)state;
	open_bench(&bench, "shards");
	for (n = 1;; n += 1 + n / 4) {
		faulty = (struct faulty){ .fail_attempt = n,
					  .fail_error = -EIO };
		error = live_bench_run(&bench);
		assert_true(faulty.closed);
		if (faulty.attempts < n)
			break;
		assert_int_equal(error, -EIO);
		assert_false(bench.figures.complete);
		check_says(&bench, "Input/output error");
		check_says(&bench, bench.path);
		check_says(&bench, "shard ");
		check_says(&bench, ", block ");
		check_says(&bench, ", offset ");
	}
	assert_int_equal(error, 0);
	assert_true(bench.figures.complete);
	assert_true(n > 10);
	live_bench_close(&bench);
}

static void short_reads_lose_nothing(void **state)
{
	static const uint32_t lengths[] = { 513, 4096, 5000, 33333, 65536 };
	struct live_bench bench;

	(void)state;
	for (size_t f = 0; f < FORMATS; f++) {
		open_bench(&bench, formats[f]);
		for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]);
		     i++) {
			faulty = (struct faulty){ .bytes_max = lengths[i] };
			if (live_bench_run(&bench))
				fail_msg("%u: %s", lengths[i],
					 bench.fault.text);
			assert_true(bench.figures.complete);
		}
		live_bench_close(&bench);
	}
}

static void interrupted_reads_lose_nothing(void **state)
{
	struct live_bench bench;

	(void)state;
	open_bench(&bench, "shards");
	faulty.interrupt_every = 3;
	if (live_bench_run(&bench))
		fail_msg("%s", bench.fault.text);
	assert_true(bench.figures.complete);
	live_bench_close(&bench);
}

static struct live_bench *acting;

static void cut_every_file(void)
{
	const struct dataset_facts *facts = dataset_facts(acting->dataset);
	char path[TEMP_PATH_MAX];

	for (uint32_t i = 0; i < facts->shards; i++) {
		file_of(acting, i, path);
		assert_int_equal(truncate(path, 5000), 0);
	}
}

static void files_cut_meanwhile_end_the_run(void **state)
{
	struct live_bench bench;

	(void)state;
	for (size_t f = 0; f < FORMATS; f++) {
		open_bench(&bench, formats[f]);
		acting = &bench;
		faulty.act_attempt = 10;
		faulty.act = cut_every_file;
		assert_int_equal(live_bench_run(&bench), -ENODATA);
		check_says(&bench, "shorter than when it was opened");
		check_says(&bench, ", offset ");
		assert_true(faulty.closed);
		live_bench_close(&bench);
	}
}

/* Turns one bit of a block's stored bytes over. */
static void flip_bit(struct live_bench *bench, uint64_t index)
{
	struct layout_block block;
	char path[TEMP_PATH_MAX];
	unsigned char byte;
	off_t place;
	int file;

	layout_block(&bench->pipeline.layout, index, &block);
	place = (off_t)(block.offset_bytes + block.stored_bytes / 2);
	file_of(bench, block.shard, path);
	file = open(path, O_RDWR);
	assert_true(file >= 0);
	assert_int_equal(pread(file, &byte, 1, place), 1);
	byte ^= 0x10;
	assert_int_equal(pwrite(file, &byte, 1, place), 1);
	assert_int_equal(close(file), 0);
}

static void a_flipped_bit_names_its_place(void **state)
{
	static const uint64_t blocks[] = { 0, 7, 100 };
	struct live_bench bench;
	char place[64];

	(void)state;
	for (size_t f = 0; f < FORMATS; f++) {
		for (size_t i = 0; i < 3; i++) {
			open_bench(&bench, formats[f]);
			flip_bit(&bench, blocks[i]);
			assert_int_equal(live_bench_run(&bench), -EBADMSG);
			snprintf(place, sizeof(place), "block %llu",
				 (unsigned long long)blocks[i]);
			check_says(&bench, place);
			assert_true(faulty.closed);
			live_bench_close(&bench);
		}
	}
}

static void every_back_end_finishes_an_epoch(void **state)
{
	struct live_bench bench;

	(void)state;
	open_bench(&bench, "shards");
	bench.options.reader_kind = NULL;
	for (int i = READER_ANY; i <= READER_PREAD; i++) {
		bench.options.backend = (enum reader_backend)i;
		if (live_bench_run(&bench)) {
			print_message("%s\n", bench.fault.text);
			continue;
		}
		assert_true(bench.figures.complete);
		if (i != READER_ANY)
			assert_string_equal(bench.report.backend,
					    reader_kinds[i]->name);
		assert_true(bench.report.device_bytes >=
			    dataset_facts(bench.dataset)->stored_bytes);
	}
	live_bench_close(&bench);
}

static atomic_bool stop;

static void stop_at_20(void *context, const struct live_completion *done)
{
	uint64_t *heard = context;

	(void)done;
	if (++*heard == 20)
		stop = true;
}

static void a_stopped_run_is_no_error_but_not_complete(void **state)
{
	struct live_bench bench;
	uint64_t heard = 0;

	(void)state;
	open_bench(&bench, "shards");
	bench.options.stop = &stop;
	bench.options.observe = stop_at_20;
	bench.options.observe_context = &heard;
	stop = true;
	assert_int_equal(live_bench_run(&bench), 0);
	assert_false(bench.figures.complete);
	assert_true(faulty.closed);
	stop = false;
	assert_int_equal(live_bench_run(&bench), 0);
	assert_false(bench.figures.complete);
	assert_true(heard >= 20);
	assert_true(heard < 100);
	live_bench_close(&bench);
}

static void stop_when_told(void *context, double done, int64_t elapsed_ns)
{
	(void)context;
	(void)done;
	stop = elapsed_ns > 0;
}

/* The device answers in a minute, and nothing is due before. */
static void a_run_stopped_with_nothing_due_has_held(void **state)
{
	struct live_bench bench;

	(void)state;
	live_bench_open(&bench, "shards");
	bench.device = (struct device_profile){
		.bandwidth_bytes_per_s = 1000000000,
		.latency_ns = distribution_constant(60e9),
	};
	stop = false;
	bench.options.stop = &stop;
	bench.options.progress = stop_when_told;
	assert_int_equal(live_bench_run(&bench), 0);
	stop = false;
	assert_false(bench.figures.complete);
	assert_int_equal(bench.figures.run_steps, 0);
	assert_int_equal(bench.report.throttle.lag_ns, 0);
	assert_true(throttle_held(&bench.report.throttle));
	live_bench_close(&bench);
}

static void pause_at_20(void *context, const struct live_completion *done)
{
	const char *const arguments[] = { "sleep", "0.5", NULL };
	uint64_t *heard = context;

	(void)done;
	if (++*heard == 20)
		assert_int_equal(program_run(arguments, NULL, 0, NULL), 0);
}

/* As one does that is stopped by a signal. */
static void a_native_run_that_was_held_up_says_so(void **state)
{
	struct live_bench bench;
	uint64_t heard = 0;

	(void)state;
	open_bench(&bench, "shards");
	bench.options.observe = pause_at_20;
	bench.options.observe_context = &heard;
	assert_int_equal(live_bench_run(&bench), 0);
	assert_true(bench.figures.complete);
	assert_true(bench.report.throttle.disturbed_ns >= 450000000);
	assert_false(throttle_held(&bench.report.throttle));
	live_bench_close(&bench);
}

static void a_read_that_never_ends_is_named_and_given_up(void **state)
{
	struct live_bench bench;

	(void)state;
	open_bench(&bench, "shards");
	faulty.swallow_attempt = 5;
	bench.options.patience_ns = 100000000;
#ifdef __SANITIZE_ADDRESS__
	/* The kernel keeps the buffers, so the run cannot be freed. */
	__lsan_disable();
#endif
	assert_int_equal(live_bench_run(&bench), -ETIMEDOUT);
#ifdef __SANITIZE_ADDRESS__
	__lsan_enable();
#endif
	check_says(&bench, "nothing was read in");
	check_says(&bench, ", block ");
	assert_false(faulty.closed);
	live_bench_close(&bench);
}

static void a_slow_device_is_not_taken_for_a_dead_one(void **state)
{
	struct live_bench bench;

	(void)state;
	open_bench(&bench, "shards");
	bench.native = false;
	bench.device.bandwidth_bytes_per_s = 0;
	bench.device.latency_ns = distribution_constant(1.2e9);
	bench.pipeline.limit.duration_ns = 2600000000;
	bench.options.patience_ns = 1000000000;
	if (live_bench_run(&bench))
		fail_msg("%s", bench.fault.text);
	assert_true(bench.figures.complete);
	live_bench_close(&bench);
}

static void too_much_buffer_memory_is_refused(void **state)
{
	struct live_bench bench;

	(void)state;
	open_bench(&bench, "shards");
	bench.pipeline.request_bytes = UINT64_C(1) << 30;
	bench.pipeline.stages[STAGE_READ].workers = 4096;
	assert_int_equal(live_bench_run(&bench), -ENOMEM);
	check_says(&bench, "half of this machine's memory");
	check_says(&bench, "storage.queue_depth");
	live_bench_close(&bench);
}

static void too_many_decompress_workers_are_refused(void **state)
{
	struct live_bench bench;

	(void)state;
	open_bench(&bench, "shards");
	bench.pipeline.stages[STAGE_DECOMPRESS].workers = 1025;
	assert_int_equal(live_bench_run(&bench), -EINVAL);
	check_says(&bench, "1025 decompress workers");
	live_bench_close(&bench);
}

/* Of workers who carry whole batches it is their keys that help. */
static void too_large_a_crew_is_refused_by_its_own_keys(void **state)
{
	struct live_bench bench;

	(void)state;
	open_bench(&bench, "shards");
	live_bench_crew(&bench, 1200, 1);
	assert_int_equal(live_bench_run(&bench), -EINVAL);
	check_says(&bench, "1200 decompress workers");
	check_says(&bench, "lower pipeline.loader.workers");
	bench.pipeline.layout.alignment_bytes = UINT64_C(1) << 30;
	live_bench_crew(&bench, 64, 64);
	assert_int_equal(live_bench_run(&bench), -ENOMEM);
	check_says(&bench, "lower pipeline.loader.workers or "
			   "pipeline.loader.reads");
	live_bench_close(&bench);
}

static void decompression_is_measured(void **state)
{
	struct live_bench bench;
	struct live_decompress cost;

	(void)state;
	for (size_t f = 0; f < FORMATS; f++) {
		open_bench(&bench, formats[f]);
		assert_int_equal(live_measure_decompress(bench.dataset,
							 10000000, &cost,
							 &bench.fault),
				 0);
		assert_true(cost.rate_bytes_per_s > 1000000);
		assert_true(cost.fixed_ns >= 0);
		flip_bit(&bench, 0);
		assert_int_equal(live_measure_decompress(bench.dataset,
							 10000000, &cost,
							 &bench.fault),
				 -EBADMSG);
		check_says(&bench, "block 0");
		live_bench_close(&bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_read_may_fail),
		cmocka_unit_test(short_reads_lose_nothing),
		cmocka_unit_test(interrupted_reads_lose_nothing),
		cmocka_unit_test(files_cut_meanwhile_end_the_run),
		cmocka_unit_test(a_flipped_bit_names_its_place),
		cmocka_unit_test(every_back_end_finishes_an_epoch),
		cmocka_unit_test(a_stopped_run_is_no_error_but_not_complete),
		cmocka_unit_test(a_run_stopped_with_nothing_due_has_held),
		cmocka_unit_test(a_native_run_that_was_held_up_says_so),
		cmocka_unit_test(a_read_that_never_ends_is_named_and_given_up),
		cmocka_unit_test(a_slow_device_is_not_taken_for_a_dead_one),
		cmocka_unit_test(too_much_buffer_memory_is_refused),
		cmocka_unit_test(too_many_decompress_workers_are_refused),
		cmocka_unit_test(too_large_a_crew_is_refused_by_its_own_keys),
		cmocka_unit_test(decompression_is_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
