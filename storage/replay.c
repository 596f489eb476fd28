/* SPDX-License-Identifier: MIT */
#include "storage/replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "storage/buffers.h"
#include "storage/clock.h"
#include "storage/live/held.h"
#include "storage/priority.h"
#include "storage/reader.h"

#define GIBIBYTE (UINT64_C(1) << 30)
#define PAGE_BYTES 4096
#define MEMORY_BYTES_MAX (UINT64_C(256) << 20) /* of buffers */
#define REAP_BATCH 64
#define SLEEP_NS_MAX INT64_C(100000000)
#define PROGRESS_NS INT64_C(100000000)
#define TIME_NS_MAX 9e18
#define PATIENCE_NS INT64_C(30000000000)

struct flight {
	int64_t issued_ns; /* since the start */
	int64_t due_ns;	   /* in the device model */
	uint64_t number;
};

struct io_replay {
	const struct io_request *requests;
	uint64_t count;
	uint64_t next;
	const struct io_replay_target *target;
	const struct io_replay_options *options;
	struct io_replay_report *report;
	struct fault *fault;

	unsigned char *memory;
	size_t memory_bytes;
	size_t slot_bytes;
	uint32_t slots;
	struct flight *flights; /* by slot */
	uint32_t *idle;		/* slots: a stack */
	uint32_t idle_count;
	struct held held; /* complete, and not yet in the device model */
	uint32_t reading; /* with the kernel */
	struct reader_wake wake;
	struct reader *reader;

	int64_t start_ns; /* the clock's */
	int64_t heard_ns;
	int64_t progress_ns;
	struct priority priority;
	bool waits; /* the next request has been counted as waiting */
};

static int64_t now(const struct io_replay *replay)
{
	return clock_now_ns() - replay->start_ns;
}

/* ---- where requests go ---- */

static uint64_t align_up(uint64_t bytes, uint64_t alignment)
{
	return (bytes + alignment - 1) / alignment * alignment;
}

/* Length of a request as it is issued: whole pieces of the alignment. */
static uint64_t issued_bytes(const struct io_replay *replay,
			     const struct io_request *request)
{
	uint64_t alignment = replay->target->alignment_bytes;
	uint64_t bytes = request->bytes;
	uint64_t skip = request->offset_bytes % alignment;

	if (bytes > IO_REPLAY_BYTES_MAX - 2 * alignment)
		bytes = IO_REPLAY_BYTES_MAX - 2 * alignment;
	bytes = align_up(skip + bytes, alignment);
	return bytes ? bytes : alignment;
}

/* A target smaller than the request gives what it has. */
static void place(struct io_replay *replay, const struct io_request *request,
		  struct reader_request *placed)
{
	const struct io_replay_target *target = replay->target;
	uint64_t alignment = target->alignment_bytes;
	uint64_t file_bytes;
	uint64_t offset = request->offset_bytes;

	placed->file = request->object;
	if (placed->file >= target->count ||
	    offset >= target->bytes[placed->file]) {
		replay->report->moved++;
		placed->file = request->object % target->count;
		offset %= GIBIBYTE << 16; /* leaves room for the sum */
		offset += request->object / target->count * GIBIBYTE;
		offset %= target->bytes[placed->file];
	}
	file_bytes = target->bytes[placed->file];
	placed->offset_bytes = offset / alignment * alignment;
	placed->bytes = issued_bytes(replay, request);
	placed->needed_bytes = placed->bytes;
	/* Past the end of the file nothing is needed. */
	if (placed->needed_bytes > file_bytes - placed->offset_bytes)
		placed->needed_bytes = file_bytes - placed->offset_bytes;
}

/* ---- issuing ---- */

static int64_t schedule_ns(const struct io_replay *replay, uint64_t number)
{
	double at_ns = (double)replay->requests[number].issue_ns /
		       replay->options->speed;

	return at_ns < TIME_NS_MAX ? (int64_t)at_ns : (int64_t)TIME_NS_MAX;
}

