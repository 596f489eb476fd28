/* SPDX-License-Identifier: MIT */
#include "tests/support/faulty_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "storage/reader_pool.h"

struct faulty faulty;

struct state {
	void *base;
	struct reader_attempt *attempts; /* by slot: the last */
	uint64_t *numbers;
	struct reader_attempt swallowed;
};

/* There is one at a time. */
static struct state *last;

static const struct reader_kind *base(void)
{
	return faulty.base ? faulty.base : &reader_pool;
}

static int faulty_open(void **out, const struct reader_setup *setup,
		       struct reader_facts *facts)
{
	struct state *state;
	int error;

	if (faulty.open_error)
		return faulty.open_error;
	state = calloc(1, sizeof(*state));
	if (!state)
		return -ENOMEM;
	state->attempts = calloc(setup->slot_count, sizeof(*state->attempts));
	state->numbers = calloc(setup->slot_count, sizeof(*state->numbers));
	if (!state->attempts || !state->numbers)
		abort();
	error = base()->open(&state->base, setup, facts);
	if (error)
		abort();
	last = state;
	*out = state;
	return 0;
}

static void faulty_close(void *context)
{
	struct state *state = context;

	base()->close(state->base);
	free(state->attempts);
	free(state->numbers);
	free(state);
	faulty.closed = true;
}

static void faulty_submit(void *context, const struct reader_attempt *attempt)
{
	struct state *state = context;

	faulty.attempts++;
	state->attempts[attempt->slot] = *attempt;
	state->numbers[attempt->slot] = faulty.attempts;
	if (faulty.act && faulty.attempts == faulty.act_attempt)
		faulty.act();
	if (faulty.attempts == faulty.swallow_attempt)
		state->swallowed = *attempt;
	else
		base()->submit(state->base, attempt);
}

void faulty_let_go(void)
{
	base()->submit(last->base, &last->swallowed);
}

static int faulty_wait(void *context, int64_t timeout_ns)
{
	struct state *state = context;

	return base()->wait(state->base, timeout_ns);
}

static void spoil(struct state *state, struct reader_result *result)
{
	const struct reader_attempt *attempt = &state->attempts[result->slot];
	uint64_t number = state->numbers[result->slot];
	uint32_t kept = faulty.bytes_max;

	if (number == faulty.fail_attempt) {
		result->result = faulty.fail_error;
		kept = 0;
	} else if (faulty.interrupt_every &&
		   number % faulty.interrupt_every == 0) {
		result->result = number / faulty.interrupt_every % 2 ? -EINTR :
								       -EAGAIN;
		kept = 0;
	} else if (kept && result->result > (int32_t)kept) {
		result->result = (int32_t)kept;
	} else {
		return;
	}
	memset(attempt->buffer + kept, 0xee, attempt->bytes - kept);
}

static uint32_t faulty_reap(void *context, struct reader_result *results,
			    uint32_t count)
{
	struct state *state = context;
	uint32_t got = base()->reap(state->base, results, count);
	uint32_t i;

	faulty.reaps++;
	for (i = 0; i < got; i++) {
		if (faulty.hear && results[i].result > 0)
			faulty.hear(state->attempts[results[i].slot].buffer,
				    (size_t)results[i].result);
		spoil(state, &results[i]);
	}
	return got;
}

const struct reader_kind faulty_reader = {
	.name = "faulty",
	.open = faulty_open,
	.close = faulty_close,
	.submit = faulty_submit,
	.wait = faulty_wait,
	.reap = faulty_reap,
};
