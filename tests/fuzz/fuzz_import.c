/* SPDX-License-Identifier: MIT */
/*
 * Foreign traces from hostile bytes. The first byte chooses the importer (the
 * number of its row; beyond the table: found from the bytes), its high bit
 * `strict`. What comes out must be in order of time and end after it begins;
 * what is refused must say why.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sim/check.h"
#include "traces/import/import.h"
#include "traces/import/order.h"
#include "traces/recording/recording.h"

#define WINDOW 8

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct input {
	const uint8_t *bytes;
	size_t size;
};

/* In pieces of odd sizes. */
static int give(void *context, void *bytes, size_t size, size_t *count,
		struct fault *fault)
{
	struct input *input = context;

	(void)fault;
	*count = input->size % 61 + 1;
	if (*count > size)
		*count = size;
	if (*count > input->size)
		*count = input->size;
	if (*count)
		memcpy(bytes, input->bytes, *count);
	input->bytes += *count;
	input->size -= *count;
	return 0;
}

static int take(void *context, const struct trace_event *event)
{
	int64_t *last_ns = context;

	CHECK(order_told_ns(event) >= *last_ns);
	*last_ns = order_told_ns(event);
	CHECK(order_begin_ns(event) != TIME_UNKNOWN);
	CHECK(order_begin_ns(event) <= *last_ns);
	CHECK(order_begin_ns(event) >= -RECORDING_TIME_MAX);
	CHECK(*last_ns <= RECORDING_TIME_MAX);
	CHECK(event->end_ns <= RECORDING_TIME_MAX);
	if (event->start_ns != TIME_UNKNOWN && event->end_ns != TIME_UNKNOWN)
		CHECK(event->start_ns <= event->end_ns);
	CHECK(event->kind < TRACE_KINDS);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int64_t last_ns = INT64_MIN;
	struct import_options options = { .window = WINDOW };
	const struct import_sink sink = { &last_ns, take };
	const struct importer *importer = NULL;
	struct input input = { bytes + 1, size - 1 };
	const struct byte_source source = { &input, give };
	struct import_report report;
	struct fault fault = { 0 };
	int error;

	if (!size)
		return 0;
	options.strict = bytes[0] & 0x80;
	if ((bytes[0] & 0x7f) < importer_count)
		importer = importer_table[bytes[0] & 0x7f];
	error = import_run(importer, &options, &source, &sink, &report, &fault);
	CHECK(!error == !fault.text[0]);
	return 0;
}
