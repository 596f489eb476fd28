/* SPDX-License-Identifier: MIT */
#include "tests/support/reader_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/random.h"
#include "tests/support/faulty_reader.h"

int bench_setup(void **state)
{
	struct random_stream stream = random_stream(1, RANDOM_SHUFFLE);
	struct reader_bench *bench = calloc(1, sizeof(*bench));
	char path[TEMP_PATH_MAX];
	uint64_t i;

	assert_non_null(bench);
	assert_int_equal(temp_open(&bench->temp), 0);
	bench->content = malloc(BENCH_FILE_BYTES);
	bench->memory = aligned_alloc(4096, BENCH_SLOTS * BENCH_SLOT_BYTES);
	assert_non_null(bench->content);
	assert_non_null(bench->memory);
	for (i = 0; i < BENCH_FILE_BYTES; i++)
		bench->content[i] = (unsigned char)random_bits(stream, i);
	assert_int_equal(temp_write(&bench->temp, "data", bench->content,
				    BENCH_FILE_BYTES),
			 0);
	bench->file = open(temp_name(&bench->temp, "data", path), O_RDWR);
	assert_true(bench->file >= 0);
	assert_int_equal(reader_wake_init(&bench->wake), 0);
	bench->setup = (struct reader_setup){
		.files = &bench->file,
		.file_count = 1,
		.memory = bench->memory,
		.slot_bytes = BENCH_SLOT_BYTES,
		.slot_count = BENCH_SLOTS,
		.inflight_max = BENCH_SLOTS,
		.alignment_bytes = 1,
		.wake = &bench->wake,
	};
	faulty = (struct faulty){ 0 };
	*state = bench;
	return 0;
}

int bench_teardown(void **state)
{
	struct reader_bench *bench = *state;

	close(bench->file);
	reader_wake_release(&bench->wake);
	temp_close(&bench->temp);
	free(bench->content);
	free(bench->memory);
	free(bench);
	return 0;
}

void bench_open_kind(struct reader_bench *bench, const struct reader_kind *kind)
{
	memset(bench->memory, 0, BENCH_SLOTS * BENCH_SLOT_BYTES);
	assert_int_equal(reader_open_kind(&bench->reader, kind, &bench->setup,
					  &bench->fault),
			 0);
}

/* Waits until something is finished. */
struct reader_done bench_next(struct reader_bench *bench)
{
	struct reader_done done;

	while (!reader_reap(bench->reader, &done, 1))
		assert_int_equal(reader_wait(bench->reader, BENCH_PATIENCE_NS),
				 0);
	return done;
}

void bench_submit(struct reader_bench *bench, uint32_t slot, uint64_t offset,
		  uint64_t bytes)
{
	struct reader_request request = {
		.slot = slot,
		.offset_bytes = offset,
		.bytes = bytes,
		.needed_bytes = bytes,
	};

	if (offset + bytes > BENCH_FILE_BYTES)
		request.needed_bytes = BENCH_FILE_BYTES - offset;
	reader_submit(bench->reader, &request);
}

void bench_check(struct reader_bench *bench, uint32_t slot, uint64_t offset,
		 uint64_t bytes)
{
	if (offset + bytes > BENCH_FILE_BYTES)
		bytes = BENCH_FILE_BYTES - offset;
	assert_memory_equal(bench->memory + slot * BENCH_SLOT_BYTES,
			    bench->content + offset, bytes);
}

/* The whole file, in whatever order, with as many in flight as there are
 * slots. */
void bench_read_everything(struct reader_bench *bench)
{
	uint64_t offsets[BENCH_SLOTS] = { 0 };
	uint64_t offset = 0;
	uint32_t inflight = 0;
	uint32_t slot;

	for (slot = 0; slot < BENCH_SLOTS; slot++) {
		offsets[slot] = offset;
		bench_submit(bench, slot, offset, BENCH_SLOT_BYTES);
		offset += BENCH_SLOT_BYTES;
		inflight++;
	}
	while (inflight) {
		struct reader_done done = bench_next(bench);

		assert_int_equal(done.error, 0);
		bench_check(bench, done.slot, offsets[done.slot],
			    BENCH_SLOT_BYTES);
		inflight--;
		if (offset >= BENCH_FILE_BYTES)
			continue;
		offsets[done.slot] = offset;
		bench_submit(bench, done.slot, offset, BENCH_SLOT_BYTES);
		offset += BENCH_SLOT_BYTES;
		inflight++;
	}
}

void bench_close(struct reader_bench *bench)
{
	assert_int_equal(reader_close(bench->reader, BENCH_PATIENCE_NS), 0);
	bench->reader = NULL;
}

bool bench_open(struct reader_bench *bench, enum reader_backend backend)
{
	int error;

	memset(bench->memory, 0, BENCH_SLOTS * BENCH_SLOT_BYTES);
	bench->fault.text[0] = '\0';
	error = reader_open(&bench->reader, backend, &bench->setup,
			    &bench->fault);
	if (error)
		print_message("not granted: %s\n", bench->fault.text);
	return !error;
}
