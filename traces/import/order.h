/* SPDX-License-Identifier: MIT */
/*
 * A window in which events are put in order of a time that their owner says:
 * as many as it holds wait in it, and each more lets out the earliest. An
 * event that is earlier than one already let out came too late to be put in
 * order.
 */
#ifndef TRACES_ORDER_H
#define TRACES_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/trace_event.h"

#define ORDER_EVENTS_DEFAULT 65536
#define ORDER_EVENTS_MAX (1u << 24)

struct order_entry;

struct order {
	struct order_entry *heap; /* grows up to the window */
	size_t count;
	size_t room;
	size_t window;
	uint64_t taken;	 /* events put in so far: equal times keep order */
	int64_t last_ns; /* of the event let out last; INT64_MIN at first */
};

/* When an event begins: asked for, else begun, else done. */
int64_t order_begin_ns(const struct trace_event *event);

/* When a recording tells of an event (sim/trace_event.h): a step when it
 * begins, all else when it ends, or the last that is known of it. */
int64_t order_told_ns(const struct trace_event *event);

/* A window of that many events, 1 to ORDER_EVENTS_MAX. */
void order_init(struct order *order, size_t window);
void order_release(struct order *order);

/* Is it too late for one of this time? */
bool order_is_past(const struct order *order, int64_t time_ns);

/* Puts one in, unless the window is full: then take one out first. 0 or
 * -ENOMEM. */
int order_put(struct order *order, int64_t time_ns,
	      const struct trace_event *event)
	__attribute__((warn_unused_result));
bool order_is_full(const struct order *order);

/* When the first to begin of those that wait begins; INT64_MAX: none waits. */
int64_t order_first_begin_ns(const struct order *order);

/* Takes out the earliest; false when there is none. */
bool order_take(struct order *order, struct trace_event *event);

#endif
