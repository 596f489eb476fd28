/* SPDX-License-Identifier: MIT */
#include "storage/live/live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "storage/buffers.h"
#include "storage/clock.h"
#include "storage/dataset/dataset.h"
#include "storage/file.h"
#include "storage/dataset/files.h"
#include "storage/reader.h"

#define PAGE_BYTES 4096
#define PATIENCE_NS INT64_C(30000000000)

/* More do not make the line any straighter. */
#define BLOCKS_MAX 20000

/* Sums over blocks, for a straight line of time over content bytes. */
struct line {
	double count;
	double bytes;
	double ns;
	double bytes_squared;
	double bytes_ns;
};

/* Reads and decompresses one block after another, in this thread. */
struct measure {
	struct dataset *dataset;
	struct layout layout;
	struct unpacker *unpacker;
	struct reader *reader;
	struct reader_wake wake;
	unsigned char *memory;
	size_t memory_bytes;
	int file;
	struct line line;
	struct fault *fault;
};

static int read_range(struct measure *measure,
		      const struct reader_request *request)
{
	int64_t end_ns = clock_now_ns() + PATIENCE_NS;
	struct reader_done done;
	int error;

	reader_submit(measure->reader, request);
	while (!reader_reap(measure->reader, &done, 1)) {
		int64_t left_ns = end_ns - clock_now_ns();

		error = left_ns > 0 ? reader_wait(measure->reader, left_ns) :
				      -ETIMEDOUT;
		if (error)
			return error;
	}
	return done.error;
}

static void line_add(struct line *line, double bytes, double ns)
{
	line->count++;
	line->bytes += bytes;
	line->ns += ns;
	line->bytes_squared += bytes * bytes;
	line->bytes_ns += bytes * ns;
}

/* Least squares, with neither a negative time per block nor per byte: where
 * the best line has one, the best without it. Blocks of one size tell nothing
 * of the former. */
static void line_fit(const struct line *line, struct live_decompress *cost)
{
	double spread =
		line->count * line->bytes_squared - line->bytes * line->bytes;
	double ns_per_byte = 0;
	double fixed_ns = 0;

	if (spread > 1e-9 * line->count * line->bytes_squared)
		ns_per_byte = (line->count * line->bytes_ns -
			       line->bytes * line->ns) /
			      spread;
	if (ns_per_byte > 0)
		fixed_ns = (line->ns - ns_per_byte * line->bytes) / line->count;
	if (fixed_ns <= 0 && line->bytes_squared > 0) {
		fixed_ns = 0;
		ns_per_byte = line->bytes_ns / line->bytes_squared;
	}
	cost->fixed_ns = (int64_t)(fixed_ns + 0.5);
	cost->rate_bytes_per_s =
		ns_per_byte > 0 ? (uint64_t)(1e9 / ns_per_byte + 0.5) : 0;
}

static int measure_block(struct measure *measure, uint64_t index)
{
	uint64_t alignment = measure->layout.alignment_bytes;
	struct reader_request request = { 0 };
	struct layout_block block;
	uint64_t content_bytes = 0;
	uint64_t skip;
	int64_t start_ns;
	int error;

	layout_block(&measure->layout, index, &block);
	measure->file = dataset_take_fd(measure->dataset, block.shard);
	skip = block.offset_bytes % alignment;
	request.offset_bytes = block.offset_bytes - skip;
	request.needed_bytes = skip + block.stored_bytes;
	request.bytes =
		(request.needed_bytes + alignment - 1) / alignment * alignment;
	error = measure->file < 0 ? measure->file :
				    read_range(measure, &request);
	dataset_release_fd(measure->dataset, measure->file);
	if (error) {
		fault_set(measure->fault, NULL, 0,
			  "shard %u, block %llu, offset %llu: cannot read: %s",
			  block.shard, (unsigned long long)index,
			  (unsigned long long)block.offset_bytes,
			  strerror(-error));
		return file_lost(error);
	}
	start_ns = clock_thread_cpu_ns();
	error = unpacker_check(measure->unpacker, index, measure->memory + skip,
			       block.stored_bytes, &content_bytes,
			       measure->fault);
	if (!error)
		line_add(&measure->line, (double)content_bytes,
			 (double)(clock_thread_cpu_ns() - start_ns));
	return error;
}

