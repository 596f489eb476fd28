/* SPDX-License-Identifier: MIT */
#include "storage/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "storage/clock.h"
#include "storage/reader_pool.h"
#include "storage/ring.h"

/* An attempt is a 32-bit length to the kernel; this one is aligned. */
#define ATTEMPT_BYTES_MAX (UINT32_C(1) << 30)

/* A resumed direct read starts a little before the place reached. When it
 * gets no further this often, the file ends there. */
#define STALLS_MAX 3

#define REAP_BATCH 64

struct slot {
	struct reader_request request;
	uint64_t done_bytes;
	uint64_t attempt_bytes; /* where the running attempt started */
	uint32_t stalls;
	bool active;
};

struct reader {
	const struct reader_kind *kind;
	void *state;
	struct reader_setup setup;
	struct reader_facts facts;
	uint32_t inflight;
	bool closing;
	struct slot *slots;
};

const struct reader_kind *const reader_kinds[READER_PREAD + 1] = {
	[READER_RING_DEFER] = &ring_defer,
	[READER_RING_COOP] = &ring_coop,
	[READER_RING_PLAIN] = &ring_plain,
	[READER_PREAD] = &reader_pool,
};

int reader_backend_parse(const char *name, enum reader_backend *backend)
{
	static const struct {
		const char *name;
		enum reader_backend backend;
	} names[] = { { "auto", READER_ANY },
		      { "uring", READER_RING_ANY },
		      { "pread", READER_PREAD } };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i].name, name))
			continue;
		*backend = names[i].backend;
		return 0;
	}
	return -EINVAL;
}

void reader_note(struct reader_facts *facts, const char *what, const char *why)
{
	size_t used = strlen(facts->notes);

	snprintf(facts->notes + used, sizeof(facts->notes) - used, "%s%s: %s",
		 used ? "\n" : "", what, why);
}

static int start(struct reader **out, const struct reader_kind *kind,
		 const struct reader_setup *setup, struct reader_facts *facts)
{
	struct reader *reader;
	int error;

	reader = calloc(1, sizeof(*reader));
	if (!reader)
		return -ENOMEM;
	reader->slots = calloc(setup->slot_count, sizeof(*reader->slots));
	if (!reader->slots) {
		free(reader);
		return -ENOMEM;
	}
	error = kind->open(&reader->state, setup, facts);
	if (error) {
		free(reader->slots);
		free(reader);
		return error;
	}
	facts->backend = kind->name;
	reader->kind = kind;
	reader->setup = *setup;
	reader->facts = *facts;
	*out = reader;
	return 0;
}

static int check_setup(const struct reader_setup *setup, struct fault *fault)
{
	CHECK(setup->inflight_max > 0);
	CHECK(setup->alignment_bytes > 0);
	CHECK(setup->slot_bytes % setup->alignment_bytes == 0);
	if (setup->inflight_max <= READER_INFLIGHT_MAX)
		return 0;
	fault_set(fault, NULL, 0,
		  "%u reads in flight were asked for; at most %d can be",
		  setup->inflight_max, READER_INFLIGHT_MAX);
	return -EINVAL;
}

int reader_open_kind(struct reader **out, const struct reader_kind *kind,
		     const struct reader_setup *setup, struct fault *fault)
{
	struct reader_facts facts = { 0 };
	int error;

	error = check_setup(setup, fault);
	if (error)
		return error;
	error = start(out, kind, setup, &facts);
	if (error)
		fault_set(fault, NULL, 0, "cannot read through %s: %s",
			  kind->name, strerror(-error));
	return error;
}

/* The first that is granted, down to the last of them. */
static int open_down_to(struct reader **out, int last,
			const struct reader_setup *setup, struct fault *fault)
{
	struct reader_facts facts = { 0 };
	int error = -ENOSYS;
	int i;

	error = check_setup(setup, fault);
	if (error)
		return error;
	for (i = READER_ANY + 1; i <= last; i++) {
		error = start(out, reader_kinds[i], setup, &facts);
		if (!error)
			return 0;
		reader_note(&facts, reader_kinds[i]->name, strerror(-error));
	}
	fault_set(fault, NULL, 0, "cannot read through %s: %s",
		  reader_kinds[last]->name, strerror(-error));
	/* A kernel that does not know a ring's flags: not the person's. */
	return error == -EINVAL ? -EOPNOTSUPP : error;
}

int reader_open(struct reader **out, enum reader_backend backend,
		const struct reader_setup *setup, struct fault *fault)
{
	if (backend == READER_ANY)
		return open_down_to(out, READER_PREAD, setup, fault);
	if (backend == READER_RING_ANY)
		return open_down_to(out, READER_RING_PLAIN, setup, fault);
	return reader_open_kind(out, reader_kinds[backend], setup, fault);
}