static uint32_t in_flight(const struct io_replay *replay)
{
	return replay->slots - replay->idle_count;
}

static int64_t modelled_ns(struct io_replay *replay,
			   const struct io_request *request, int64_t now_ns)
{
	struct device_request modelled = {
		.number = replay->next,
		.position_bytes =
			request->object * GIBIBYTE + request->offset_bytes,
		.bytes = request->bytes < IO_REPLAY_BYTES_MAX ?
				 request->bytes :
				 IO_REPLAY_BYTES_MAX,
	};

	if (!replay->options->device)
		return 0;
	return device_submit(replay->options->device, now_ns, &modelled).at_ns;
}

static void issue(struct io_replay *replay, int64_t now_ns)
{
	const struct io_request *request = &replay->requests[replay->next];
	struct io_replay_report *report = replay->report;
	int64_t late_ns = now_ns - schedule_ns(replay, replay->next);
	uint32_t slot = replay->idle[--replay->idle_count];
	struct reader_request placed = { .slot = slot };

	place(replay, request, &placed);
	replay->flights[slot] = (struct flight){
		.issued_ns = now_ns,
		.due_ns = modelled_ns(replay, request, now_ns),
		.number = replay->next,
	};
	report->requests++;
	report->bytes += request->bytes;
	report->cut +=
		request->bytes >
		IO_REPLAY_BYTES_MAX - 2 * replay->target->alignment_bytes;
	if (!replay->options->closed) {
		histogram_add(&report->lateness_ns, late_ns > 0 ? late_ns : 0);
		report->behind += late_ns > IO_REPLAY_LATE_NS;
	}
	if (in_flight(replay) > report->inflight_max)
		report->inflight_max = in_flight(replay);
	reader_submit(replay->reader, &placed);
	replay->reading++;
	replay->next++;
	replay->waits = false;
}

/* May the next request be issued? */
static bool may_issue(struct io_replay *replay, int64_t now_ns)
{
	if (replay->next == replay->count)
		return false;
	if (replay->options->closed)
		return replay->idle_count &&
		       in_flight(replay) < replay->requests[replay->next].depth;
	if (schedule_ns(replay, replay->next) > now_ns)
		return false;
	if (replay->idle_count)
		return true;
	replay->report->waited += !replay->waits;
	replay->waits = true;
	return false;
}

/* ---- what comes back ---- */

static void finish(struct io_replay *replay, uint32_t slot, int64_t at_ns)
{
	histogram_add(&replay->report->latency_ns,
		      at_ns - replay->flights[slot].issued_ns);
	replay->idle[replay->idle_count++] = slot;
}

/* A slot whose due time is this, of those that are held. */
static void release_held(struct io_replay *replay, int64_t now_ns)
{
	int64_t due_ns;

	while (held_take(&replay->held, now_ns, &due_ns)) {
		uint32_t slot = 0;

		/* Marked by the negated time while it is held. */
		while (replay->flights[slot].due_ns != -due_ns)
			slot++;
		replay->flights[slot].due_ns = 0;
		finish(replay, slot, due_ns);
	}
}

static int read_done(struct io_replay *replay, const struct reader_done *done)
{
	struct flight *flight = &replay->flights[done->slot];
	const struct io_request *request = &replay->requests[flight->number];
	int64_t at_ns = done->at_ns - replay->start_ns;

	replay->reading--;
	if (done->error) {
		fault_set(replay->fault, NULL, 0,
			  "request %llu (object %u, offset %llu, %llu bytes): "
			  "%s",
			  (unsigned long long)flight->number, request->object,
			  (unsigned long long)request->offset_bytes,
			  (unsigned long long)request->bytes,
			  strerror(-done->error));
		return -EIO; /* whatever the kernel calls it */
	}
	if (flight->due_ns > at_ns) {
		held_put(&replay->held, flight->due_ns);
		flight->due_ns = -flight->due_ns;
	} else {
		finish(replay, done->slot, at_ns);
	}
	return 0;
}

