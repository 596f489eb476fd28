/* SPDX-License-Identifier: MIT */
#include "analysis/trace/perfetto.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/pipeline.h"

/* Processes: one for the counters, then those of each host. */
enum process {
	PROCESS_STORAGE,
	PROCESS_STAGES, /* decompress, decode, augment, collate */
	PROCESS_BATCHES = PROCESS_STAGES + STAGE_COUNT - 1,
	PROCESS_ACCELERATORS,
	PROCESS_WORKERS, /* where a loader has such */
	PROCESS_COUNT
};

#define COUNTERS_PID 1u
#define HOSTS_PID 2u

static const char *const process_names[PROCESS_COUNT] = {
	"storage", "decompress", "decode",	 "augment",
	"collate", "batches",	 "accelerators", "loader workers",
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

/* What a worker of a loader carried last: it waits, until it is taken or the
 * worker begins another one. */
struct carried {
	bool any;
	uint64_t number;
	int64_t finished_ns;
	int64_t taken_ns;
};

#define NAMED_MAX 1024 /* accelerators of a host whose rows have names */
#define LANES_MAX 4096

struct perfetto_host {
	struct lanes lanes[STAGE_COUNT];
	uint64_t named[NAMED_MAX / 64]; /* accelerators, a bit each */
	struct carried *carried;	/* by worker */
	size_t carrier_count;
};

static unsigned int pid_of(uint32_t host, enum process process)
{
	return HOSTS_PID + host * PROCESS_COUNT + process;
}

/* Everything but the closing brace. */
static void begin(struct perfetto *perfetto, const char *phase,
		  unsigned int pid, size_t tid, const char *name)
{
	fprintf(perfetto->out,
		"%s\n{\"ph\": \"%s\", \"pid\": %u, \"tid\": %zu, "
		"\"name\": \"%s\"",
		perfetto->any ? "," : "", phase, pid, tid, name);
	perfetto->any = true;
}

static void put_time(struct perfetto *perfetto, const char *key,
		     int64_t time_ns)
{
	fprintf(perfetto->out, ", \"%s\": %" PRId64 ".%03d", key,
		time_ns / 1000, (int)(time_ns % 1000));
}

/* Names of what the rows stand for. */

static void name_process(struct perfetto *perfetto, unsigned int pid,
			 const char *name, uint32_t host)
{
	begin(perfetto, "M", pid, 0, "process_name");
	fprintf(perfetto->out, ", \"args\": {\"name\": \"%s", name);
	if (perfetto->several)
		fprintf(perfetto->out, ", host %u", host);
	fputs("\"}}", perfetto->out);
	begin(perfetto, "M", pid, 0, "process_sort_index");
	fprintf(perfetto->out, ", \"args\": {\"sort_index\": %u}}", pid);
}

static void name_thread(struct perfetto *perfetto, unsigned int pid, size_t tid,
			const char *name)
{
	begin(perfetto, "M", pid, tid, "thread_name");
	fprintf(perfetto->out, ", \"args\": {\"name\": \"%s %zu\"}}", name,
		tid);
}

void perfetto_begin(struct perfetto *perfetto, FILE *out, bool several)
{
	*perfetto = (struct perfetto){ .out = out, .several = several };
	fputs("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [", out);
	begin(perfetto, "M", COUNTERS_PID, 0, "process_name");
	fputs(", \"args\": {\"name\": \"levels\"}}", out);
}

int perfetto_name_host(struct perfetto *perfetto, uint32_t host)
{
	struct perfetto_host *more;
	enum process process;

	CHECK(host < PERFETTO_HOSTS_MAX);
	while (perfetto->host_count <= host) {
		more = reallocarray(perfetto->hosts, perfetto->host_count + 1,
				    sizeof(*more));
		if (!more)
			return -ENOMEM;
		perfetto->hosts = more;
		memset(&more[perfetto->host_count], 0, sizeof(*more));
		for (process = 0; process < PROCESS_WORKERS; process++)
			name_process(perfetto,
				     pid_of(perfetto->host_count, process),
				     process_names[process],
				     perfetto->host_count);
		perfetto->host_count++;
	}
	return 0;
}

void perfetto_name_accelerator(struct perfetto *perfetto, uint32_t host,
			       uint32_t accelerator)
{
	uint64_t *named;

	if (accelerator >= NAMED_MAX)
		return;
	named = &perfetto->hosts[host].named[accelerator / 64];
	if (*named >> accelerator % 64 & 1)
		return;
	*named |= UINT64_C(1) << accelerator % 64;
	name_thread(perfetto, pid_of(host, PROCESS_ACCELERATORS), accelerator,
		    "accelerator");
}

/* Events. */

/* When its row shows it first: work and steps when they begin. */
static int64_t from_ns(const struct trace_event *event)
{
	if (event->kind == TRACE_WORK || event->kind == TRACE_STEP ||
	    event->issue_ns == TIME_UNKNOWN)
		return event->start_ns;
	return event->issue_ns;
}

static void put_async(struct perfetto *perfetto, unsigned int pid,
		      const char *name, uint64_t id, int64_t from_ns,
		      int64_t to_ns, const char *args)
{
	begin(perfetto, "b", pid, 0, name);
	put_time(perfetto, "ts", from_ns);
	fprintf(perfetto->out,
		", \"cat\": \"%s\", \"id\": \"%" PRIu64 "\", \"args\": {%s}}",
		name, id, args);
	begin(perfetto, "e", pid, 0, name);
	put_time(perfetto, "ts", to_ns);
	fprintf(perfetto->out, ", \"cat\": \"%s\", \"id\": \"%" PRIu64 "\"}",
		name, id);
}

static void put_slice(struct perfetto *perfetto, unsigned int pid, size_t tid,
		      const char *name, int64_t from_ns, int64_t to_ns)
{
	begin(perfetto, "X", pid, tid, name);
	put_time(perfetto, "ts", from_ns);
	put_time(perfetto, "dur", to_ns - from_ns);
}

static void put_request(struct perfetto *perfetto,
			const struct trace_event *event)
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
	put_async(perfetto, pid, "request", ++perfetto->async, from_ns(event),
		  event->end_ns, args);
	if (event->start_ns >= from_ns(event) &&
	    event->start_ns < event->end_ns)
		put_async(perfetto, pid, "served", perfetto->async,
			  event->start_ns, event->end_ns, "");
}

