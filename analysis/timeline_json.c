/* SPDX-License-Identifier: MIT */
#include "analysis/timeline_json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Processes: one for the counters, then those of each host. */
enum process {
	PROCESS_STORAGE,
	PROCESS_STAGES, /* decompress, decode, augment, collate */
	PROCESS_BATCHES = PROCESS_STAGES + STAGE_COUNT - 1,
	PROCESS_ACCELERATORS,
	PROCESS_COUNT
};

#define COUNTERS_PID 1u
#define HOSTS_PID 2u

static const char *const process_names[PROCESS_COUNT] = {
	"storage", "decompress", "decode",	 "augment",
	"collate", "batches",	 "accelerators",
};

static const char *const work_names[STAGE_COUNT] = {
	[STAGE_DECOMPRESS] = "block",
	[STAGE_DECODE] = "example",
	[STAGE_AUGMENT] = "example",
	[STAGE_COLLATE] = "batch",
};

/* Workers of a stage on a host: until when each is busy. */
struct lanes {
	int64_t *free_ns;
	size_t count;
	size_t room;
};

struct writer {
	FILE *out;
	const struct pipeline *pipeline;
	struct lanes *lanes; /* by host and stage */
	uint64_t async;	     /* ids given so far */
	bool any;
};

static unsigned int pid_of(uint32_t host, enum process process)
{
	return HOSTS_PID + host * PROCESS_COUNT + process;
}

/* Everything but the closing brace. */
static void begin(struct writer *writer, const char *phase, unsigned int pid,
		  size_t tid, const char *name)
{
	fprintf(writer->out,
		"%s\n{\"ph\": \"%s\", \"pid\": %u, \"tid\": %zu, "
		"\"name\": \"%s\"",
		writer->any ? "," : "", phase, pid, tid, name);
	writer->any = true;
}

static void put_time(struct writer *writer, const char *key, int64_t time_ns)
{
	fprintf(writer->out, ", \"%s\": %" PRId64 ".%03d", key, time_ns / 1000,
		(int)(time_ns % 1000));
}

/* Names of what the rows stand for. */

static void name_process(struct writer *writer, unsigned int pid,
			 const char *name, uint32_t host)
{
	begin(writer, "M", pid, 0, "process_name");
	fprintf(writer->out, ", \"args\": {\"name\": \"%s", name);
	if (writer->pipeline->accelerators.hosts > 1)
		fprintf(writer->out, ", host %u", host);
	fputs("\"}}", writer->out);
	begin(writer, "M", pid, 0, "process_sort_index");
	fprintf(writer->out, ", \"args\": {\"sort_index\": %u}}", pid);
}

static void name_thread(struct writer *writer, unsigned int pid, size_t tid,
			const char *name)
{
	begin(writer, "M", pid, tid, "thread_name");
	fprintf(writer->out, ", \"args\": {\"name\": \"%s %zu\"}}", name, tid);
}

static void name_all(struct writer *writer)
{
	const struct accelerators *accelerators =
		&writer->pipeline->accelerators;
	uint32_t host, i;
	enum process process;

	begin(writer, "M", COUNTERS_PID, 0, "process_name");
	fputs(", \"args\": {\"name\": \"levels\"}}", writer->out);
	for (host = 0; host < accelerators->hosts; host++)
		for (process = 0; process < PROCESS_COUNT; process++)
			name_process(writer, pid_of(host, process),
				     process_names[process], host);
	for (i = 0; i < accelerators->count * accelerators->hosts; i++)
		name_thread(writer,
			    pid_of(i / accelerators->count,
				   PROCESS_ACCELERATORS),
			    i, "accelerator");
}

/* Events. */

static void put_async(struct writer *writer, unsigned int pid, const char *name,
		      uint64_t id, int64_t from_ns, int64_t to_ns,
		      const char *args)
{
	begin(writer, "b", pid, 0, name);
	put_time(writer, "ts", from_ns);
	fprintf(writer->out,
		", \"cat\": \"%s\", \"id\": \"%" PRIu64 "\", \"args\": {%s}}",
		name, id, args);
	begin(writer, "e", pid, 0, name);
	put_time(writer, "ts", to_ns);
	fprintf(writer->out, ", \"cat\": \"%s\", \"id\": \"%" PRIu64 "\"}",
		name, id);
}

static void put_slice(struct writer *writer, unsigned int pid, size_t tid,
		      const char *name, int64_t from_ns, int64_t to_ns)
{
	begin(writer, "X", pid, tid, name);
	put_time(writer, "ts", from_ns);
	put_time(writer, "dur", to_ns - from_ns);
}

static void put_request(struct writer *writer, const struct trace_event *event)
{
	unsigned int pid = pid_of(event->host, PROCESS_STORAGE);
	char args[200];

	snprintf(args, sizeof(args),
		 "\"number\": %" PRIu64 ", \"shard\": %u, \"offset\": %" PRIu64
		 ", \"bytes\": %" PRIu64 ", \"cached\": %" PRIu64
		 ", \"retries\": %u, \"failed\": %s",
		 event->number, event->object, event->offset_bytes,
		 event->bytes, event->cached_bytes, event->retries,
		 event->flags & TRACE_FAILED ? "true" : "false");
	put_async(writer, pid, "request", ++writer->async, event->issue_ns,
		  event->end_ns, args);
	if (event->start_ns >= event->issue_ns &&
	    event->start_ns < event->end_ns)
		put_async(writer, pid, "served", writer->async, event->start_ns,
			  event->end_ns, "");
}