int reader_close(struct reader *reader, int64_t patience_ns)
{
	int64_t end_ns = clock_now_ns() + patience_ns;
	struct reader_done done[REAP_BATCH];
	int error = 0;

	if (!reader)
		return 0;
	reader->closing = true;
	while (reader->inflight && !error) {
		int64_t left_ns = end_ns - clock_now_ns();

		if (left_ns <= 0)
			return -ETIMEDOUT;
		error = reader_wait(reader, left_ns);
		while (reader_reap(reader, done, REAP_BATCH) == REAP_BATCH)
			;
	}
	if (error)
		return -ETIMEDOUT;
	reader->kind->close(reader->state);
	free(reader->slots);
	free(reader);
	return 0;
}

const struct reader_facts *reader_facts(const struct reader *reader)
{
	return &reader->facts;
}

/* From the last aligned place that was reached. */
static void attempt(struct reader *reader, struct slot *slot)
{
	const struct reader_request *request = &slot->request;
	const struct reader_setup *setup = &reader->setup;
	uint64_t from =
		slot->done_bytes - slot->done_bytes % setup->alignment_bytes;
	uint64_t left = request->bytes - from;
	struct reader_attempt next = {
		.slot = request->slot,
		.file = request->file,
		.bytes = left < ATTEMPT_BYTES_MAX ? (uint32_t)left :
						    ATTEMPT_BYTES_MAX,
		.buffer = request->buffer + from,
		.offset_bytes = request->offset_bytes + from,
	};

	slot->attempt_bytes = from;
	reader->kind->submit(reader->state, &next);
}

void reader_submit(struct reader *reader, const struct reader_request *request)
{
	const struct reader_setup *setup = &reader->setup;
	struct slot *slot;

	CHECK(request->slot < reader->setup.slot_count);
	CHECK(request->file < reader->setup.file_count);
	CHECK(request->bytes > 0);
	CHECK(request->bytes <= reader->setup.slot_bytes);
	CHECK(request->needed_bytes <= request->bytes);
	CHECK(reader->inflight < reader->setup.inflight_max);
	slot = &reader->slots[request->slot];
	CHECK(!slot->active);
	*slot = (struct slot){ .request = *request, .active = true };
	if (!slot->request.buffer)
		slot->request.buffer =
			setup->memory + request->slot * setup->slot_bytes;
	/* It does not reach over the end of the slot that it lies in. */
	CHECK((size_t)(slot->request.buffer - setup->memory) %
			      setup->slot_bytes +
		      request->bytes <=
	      setup->slot_bytes);
	reader->inflight++;
	attempt(reader, slot);
}

int reader_wait(struct reader *reader, int64_t timeout_ns)
{
	struct reader_wake *wake = reader->setup.wake;
	bool sleep = timeout_ns > 0 && reader_wake_sleep(wake);
	int error;

	error = reader->kind->wait(reader->state, sleep ? timeout_ns : 0);
	if (sleep)
		reader_wake_up(wake);
	reader_wake_look(wake);
	return error;
}

/* What an attempt means for its request: 1 it is complete, 0 another attempt
 * is due, negative errno it has failed. */
static int settle(struct reader *reader, struct slot *slot, int32_t result)
{
	uint64_t reached;

	if (result == -EAGAIN || result == -EINTR)
		return 0;
	if (result < 0)
		return result;
	reader->facts.bytes += (uint64_t)result;
	reached = slot->attempt_bytes + (uint64_t)result;
	CHECK(reached <= slot->request.bytes);
	slot->stalls = reached > slot->done_bytes ? 0 : slot->stalls + 1;
	if (reached > slot->done_bytes)
		slot->done_bytes = reached;
	if (slot->done_bytes >= slot->request.needed_bytes)
		return 1;
	if (!result || slot->stalls == STALLS_MAX)
		return -ENODATA;
	return 0;
}

/* True when the request is finished and *done filled. */
static bool finish(struct reader *reader, const struct reader_result *result,
		   struct reader_done *done)
{
	struct slot *slot;
	int outcome;

	CHECK(result->slot < reader->setup.slot_count);
	slot = &reader->slots[result->slot];
	CHECK(slot->active);
	outcome = settle(reader, slot, result->result);
	if (!outcome && !reader->closing) {
		reader->facts.resumed++;
		attempt(reader, slot);
		return false;
	}
	slot->active = false;
	reader->inflight--;
	done->slot = result->slot;
	done->error = outcome < 0 ? outcome : 0;
	done->at_ns = result->at_ns;
	return true;
}

uint32_t reader_reap(struct reader *reader, struct reader_done *done,
		     uint32_t count)
{
	struct reader_result results[REAP_BATCH];
	uint32_t taken = 0;

	while (taken < count) {
		uint32_t asked = count - taken < REAP_BATCH ? count - taken :
							      REAP_BATCH;
		uint32_t got =
			reader->kind->reap(reader->state, results, asked);
		uint32_t i;

		for (i = 0; i < got; i++)
			taken += finish(reader, &results[i], &done[taken]);
		if (got < asked)
			break;
	}
	return taken;
}