static int collect(struct io_replay *replay, int64_t timeout_ns)
{
	struct reader_done done[REAP_BATCH];
	uint32_t count, i;
	int error = reader_wait(replay->reader, timeout_ns);

	if (error) {
		fault_set(replay->fault, NULL, 0, "waiting for reads: %s",
			  strerror(-error));
		return error;
	}
	do {
		count = reader_reap(replay->reader, done, REAP_BATCH);
		for (i = 0; i < count && !error; i++)
			error = read_done(replay, &done[i]);
		if (count)
			replay->heard_ns = now(replay);
	} while (count == REAP_BATCH && !error);
	return error;
}

/* Until the next request, or the next held one, is due. */
static int64_t sleep_ns(const struct io_replay *replay, int64_t now_ns)
{
	int64_t until_ns = held_next_ns(&replay->held);
	bool timed = !replay->options->closed && replay->idle_count > 0 &&
		     replay->next < replay->count;

	if (timed && schedule_ns(replay, replay->next) < until_ns)
		until_ns = schedule_ns(replay, replay->next);
	if (until_ns <= now_ns)
		return 0;
	return until_ns - now_ns < SLEEP_NS_MAX ? until_ns - now_ns :
						  SLEEP_NS_MAX;
}

static int look(struct io_replay *replay, int64_t now_ns)
{
	const struct io_replay_options *options = replay->options;

	if (!replay->reading)
		replay->heard_ns = now_ns;
	if (now_ns - replay->heard_ns > PATIENCE_NS) {
		fault_set(replay->fault, NULL, 0,
			  "the target does not answer: nothing was read in "
			  "30 s");
		return -ETIMEDOUT;
	}
	if (options->progress && now_ns - replay->progress_ns > PROGRESS_NS) {
		replay->progress_ns = now_ns;
		options->progress(options->context,
				  (double)replay->next / (double)replay->count);
	}
	return options->stop && *options->stop ? -EINTR : 0;
}

static int run(struct io_replay *replay)
{
	int64_t timeout_ns = 0;
	int64_t now_ns;
	int error = 0;

	priority_raise(&replay->priority, PRIORITY_DRIVER);
	replay->start_ns = clock_now_ns();
	while (!error && (replay->next < replay->count || in_flight(replay))) {
		error = collect(replay, timeout_ns);
		now_ns = now(replay);
		release_held(replay, now_ns);
		while (!error && may_issue(replay, now_ns)) {
			issue(replay, now_ns);
			now_ns = now(replay);
		}
		if (!error)
			error = look(replay, now_ns);
		priority_pause(&replay->priority, now_ns + replay->start_ns);
		timeout_ns = sleep_ns(replay, now_ns);
	}
	replay->report->elapsed_ns = now(replay);
	replay->report->complete = !error;
	priority_restore(&replay->priority);
	return error == -EINTR ? 0 : error;
}

/* ---- opening ---- */

/* As many as the requests ask for and their memory has room for. */
static void size_slots(struct io_replay *replay)
{
	uint64_t largest = replay->target->alignment_bytes;
	uint32_t depth = 1;
	uint64_t i, bytes;

	for (i = 0; i < replay->count; i++) {
		bytes = issued_bytes(replay, &replay->requests[i]);
		largest = bytes > largest ? bytes : largest;
		if (replay->requests[i].depth > depth)
			depth = replay->requests[i].depth;
	}
	replay->slot_bytes = align_up(largest, PAGE_BYTES);
	replay->slots = IO_REPLAY_INFLIGHT_MAX;
	if (replay->options->closed && depth < replay->slots)
		replay->slots = depth;
	if (replay->count < replay->slots)
		replay->slots = (uint32_t)replay->count;
	if (MEMORY_BYTES_MAX / replay->slot_bytes < replay->slots)
		replay->slots =
			(uint32_t)(MEMORY_BYTES_MAX / replay->slot_bytes);
	replay->memory_bytes = replay->slots * replay->slot_bytes;
}

