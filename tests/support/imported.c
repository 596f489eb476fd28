/* SPDX-License-Identifier: MIT */
#include "tests/support/imported.h"

#include <stdio.h>
#include <string.h>

#include "sim/check.h"
#include "traces/import/order.h"
#include "traces/recording/recording.h"

static int read_memory(void *context, void *buffer, size_t size, size_t *count,
		       struct fault *fault)
{
	struct memory_source *memory = context;
	size_t left = memory->size - memory->at;

	if (size > left)
		size = left;
	if (size > memory->piece)
		size = memory->piece;
	if (size)
		memcpy(buffer, memory->bytes + memory->at, size);
	memory->at += size;
	*count = size;
	if (size || !memory->end_error)
		return 0;
	fault_set(fault, NULL, 0, "breaks off");
	return memory->end_error;
}

struct byte_source memory_source_open(struct memory_source *memory,
				      const void *bytes, size_t size,
				      size_t piece)
{
	*memory = (struct memory_source){ .bytes = bytes,
					  .size = size,
					  .piece = piece };
	return (struct byte_source){ memory, read_memory };
}

struct keeper {
	struct imported *imported;
	int64_t last_ns;
};

static int keep(void *context, const struct trace_event *event)
{
	struct keeper *keeper = context;
	struct imported *imported = keeper->imported;

	CHECK(order_told_ns(event) >= keeper->last_ns);
	keeper->last_ns = order_told_ns(event);
	CHECK(order_begin_ns(event) >= 0);
	CHECK(order_told_ns(event) <= RECORDING_TIME_MAX);
	CHECK(event->end_ns <= RECORDING_TIME_MAX);
	CHECK(order_begin_ns(event) <= keeper->last_ns);
	if (imported->count < IMPORTED_EVENTS_MAX)
		imported->events[imported->count] = *event;
	imported->count++;
	return 0;
}

int imported_from(struct imported *imported, const char *from,
		  const void *bytes, size_t size)
{
	struct keeper keeper = { imported, 0 };
	const struct import_sink sink = { &keeper, keep };
	const struct importer *importer = NULL;
	int error;
	struct memory_source memory;
	struct byte_source source =
		memory_source_open(&memory, bytes, size, SIZE_MAX);

	if (from) {
		importer = importer_find(from);
		CHECK(importer);
	}
	memory.end_error = imported->end_error;
	imported->count = 0;
	imported->fault = (struct fault){ 0 };
	error = import_run(importer, &imported->options, &source, &sink,
			   &imported->report, &imported->fault);
	CHECK(!error == !imported->fault.text[0]);
	return error;
}

int imported_text(struct imported *imported, const char *from, const char *text)
{
	return imported_from(imported, from, text, strlen(text));
}
