/* SPDX-License-Identifier: MIT */
/*
 * An agenda: events that are due, least first. A four-way heap; inline, for it
 * is the innermost loop of every simulation.
 *
 * Order is (time, number). Whoever adds an event either numbers it himself or
 * has it numbered in the order of adding; the numbers of one agenda must
 * differ, and then the order of its events does not depend on when they were
 * added.
 */
#ifndef SIM_AGENDA_H
#define SIM_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/check.h"

#define AGENDA_PAYLOAD_BITS 24
#define AGENDA_PAYLOAD_MAX ((UINT32_C(1) << AGENDA_PAYLOAD_BITS) - 1)
#define AGENDA_NUMBER_BITS 40

struct event {
	uint64_t order; /* number and payload, from the top bit down */
	int64_t time_ns;
};

struct agenda {
	struct event *events; /* borrowed, room for `capacity` of them */
	uint32_t count;	      /* the hole counts */
	uint32_t capacity;
	/* The root was taken. Nearly always an event is added before the next
	 * one is taken; it then goes in at the root, which is half the work of
	 * closing the hole and adding at the end. */
	bool hole;
	uint64_t made; /* events numbered here */
};

static inline uint32_t event_payload(struct event event)
{
	return (uint32_t)event.order & AGENDA_PAYLOAD_MAX;
}

__extension__ typedef unsigned __int128 event_rank;

/* Time above order in one number: which of two events comes first is not to be
 * foreseen, and two numbers are compared without a branch. Times are never
 * negative. */
static inline event_rank event_rank_of(const struct event *event)
{
	return (event_rank)(uint64_t)event->time_ns << 64 | event->order;
}

static inline bool event_before(const struct event *a, const struct event *b)
{
	return event_rank_of(a) < event_rank_of(b);
}

/* Puts an event into a hole, or nearer the root if it is due earlier. */
static inline void agenda_raise(struct agenda *agenda, uint32_t hole,
				struct event event)
{
	struct event *events = agenda->events;

	while (hole > 0) {
		uint32_t parent = (hole - 1) / 4;

		if (!event_before(&event, &events[parent]))
			break;
		events[hole] = events[parent];
		hole = parent;
	}
	events[hole] = event;
}

/* The least of four siblings. */
static inline uint32_t agenda_least4(const struct event *events, uint32_t first)
{
	uint32_t a = first + event_before(&events[first + 1], &events[first]);
	uint32_t b = first + 2 +
		     event_before(&events[first + 3], &events[first + 2]);

	return event_before(&events[b], &events[a]) ? b : a;
}

/* The least of the siblings first .. end - 1. */
static inline uint32_t agenda_least(const struct event *events, uint32_t first,
				    uint32_t end)
{
	uint32_t least = first;

	for (uint32_t child = first + 1; child < end; child++)
		if (event_before(&events[child], &events[least]))
			least = child;
	return least;
}

/* Fills the hole at the root: the least child moves up, level by level, and
 * the event rises from the hole at the bottom, seldom far. */
static inline void agenda_fill_root(struct agenda *agenda, struct event event)
{
	struct event *events = agenda->events;
	uint32_t count = agenda->count;
	uint32_t hole = 0;
	uint32_t first = 1;

	for (; first + 4 <= count; first = 4 * hole + 1) {
		uint32_t least = agenda_least4(events, first);

		events[hole] = events[least];
		hole = least;
	}
	if (first < count) {
		uint32_t least = agenda_least(events, first, count);

		events[hole] = events[least];
		hole = least;
	}
	agenda_raise(agenda, hole, event);
	agenda->hole = false;
}

/* Closes the hole, if there is one: what agenda_next_ns() asks for. */
static inline void agenda_settle(struct agenda *agenda)
{
	if (!agenda->hole)
		return;
	agenda->hole = false;
	if (--agenda->count > 0)
		agenda_fill_root(agenda, agenda->events[agenda->count]);
}

/* Adds an event of this number. */
static inline void agenda_push_numbered(struct agenda *agenda, int64_t time_ns,
					uint64_t number, uint32_t payload)
{
	struct event event = {
		.time_ns = time_ns,
		.order = number << AGENDA_PAYLOAD_BITS | payload,
	};

	CHECK(number >> AGENDA_NUMBER_BITS == 0);
	if (agenda->hole) {
		agenda_fill_root(agenda, event);
		return;
	}
	CHECK(agenda->count < agenda->capacity);
	agenda_raise(agenda, agenda->count++, event);
}

/* Adds an event, the next in number. */
static inline void agenda_push(struct agenda *agenda, int64_t time_ns,
			       uint32_t payload)
{
	agenda_push_numbered(agenda, time_ns, agenda->made++, payload);
}

/* Takes the first event; the agenda must not be empty. */
static inline struct event agenda_pop(struct agenda *agenda)
{
	agenda_settle(agenda);
	CHECK(agenda->count > 0);
	agenda->hole = true;
	return agenda->events[0];
}

/* Time of the first event, INT64_MAX when there is none. The agenda must have
 * been settled since the last event was taken. */
static inline int64_t agenda_next_ns(const struct agenda *agenda)
{
	CHECK(!agenda->hole);
	return agenda->count > 0 ? agenda->events[0].time_ns : INT64_MAX;
}

#endif
