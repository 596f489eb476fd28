/* SPDX-License-Identifier: MIT */
#include "sim/throttle.h"

#include "sim/check.h"

/* Share of the time that may be disturbed. */
#define HELD_SHARE 0.01

static int64_t span_ns(const struct throttle_span *span)
{
	return span->end_ns - span->start_ns;
}

/* Adds a span to the union of all. Spans come almost in the order of their
 * ends, for they end when they are heard of; one that ends earlier than the
 * last is taken to end with it. Those that it reaches back to become one with
 * it. The oldest is forgotten when there are many; reaching back over it
 * counts it twice: rather too much than too little. */
static void disturb(struct throttle *throttle, int64_t start_ns, int64_t end_ns)
{
	struct throttle_span span = { start_ns, end_ns };
	struct throttle_span *spans = throttle->spans;
	uint32_t count = throttle->span_count;

	while (count > 0 && spans[count - 1].end_ns >= span.start_ns) {
		const struct throttle_span *last = &spans[--count];

		throttle->disturbed_ns -= span_ns(last);
		if (last->start_ns < span.start_ns)
			span.start_ns = last->start_ns;
		if (last->end_ns > span.end_ns)
			span.end_ns = last->end_ns;
	}
	if (count == THROTTLE_SPANS) {
		count--;
		for (uint32_t i = 0; i < count; i++)
			spans[i] = spans[i + 1];
	}
	throttle->disturbed_ns += span_ns(&span);
	spans[count++] = span;
	throttle->span_count = count;
}

int64_t throttle_stamp(struct throttle *throttle, int64_t issue_ns,
		       int64_t due_ns, int64_t kernel_ns)
{
	CHECK(issue_ns <= due_ns);
	throttle->completions++;
	if (throttle->native || kernel_ns <= due_ns)
		return throttle->native ? kernel_ns : due_ns;
	throttle->late++;
	histogram_add(&throttle->lateness_ns, kernel_ns - due_ns);
	disturb(throttle, due_ns, kernel_ns);
	return kernel_ns;
}

void throttle_block(struct throttle *throttle, int64_t due_ns, int64_t stamp_ns)
{
	CHECK(due_ns <= stamp_ns);
	throttle->blocks++;
	if (throttle->native || stamp_ns == due_ns)
		return;
	throttle->overtaken++;
	throttle->overtaken_ns += stamp_ns - due_ns;
	disturb(throttle, due_ns, stamp_ns);
}

void throttle_pause(struct throttle *throttle, int64_t start_ns, int64_t end_ns)
{
	CHECK(throttle->native && start_ns <= end_ns);
	disturb(throttle, start_ns, end_ns);
}

double throttle_disturbed(const struct throttle *throttle)
{
	int64_t held_up_ns = throttle->disturbed_ns + throttle->lag_ns;

	if (held_up_ns == 0)
		return 0;
	if (throttle->elapsed_ns <= held_up_ns)
		return 1;
	return (double)held_up_ns / (double)throttle->elapsed_ns;
}

bool throttle_held(const struct throttle *throttle)
{
	return throttle_disturbed(throttle) <= HELD_SHARE;
}