/* The first worker that is free; a new one where all are busy. */
static size_t take_lane(struct writer *writer, struct lanes *lanes,
			const struct trace_event *event, unsigned int pid)
{
	int64_t *more;
	size_t lane;

	for (lane = 0; lane < lanes->count; lane++)
		if (lanes->free_ns[lane] <= event->start_ns)
			break;
	if (lane == lanes->room) {
		more = realloc(lanes->free_ns,
			       (2 * lanes->room + 8) * sizeof(*more));
		if (!more)
			return lane;
		lanes->free_ns = more;
		lanes->room = 2 * lanes->room + 8;
	}
	if (lane == lanes->count) {
		lanes->count++;
		name_thread(writer, pid, lane, "worker");
	}
	lanes->free_ns[lane] = event->end_ns;
	return lane;
}

static void put_work(struct writer *writer, const struct trace_event *event)
{
	enum process process = PROCESS_STAGES + event->stage - 1;
	unsigned int pid = pid_of(event->host, process);
	struct lanes *lanes =
		&writer->lanes[event->host * STAGE_COUNT + event->stage];
	size_t lane = take_lane(writer, lanes, event, pid);

	put_slice(writer, pid, lane, work_names[event->stage], event->start_ns,
		  event->end_ns);
	fprintf(writer->out, ", \"args\": {\"number\": %" PRIu64 "}}",
		event->number);
}

static void put_step(struct writer *writer, const struct trace_event *event)
{
	unsigned int pid = pid_of(event->host, PROCESS_ACCELERATORS);

	if (event->issue_ns < event->start_ns) {
		put_slice(writer, pid, event->object, "waits for others",
			  event->issue_ns, event->start_ns);
		fputc('}', writer->out);
	}
	put_slice(writer, pid, event->object, "step", event->start_ns,
		  event->end_ns);
	fprintf(writer->out, ", \"args\": {\"step\": %" PRIu64 "}}",
		event->number);
}

static void put_batch(struct writer *writer, const struct trace_event *event)
{
	char args[64];

	snprintf(args, sizeof(args),
		 "\"number\": %" PRIu64 ", \"accelerator\": %u", event->number,
		 event->object);
	put_async(writer, pid_of(event->host, PROCESS_BATCHES), "batch",
		  ++writer->async, event->issue_ns, event->end_ns, args);
}

static void put_event(struct writer *writer, const struct trace_event *event)
{
	switch (event->kind) {
	case TRACE_REQUEST:
		put_request(writer, event);
		break;
	case TRACE_WORK:
		put_work(writer, event);
		break;
	case TRACE_BATCH:
		put_batch(writer, event);
		break;
	case TRACE_STEP:
		put_step(writer, event);
		break;
	}
}

static void put_counter(struct writer *writer, int64_t at_ns, const char *name,
			uint64_t value)
{
	begin(writer, "C", COUNTERS_PID, 0, name);
	put_time(writer, "ts", at_ns);
	fprintf(writer->out, ", \"args\": {\"count\": %" PRIu64 "}}", value);
}

static void put_samples(struct writer *writer, const struct samples *samples)
{
	const struct engine_levels *levels;
	int64_t at_ns;
	size_t i;

	for (i = 0; i < samples->count; i++) {
		levels = &samples->at[i];
		at_ns = samples->start_ns + (int64_t)i * samples->distance_ns;
		put_counter(writer, at_ns, "requests in flight",
			    levels->requests);
		put_counter(writer, at_ns, "blocks to decompress",
			    levels->waiting[STAGE_READ]);
		put_counter(writer, at_ns, "examples to decode",
			    levels->waiting[STAGE_DECOMPRESS]);
		put_counter(writer, at_ns, "examples decoded",
			    levels->waiting[STAGE_DECODE]);
		put_counter(writer, at_ns, "examples in shuffle buffers",
			    levels->shuffled_examples);
		put_counter(writer, at_ns, "examples augmented",
			    levels->waiting[STAGE_AUGMENT]);
		put_counter(writer, at_ns, "read-ahead credit in use",
			    levels->ahead_examples);
		put_counter(writer, at_ns, "batches ready", levels->batches);
		put_counter(writer, at_ns, "accelerators busy",
			    levels->stepping);
	}
}

static void put_stretch(struct writer *writer, const struct stretch *stretch)
{
	size_t i;

	for (i = 0; i < stretch->count; i++)
		put_event(writer, &stretch->events[i]);
	put_samples(writer, &stretch->samples);
}

static int write_lanes(struct writer *writer, const struct timeline *timeline)
{
	size_t count =
		writer->pipeline->accelerators.hosts * (size_t)STAGE_COUNT;
	size_t i;

	writer->lanes = calloc(count, sizeof(*writer->lanes));
	if (!writer->lanes)
		return -ENOMEM;
	put_stretch(writer, timeline_first(timeline));
	if (timeline_steady(timeline))
		put_stretch(writer, timeline_steady(timeline));
	for (i = 0; i < count; i++)
		free(writer->lanes[i].free_ns);
	free(writer->lanes);
	return 0;
}

int timeline_write(FILE *out, const struct timeline *timeline,
		   const struct pipeline *pipeline)
{
	struct writer writer = { .out = out, .pipeline = pipeline };
	int error = 0;

	fputs("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [", out);
	name_all(&writer);
	if (timeline_first(timeline))
		error = write_lanes(&writer, timeline);
	fputs("\n]}\n", out);
	return error;
}
