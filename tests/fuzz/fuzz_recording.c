/* SPDX-License-Identifier: MIT */
/*
 * A recording, from hostile bytes. Every event that is read is encoded to the
 * same bytes again, is checked, counted and printed; the rest is refused with
 * a line that says why.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "analysis/trace/requests.h"
#include "analysis/trace/check.h"
#include "analysis/trace/stat.h"
#include "analysis/trace/table.h"
#include "sim/check.h"
#include "traces/recording/recording.h"
#include "traces/recording/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct memory {
	const uint8_t *bytes;
	size_t size, at;
};

static int read_memory(void *context, void *bytes, size_t size, size_t *count,
		       struct fault *fault)
{
	struct memory *memory = context;
	size_t left = memory->size - memory->at;

	(void)fault;
	*count = size < left ? size : left;
	memcpy(bytes, memory->bytes + memory->at, *count);
	memory->at += *count;
	return 0;
}

struct sinks {
	struct trace_check check;
	struct trace_stat *stat;
	struct requests requests;
	FILE *null;
};

static void use(struct sinks *sinks, const struct trace_event *event,
		const uint8_t *record)
{
	unsigned char again[RECORDING_RECORD_BYTES];

	recording_encode(event, again);
	CHECK(!memcmp(again, record, sizeof(again)));
	if (!trace_check_add(&sinks->check, event))
		CHECK(sinks->check.wrong);
	trace_stat_add(sinks->stat, event);
	CHECK(!requests_add(&sinks->requests, event));
	trace_table_row(sinks->null, TRACE_TEXT, event);
	trace_table_row(sinks->null, TRACE_JSON_LINES, event);
}

static void read_all(struct recording *recording, const uint8_t *records,
		     struct sinks *sinks)
{
	const struct recording_head *head = recording_head(recording);
	struct fault fault = { 0 };
	struct trace_event event;
	static struct scenario scenario;
	int got;

	if (recording_scenario(head, "f", NULL, 0, &scenario, &fault) ||
	    scenario_check(&scenario, "f", &fault))
		CHECK(fault.text[0]);
	else
		CHECK(!recording_same(&scenario, &scenario, &scenario.echoes[0],
				      "f", &fault));
	fault = (struct fault){ 0 };
	while ((got = recording_next(recording, &event, &fault)) > 0) {
		use(sinks, &event, records);
		records += RECORDING_RECORD_BYTES;
	}
	CHECK(got == 0 || fault.text[0]);
	if (trace_check_end(&sinks->check, recording_end(recording), "f",
			    &fault))
		CHECK(fault.text[0]);
}

static void show(struct sinks *sinks)
{
	struct document *document;

	trace_stat_finish(sinks->stat);
	document = trace_stat_document(sinks->stat);
	CHECK(!document_write(sinks->null, document));
	document_free(document);
	requests_finish(&sinks->requests);
	for (uint64_t i = 0; i < sinks->requests.count; i++)
		CHECK(sinks->requests.rows[i].depth > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct memory memory = { bytes, size, 0 };
	const struct byte_source source = { &memory, read_memory };
	struct sinks sinks = { 0 };
	struct recording *recording;
	struct fault fault = { 0 };

	if (recording_open(&recording, "fuzz", &source, &fault)) {
		CHECK(fault.text[0]);
		return 0;
	}
	sinks.stat = trace_stat_open();
	sinks.null = fopen("/dev/null", "w");
	CHECK(sinks.stat && sinks.null);
	read_all(recording,
		 bytes + RECORDING_HEAD_BYTES +
			 recording_head(recording)->text_bytes,
		 &sinks);
	show(&sinks);
	requests_release(&sinks.requests);
	fclose(sinks.null);
	trace_stat_close(sinks.stat);
	recording_close(recording);
	return 0;
}
