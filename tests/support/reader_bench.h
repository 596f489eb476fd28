/* SPDX-License-Identifier: MIT */
/*
 * A file of random bytes with a reader of it, as a cmocka fixture: *state is
 * a struct reader_bench.
 */
#ifndef TESTS_SUPPORT_READER_BENCH_H
#define TESTS_SUPPORT_READER_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fault.h"
#include "storage/reader.h"
#include "tests/support/temp.h"

#define BENCH_SLOTS 32
#define BENCH_SLOT_BYTES 16384
#define BENCH_FILE_BYTES (40 * BENCH_SLOT_BYTES + 300)
#define BENCH_PATIENCE_NS INT64_C(20000000000)

struct reader_bench {
	struct temp temp;
	unsigned char *content;
	unsigned char *memory;
	int file;
	struct reader_wake wake;
	struct reader_setup setup;
	struct reader *reader;
	struct fault fault;
};

int bench_setup(void **state);
int bench_teardown(void **state);

/* Opens with one back end, or a row of the table; the latter may be refused:
 * false. */
void bench_open_kind(struct reader_bench *bench,
		     const struct reader_kind *kind);
bool bench_open(struct reader_bench *bench, enum reader_backend backend);
void bench_close(struct reader_bench *bench);

/* Asks for bytes; what the file has of them is needed. */
void bench_submit(struct reader_bench *bench, uint32_t slot, uint64_t offset,
		  uint64_t bytes);

/* Waits until something is finished. */
struct reader_done bench_next(struct reader_bench *bench);

/* Claims that a slot holds what the file has there. */
void bench_check(struct reader_bench *bench, uint32_t slot, uint64_t offset,
		 uint64_t bytes);

/* Reads and checks the whole file, all slots in flight. */
void bench_read_everything(struct reader_bench *bench);

#endif
