/* SPDX-License-Identifier: MIT */
/*
 * The agenda: everything that is due, least first. A four-way heap of 16-byte
 * events, so that the four children of a node share a cache line. Inline: it
 * is the innermost loop of every simulation.
 *
 * Order is (time, rank, number). Completions from outside have rank 0 and a
 * number of their own; the agenda's own events have rank 1 and are numbered as
 * they are made. So ties are broken by what an event is, not by when a driver
 * happened to announce it.
 */
#ifndef SIM_AGENDA_H
#define SIM_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/check.h"

#define AGENDA_PAYLOAD_BITS 24
#define AGENDA_PAYLOAD_MAX ((UINT32_C(1) << AGENDA_PAYLOAD_BITS) - 1)
#define AGENDA_NUMBER_BITS 39
#define AGENDA_OWN_RANK (UINT64_C(1) << 63)

struct event {
	int64_t time_ns;
	uint64_t order; /* rank, number, payload, from the top bit down */
};

struct agenda {
	struct event *heap; /* borrowed, room for capacity events */
	uint32_t count;
	uint32_t capacity;
	uint64_t made; /* own events so far */
};

static inline bool event_before(struct event a, struct event b)
{
	return a.time_ns < b.time_ns ||
	       (a.time_ns == b.time_ns && a.order < b.order);
}

static inline uint32_t event_payload(struct event event)
{
	return (uint32_t)event.order & AGENDA_PAYLOAD_MAX;
}

static inline void agenda_insert(struct agenda *agenda, struct event event)
{
	struct event *heap = agenda->heap;
	uint32_t hole = agenda->count;

	CHECK(agenda->count < agenda->capacity);
	agenda->count++;
	while (hole > 0) {
		uint32_t parent = (hole - 1) / 4;

		if (!event_before(event, heap[parent]))
			break;
		heap[hole] = heap[parent];
		hole = parent;
	}
	heap[hole] = event;
}

/* An event of the agenda's own. */
static inline void agenda_push(struct agenda *agenda, int64_t time_ns,
			       uint32_t payload)
{
	uint64_t number = agenda->made++;

	CHECK(number >> AGENDA_NUMBER_BITS == 0);
	agenda_insert(agenda,
		      (struct event){ time_ns,
				      AGENDA_OWN_RANK |
					      number << AGENDA_PAYLOAD_BITS |
					      payload });
}

/* A completion from outside; `number` tells it from all others. */
static inline void agenda_push_completion(struct agenda *agenda,
					  int64_t time_ns, uint64_t number,
					  uint32_t payload)
{
	CHECK(number >> AGENDA_NUMBER_BITS == 0);
	agenda_insert(agenda,
		      (struct event){ time_ns, number << AGENDA_PAYLOAD_BITS |
						       payload });
}

/* Fills the hole at the root with the last event and lets it sink. */
static inline void agenda_sink(struct event *heap, uint32_t count,
			       struct event event)
{
	uint32_t hole = 0;

	for (;;) {
		uint32_t first = 4 * hole + 1;
		uint32_t end = first + 4 < count ? first + 4 : count;
		uint32_t least = first;

		if (first >= count)
			break;
		for (uint32_t child = first + 1; child < end; child++)
			if (event_before(heap[child], heap[least]))
				least = child;
		if (!event_before(heap[least], event))
			break;
		heap[hole] = heap[least];
		hole = least;
	}
	heap[hole] = event;
}

/* Takes the first event; the agenda must not be empty. */
static inline struct event agenda_pop(struct agenda *agenda)
{
	struct event first = agenda->heap[0];

	CHECK(agenda->count > 0);
	agenda->count--;
	if (agenda->count > 0)
		agenda_sink(agenda->heap, agenda->count,
			    agenda->heap[agenda->count]);
	return first;
}

/* Time of the first event, INT64_MAX when there is none. */
static inline int64_t agenda_next_ns(const struct agenda *agenda)
{
	return agenda->count > 0 ? agenda->heap[0].time_ns : INT64_MAX;
}

#endif