/* The first worker that is free; a new one where all are busy. */
static size_t take_lane(struct perfetto *perfetto, struct lanes *lanes,
			const struct trace_event *event, unsigned int pid)
{
	int64_t *more;
	size_t lane;

	/* Workers of a real run are fewer; beyond that, bars overlap. */
	for (lane = 0; lane < lanes->count; lane++)
		if (lane == LANES_MAX - 1 ||
		    lanes->free_ns[lane] <= event->start_ns)
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
		name_thread(perfetto, pid, lane, "worker");
	}
	lanes->free_ns[lane] = event->end_ns;
	return lane;
}

static void put_work(struct perfetto *perfetto, const struct trace_event *event)
{
	enum process process = PROCESS_STAGES + event->stage - 1;
	unsigned int pid = pid_of(event->host, process);
	struct lanes *lanes = &perfetto->hosts[event->host].lanes[event->stage];
	size_t lane = take_lane(perfetto, lanes, event, pid);

	put_slice(perfetto, pid, lane, work_names[event->stage],
		  event->start_ns, event->end_ns);
	fprintf(perfetto->out, ", \"args\": {\"number\": %" PRIu64 "}}",
		event->number);
}

/* Room for what a worker carries, and its name. */
static int add_carriers(struct perfetto *perfetto, uint32_t host,
			uint32_t worker)
{
	struct perfetto_host *at = &perfetto->hosts[host];
	unsigned int pid = pid_of(host, PROCESS_WORKERS);
	struct carried *more;

	if (worker < at->carrier_count)
		return 0;
	more = reallocarray(at->carried, worker + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	if (!at->carrier_count)
		name_process(perfetto, pid, process_names[PROCESS_WORKERS],
			     host);
	at->carried = more;
	while (at->carrier_count <= worker) {
		more[at->carrier_count] = (struct carried){ 0 };
		name_thread(perfetto, pid, at->carrier_count++, "worker");
	}
	return 0;
}

/* That the last one waited, while its worker had no other. */
static void put_wait(struct perfetto *perfetto, uint32_t host, size_t worker,
		     int64_t until_ns)
{
	const struct carried *last = &perfetto->hosts[host].carried[worker];

	if (until_ns > last->taken_ns)
		until_ns = last->taken_ns;
	if (!last->any || until_ns <= last->finished_ns)
		return;
	put_slice(perfetto, pid_of(host, PROCESS_WORKERS), worker,
		  "finished, waits", last->finished_ns, until_ns);
	fprintf(perfetto->out, ", \"args\": {\"number\": %" PRIu64 "}}",
		last->number);
}

static int put_carry(struct perfetto *perfetto, const struct trace_event *event)
{
	int error;

	if (event->object >= LANES_MAX)
		return 0;
	error = add_carriers(perfetto, event->host, event->object);
	if (error)
		return error;
	put_wait(perfetto, event->host, event->object, event->issue_ns);
	put_slice(perfetto, pid_of(event->host, PROCESS_WORKERS), event->object,
		  "batch", event->issue_ns, event->start_ns);
	fprintf(perfetto->out, ", \"args\": {\"number\": %" PRIu64 "}}",
		event->number);
	perfetto->hosts[event->host].carried[event->object] = (struct carried){
		.any = true,
		.number = event->number,
		.finished_ns = event->start_ns,
		.taken_ns = event->end_ns,
	};
	return 1;
}

static void put_step(struct perfetto *perfetto, const struct trace_event *event)
{
	unsigned int pid = pid_of(event->host, PROCESS_ACCELERATORS);

	if (event->issue_ns >= 0 && event->issue_ns < event->start_ns) {
		put_slice(perfetto, pid, event->object, "waits for others",
			  event->issue_ns, event->start_ns);
		fputc('}', perfetto->out);
	}
	put_slice(perfetto, pid, event->object, "step", event->start_ns,
		  event->end_ns);
	fprintf(perfetto->out, ", \"args\": {\"step\": %" PRIu64 "}}",
		event->number);
}

static void put_batch(struct perfetto *perfetto,
		      const struct trace_event *event)
{
	char args[64];

	snprintf(args, sizeof(args),
		 "\"number\": %" PRIu64 ", \"accelerator\": %u", event->number,
		 event->object);
	put_async(perfetto, pid_of(event->host, PROCESS_BATCHES), "batch",
		  ++perfetto->async, from_ns(event), event->end_ns, args);
}

static bool has_place(const struct trace_event *event)
{
	return event->host < PERFETTO_HOSTS_MAX && from_ns(event) >= 0 &&
	       from_ns(event) <= event->end_ns &&
	       (event->kind != TRACE_WORK ||
		(event->stage >= STAGE_DECOMPRESS &&
		 event->stage < STAGE_COUNT));
}

int perfetto_put(struct perfetto *perfetto, const struct trace_event *event)
{
	int error;

	if (!has_place(event))
		return 0;
	error = perfetto_name_host(perfetto, event->host);
	if (error)
		return error;
	switch (event->kind) {
	case TRACE_REQUEST:
		put_request(perfetto, event);
		break;
	case TRACE_WORK:
		put_work(perfetto, event);
		break;
	case TRACE_BATCH:
		put_batch(perfetto, event);
		break;
	case TRACE_STEP:
		perfetto_name_accelerator(perfetto, event->host, event->object);
		put_step(perfetto, event);
		break;
	case TRACE_CARRY:
		return put_carry(perfetto, event);
	}
	return 1;
}

void perfetto_count(struct perfetto *perfetto, int64_t at_ns, const char *name,
		    uint64_t value)
{
	begin(perfetto, "C", COUNTERS_PID, 0, name);
	put_time(perfetto, "ts", at_ns);
	fprintf(perfetto->out, ", \"args\": {\"count\": %" PRIu64 "}}", value);
}

void perfetto_end(struct perfetto *perfetto)
{
	uint32_t host;
	size_t stage, worker;

	for (host = 0; host < perfetto->host_count; host++)
		for (worker = 0; worker < perfetto->hosts[host].carrier_count;
		     worker++)
			put_wait(perfetto, host, worker, INT64_MAX);
	fputs("\n]}\n", perfetto->out);
	for (host = 0; host < perfetto->host_count; host++)
		free(perfetto->hosts[host].carried);
	for (host = 0; host < perfetto->host_count; host++)
		for (stage = 0; stage < STAGE_COUNT; stage++)
			free(perfetto->hosts[host].lanes[stage].free_ns);
	free(perfetto->hosts);
}
