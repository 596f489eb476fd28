/* SPDX-License-Identifier: MIT */
#include "storage/live/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/buffers.h"
#include "storage/dataset/files.h"

#define PAGE_BYTES 4096

static uint64_t physical_bytes(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) *
	       (uint64_t)sysconf(_SC_PAGESIZE);
}

/* What the number of request buffers, or their size, comes from. */
static const char *buffer_keys(const struct pipeline *pipeline)
{
	return pipeline->loading.kind == LOADER_WORKERS ?
		       "pipeline.loader.workers or pipeline.loader.reads" :
		       "storage.queue_depth, storage.window or "
		       "storage.request_bytes";
}

/* One mapping for all request buffers. */
static int map_buffers(struct live *live)
{
	uint64_t hosts = live->pipeline->accelerators.hosts;
	uint64_t largest = engine_buffer_bytes(live->pipeline);
	uint64_t alignment = dataset_facts(live->dataset)->alignment_bytes;
	uint64_t limit = physical_bytes() / 2;
	uint64_t slots;
	uint64_t bytes;

	if (alignment < PAGE_BYTES)
		alignment = PAGE_BYTES;
	live->buffers = engine_buffers(live->pipeline);
	slots = hosts * live->buffers;
	if (__builtin_add_overflow(largest, alignment - 1, &bytes))
		bytes = limit;
	live->slot_bytes = bytes / alignment * alignment;
	if (__builtin_mul_overflow(slots, live->slot_bytes, &bytes) ||
	    bytes > limit || slots > UINT32_MAX) {
		fault_set(live->fault, NULL, 0,
			  "%llu request buffers of %llu bytes are more than "
			  "half of this machine's memory (%llu bytes); lower "
			  "%s",
			  (unsigned long long)slots,
			  (unsigned long long)largest,
			  (unsigned long long)limit * 2,
			  buffer_keys(live->pipeline));
		return -ENOMEM;
	}
	live->slots = (uint32_t)slots;
	live->reads_per_host = engine_reads(live->pipeline);
	CHECK(live->reads_per_host <= live->buffers);
	live->memory = buffers_map(bytes);
	if (!live->memory) {
		fault_set(live->fault, NULL, 0,
			  "no memory for %llu bytes of request buffers",
			  (unsigned long long)bytes);
		return -ENOMEM;
	}
	live->memory_bytes = bytes;
	live->report->buffer_bytes = bytes;
	return 0;
}

static int make_tables(struct live *live)
{
	const struct dataset_facts *facts = dataset_facts(live->dataset);
	uint32_t i;

	live->opens_each = facts->opens_each;
	live->file_count = live->opens_each ? live->slots :
					      (uint32_t)facts->shards;
	live->reads = calloc(live->slots, sizeof(*live->reads));
	live->files = calloc(live->file_count, sizeof(*live->files));
	if (!live->reads || !live->files ||
	    held_init(&live->held, live->slots)) {
		fault_set(live->fault, NULL, 0, "no memory for the live run");
		return -ENOMEM;
	}
	for (i = 0; i < live->file_count; i++)
		live->files[i] =
			live->opens_each ? -1 : dataset_fd(live->dataset, i);
	return 0;
}

static int open_reader(struct live *live)
{
	const struct pipeline *pipeline = live->pipeline;
	const struct dataset_facts *facts = dataset_facts(live->dataset);
	const struct live_options *options = live->options;
	struct reader_setup setup = {
		.files = live->files,
		.file_count = live->file_count,
		.files_vary = live->opens_each,
		.memory = live->memory,
		.slot_bytes = live->slot_bytes,
		.slot_count = live->slots,
		.inflight_max = live->slots,
		.alignment_bytes = facts->alignment_bytes,
		.wake = &live->wake,
	};
	uint64_t depth =
		(uint64_t)live->reads_per_host * pipeline->accelerators.hosts;

	if (depth < setup.inflight_max)
		setup.inflight_max = (uint32_t)depth;
	if (options->reader_kind)
		return reader_open_kind(&live->reader, options->reader_kind,
					&setup, live->fault);
	return reader_open(&live->reader, options->backend, &setup,
			   live->fault);
}

int live_open(struct live *live)
{
	int error;

	live->wake.fd = -1;
	error = map_buffers(live);
	if (!error)
		error = make_tables(live);
	if (error)
		return error;
	error = reader_wake_init(&live->wake);
	if (error) {
		fault_set(live->fault, NULL, 0, "no eventfd: %s",
			  strerror(-error));
		return error;
	}
	error = live_jobs_open(&live->jobs, live->pipeline, live->dataset,
			       &live->wake, live->fault);
	if (!error)
		error = open_reader(live);
	return error;
}

static void report_reader(struct live *live)
{
	const struct reader_facts *facts = reader_facts(live->reader);

	live->report->backend = facts->backend;
	live->report->buffers_registered = facts->buffers_registered;
	live->report->device_bytes = facts->bytes;
	_Static_assert(sizeof(live->report->notes) == sizeof(facts->notes),
		       "notes are handed over whole");
	memcpy(live->report->notes, facts->notes, sizeof(facts->notes));
}

int live_close(struct live *live)
{
	uint32_t i;
	int error;

	if (live->reader)
		report_reader(live);
	error = reader_close(live->reader, live->patience_ns);
	live->report->decompress_cpu_ns = live_jobs_close(&live->jobs);
	free(live->reads);
	held_release(&live->held);
	if (error)
		return error; /* what the kernel or a thread that reads may
				 touch yet stays where it is */
	for (i = 0; live->opens_each && live->files && i < live->slots; i++)
		live_close_file(live, i);
	free(live->files);
	if (live->wake.fd >= 0)
		reader_wake_release(&live->wake);
	buffers_unmap(live->memory, live->memory_bytes);
	free(live);
	return 0;
}

void live_close_file(struct live *live, uint32_t slot)
{
	dataset_release_fd(live->dataset, live->files[slot]);
	live->files[slot] = -1;
}
