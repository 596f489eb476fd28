/* SPDX-License-Identifier: MIT */
#include "storage/live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "storage/clock.h"
#include "storage/dataset.h"
#include "storage/reader.h"

#define PAGE_BYTES 4096
#define PATIENCE_NS INT64_C(30000000000)

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
	uint64_t content_bytes;
	int64_t busy_ns;
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
	measure->file = dataset_fd(measure->dataset, block.shard);
	skip = block.offset_bytes % alignment;
	request.offset_bytes = block.offset_bytes - skip;
	request.needed_bytes = skip + block.stored_bytes;
	request.bytes =
		(request.needed_bytes + alignment - 1) / alignment * alignment;
	error = read_range(measure, &request);
	if (error) {
		fault_set(measure->fault, NULL, 0,
			  "shard %u, block %llu, offset %llu: cannot read: %s",
			  block.shard, (unsigned long long)index,
			  (unsigned long long)block.offset_bytes,
			  strerror(-error));
		return error;
	}
	start_ns = clock_thread_cpu_ns();
	error = unpacker_check(measure->unpacker, index, measure->memory + skip,
			       block.stored_bytes, &content_bytes,
			       measure->fault);
	measure->busy_ns += clock_thread_cpu_ns() - start_ns;
	measure->content_bytes += content_bytes;
	return error;
}

static int measure_blocks(struct measure *measure, int64_t budget_ns)
{
	int64_t end_ns = clock_now_ns() + budget_ns;
	uint64_t i;
	int error = 0;

	for (i = 0; i < measure->layout.blocks && !error; i++) {
		error = measure_block(measure, i);
		if (clock_now_ns() >= end_ns)
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
	measure->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (measure->memory == MAP_FAILED)
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
	munmap(measure->memory, measure->memory_bytes);
	return error;
}

static void close_all(struct measure *measure)
{
	reader_wake_release(&measure->wake);
	unpacker_close(measure->unpacker);
	munmap(measure->memory, measure->memory_bytes);
}

int live_measure_decompress(struct dataset *dataset, int64_t budget_ns,
			    uint64_t *bytes_per_s, struct fault *fault)
{
	struct measure *measure;
	int error = -ENOMEM;

	*bytes_per_s = 0;
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
	if (measure->busy_ns > 0)
		*bytes_per_s = (uint64_t)((double)measure->content_bytes * 1e9 /
					  (double)measure->busy_ns);
	close_all(measure);
free_measure:
	free(measure);
fail:
	if (error)
		fault_set(fault, NULL, 0, "cannot measure decompression: %s",
			  strerror(-error));
	return error;
}