static int measure_blocks(struct measure *measure, int64_t budget_ns)
{
	struct random_stream stream = random_stream(1, RANDOM_SHUFFLE);
	int64_t end_ns = clock_now_ns() + budget_ns;
	uint64_t blocks = measure->layout.blocks;
	uint64_t i;
	int error;

	/* The first warms up. */
	error = measure_block(measure, 0);
	measure->line = (struct line){ 0 };
	for (i = 0; !error; i++) {
		error = measure_block(
			measure, random_below(random_bits(stream, i), blocks));
		if (i + 1 >= BLOCKS_MAX || clock_now_ns() >= end_ns)
			break;
	}
	return error;
}

static int open_buffer(struct measure *measure)
{
	const struct dataset_facts *facts = dataset_facts(measure->dataset);
	size_t bytes = facts->block_bytes_max + 2 * facts->alignment_bytes;

	bytes = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	if (facts->alignment_bytes > PAGE_BYTES)
		bytes = (bytes + facts->alignment_bytes - 1) /
			facts->alignment_bytes * facts->alignment_bytes;
	measure->memory = buffers_map(bytes);
	if (!measure->memory)
		return -ENOMEM;
	measure->memory_bytes = bytes;
	return 0;
}

static int run(struct measure *measure, int64_t budget_ns)
{
	struct reader_setup setup = {
		.files = &measure->file,
		.file_count = 1,
		.memory = measure->memory,
		.slot_bytes = measure->memory_bytes,
		.slot_count = 1,
		.inflight_max = 1,
		.alignment_bytes = measure->layout.alignment_bytes,
		.wake = &measure->wake,
	};
	int error;
	int closed;

	/* Not registered with a ring: the file changes from shard to shard. */
	error = reader_open(&measure->reader, READER_PREAD, &setup,
			    measure->fault);
	if (error)
		return error;
	error = measure_blocks(measure, budget_ns);
	closed = reader_close(measure->reader, PATIENCE_NS);
	return error ? error : closed;
}

static int open_all(struct measure *measure)
{
	int error;

	error = open_buffer(measure);
	if (error)
		return error;
	error = unpacker_open(&measure->unpacker, measure->dataset);
	if (error)
		goto unmap;
	error = reader_wake_init(&measure->wake);
	if (error)
		goto close_unpacker;
	return 0;

close_unpacker:
	unpacker_close(measure->unpacker);
unmap:
	buffers_unmap(measure->memory, measure->memory_bytes);
	return error;
}

static void close_all(struct measure *measure)
{
	reader_wake_release(&measure->wake);
	unpacker_close(measure->unpacker);
	buffers_unmap(measure->memory, measure->memory_bytes);
}

int live_measure_decompress(struct dataset *dataset, int64_t budget_ns,
			    struct live_decompress *cost, struct fault *fault)
{
	struct measure *measure;
	int error = -ENOMEM;

	*cost = (struct live_decompress){ 0 };
	measure = calloc(1, sizeof(*measure));
	if (!measure)
		goto fail;
	measure->dataset = dataset;
	measure->layout = dataset_layout(dataset);
	measure->fault = fault;
	error = open_all(measure);
	if (error)
		goto free_measure;
	error = run(measure, budget_ns);
	if (error == -ETIMEDOUT)
		goto fail; /* a thread that reads may touch all this yet */
	if (!error)
		line_fit(&measure->line, cost);
	close_all(measure);
free_measure:
	free(measure);
fail:
	if (error)
		fault_set(fault, NULL, 0, "cannot measure decompression: %s",
			  strerror(-error));
	return error;
}