static int make_tables(struct io_replay *replay)
{
	replay->memory = buffers_map(replay->memory_bytes);
	replay->flights = calloc(replay->slots, sizeof(*replay->flights));
	replay->idle = calloc(replay->slots, sizeof(*replay->idle));
	if (!replay->memory || !replay->flights || !replay->idle ||
	    held_init(&replay->held, replay->slots))
		return -ENOMEM;
	while (replay->idle_count < replay->slots) {
		replay->idle[replay->idle_count] = replay->idle_count;
		replay->idle_count++;
	}
	return 0;
}

static int check_target(const struct io_replay *replay)
{
	const struct io_replay_target *target = replay->target;
	uint32_t i;

	for (i = 0; i < target->count; i++)
		if (target->bytes[i] < target->alignment_bytes)
			break;
	if (target->count > 0 && i == target->count)
		return 0;
	fault_set(replay->fault, NULL, 0,
		  "a file of the target has less than %u bytes: there is "
		  "nothing to read",
		  target->alignment_bytes);
	return -EINVAL;
}

static int open_all(struct io_replay *replay)
{
	struct reader_setup setup = {
		.files = replay->target->files,
		.file_count = replay->target->count,
		.alignment_bytes = replay->target->alignment_bytes,
		.wake = &replay->wake,
	};
	int error = check_target(replay);

	if (error)
		return error;
	size_slots(replay);
	error = make_tables(replay);
	if (!error)
		error = reader_wake_init(&replay->wake);
	if (error) {
		fault_set(replay->fault, NULL, 0, "no memory to replay");
		return error;
	}
	setup.memory = replay->memory;
	setup.slot_bytes = replay->slot_bytes;
	setup.slot_count = replay->slots;
	setup.inflight_max = replay->slots;
	error = reader_open(&replay->reader, replay->options->backend, &setup,
			    replay->fault);
	if (!error)
		replay->report->backend = reader_facts(replay->reader)->backend;
	return error;
}

/* What the kernel may touch yet is left to it. */
static int close_all(struct io_replay *replay)
{
	int error = 0;

	if (replay->reader)
		error = reader_close(replay->reader, PATIENCE_NS);
	if (error) {
		fault_set(replay->fault, NULL, 0,
			  "reads do not come to an end");
		return error;
	}
	if (replay->wake.fd >= 0)
		reader_wake_release(&replay->wake);
	held_release(&replay->held);
	free(replay->idle);
	free(replay->flights);
	buffers_unmap(replay->memory, replay->memory_bytes);
	free(replay);
	return 0;
}

int io_replay_run(const struct io_request *requests, uint64_t count,
		  const struct io_replay_target *target,
		  const struct io_replay_options *options,
		  struct io_replay_report *report, struct fault *fault)
{
	struct io_replay *replay = calloc(1, sizeof(*replay));
	int error, closed;

	CHECK(count > 0);
	CHECK(options->speed > 0);
	memset(report, 0, sizeof(*report));
	if (!replay) {
		fault_set(fault, NULL, 0, "no memory to replay");
		return -ENOMEM;
	}
	replay->wake.fd = -1;
	replay->requests = requests;
	replay->count = count;
	replay->target = target;
	replay->options = options;
	replay->report = report;
	replay->fault = fault;
	report->schedule_ns = schedule_ns(replay, count - 1);
	error = open_all(replay);
	if (!error)
		error = run(replay);
	closed = close_all(replay);
	return error ? error : closed;
}

const char *io_replay_verdict(const struct io_replay_report *report,
			      bool closed)
{
	if (closed)
		return "no schedule";
	return report->behind > report->requests / 100 ? "fell behind" :
							 "on schedule";
}
