/* SPDX-License-Identifier: MIT */
#include "traces/import/order.h"

#include <errno.h>
#include <stdlib.h>

#include "sim/check.h"

#define ROOM_FIRST 256

struct order_entry {
	int64_t time_ns;
	uint64_t number;
	struct trace_event event;
};

int64_t order_begin_ns(const struct trace_event *event)
{
	if (event->issue_ns != TIME_UNKNOWN)
		return event->issue_ns;
	if (event->start_ns != TIME_UNKNOWN)
		return event->start_ns;
	return event->end_ns;
}

int64_t order_told_ns(const struct trace_event *event)
{
	if (event->kind != TRACE_STEP && event->end_ns != TIME_UNKNOWN)
		return event->end_ns;
	if (event->start_ns != TIME_UNKNOWN)
		return event->start_ns;
	return order_begin_ns(event);
}

void order_init(struct order *order, size_t window)
{
	CHECK(window >= 1);
	CHECK(window <= ORDER_EVENTS_MAX);
	*order = (struct order){ .window = window, .last_ns = INT64_MIN };
}

void order_release(struct order *order)
{
	free(order->heap);
	order->heap = NULL;
}

bool order_is_past(const struct order *order, int64_t time_ns)
{
	return time_ns < order->last_ns;
}

bool order_is_full(const struct order *order)
{
	return order->count == order->window;
}

static bool before(const struct order_entry *one,
		   const struct order_entry *other)
{
	if (one->time_ns != other->time_ns)
		return one->time_ns < other->time_ns;
	return one->number < other->number;
}

static int grow(struct order *order)
{
	size_t room = order->room ? 2 * order->room : ROOM_FIRST;
	struct order_entry *heap;

	if (room > order->window)
		room = order->window;
	heap = realloc(order->heap, room * sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	order->heap = heap;
	order->room = room;
	return 0;
}

int order_put(struct order *order, int64_t time_ns,
	      const struct trace_event *event)
{
	struct order_entry entry = { time_ns, order->taken, *event };
	size_t at = order->count, above;
	int error;

	CHECK(!order_is_full(order));
	if (order->count == order->room) {
		error = grow(order);
		if (error)
			return error;
	}
	for (; at; at = above) {
		above = (at - 1) / 2;
		if (!before(&entry, &order->heap[above]))
			break;
		order->heap[at] = order->heap[above];
	}
	order->heap[at] = entry;
	order->count++;
	order->taken++;
	return 0;
}

bool order_take(struct order *order, struct trace_event *event)
{
	struct order_entry *heap = order->heap, last;
	size_t at = 0, below;

	if (!order->count)
		return false;
	*event = heap[0].event;
	order->last_ns = heap[0].time_ns;
	last = heap[--order->count];
	for (;;) {
		below = 2 * at + 1;
		if (below >= order->count)
			break;
		if (below + 1 < order->count &&
		    before(&heap[below + 1], &heap[below]))
			below++;
		if (!before(&heap[below], &last))
			break;
		heap[at] = heap[below];
		at = below;
	}
	heap[at] = last;
	return true;
}

int64_t order_first_begin_ns(const struct order *order)
{
	int64_t first_ns = INT64_MAX, begin_ns;
	size_t i;

	for (i = 0; i < order->count; i++) {
		begin_ns = order_begin_ns(&order->heap[i].event);
		if (begin_ns < first_ns)
			first_ns = begin_ns;
	}
	return first_ns;
}
