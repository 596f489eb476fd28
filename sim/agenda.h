/* SPDX-License-Identifier: MIT */
/*
 * The agenda: everything that is due, least first. A four-way heap; inline, for
 * it is the innermost loop of every simulation.
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

/* Times and orders stand in arrays of their own: times are compared far more
 * often, and four of them fit half a cache line. */
struct agenda {
	int64_t *times; /* borrowed, room for capacity events */
	uint64_t *orders;
	uint32_t count;
	uint32_t capacity;
	uint64_t made; /* own events so far */
};

static inline uint32_t event_payload(struct event event)
{
	return (uint32_t)event.order & AGENDA_PAYLOAD_MAX;
}

static inline bool agenda_before(int64_t time_a, uint64_t order_a,
				 int64_t time_b, uint64_t order_b)
{
	return time_a < time_b || (time_a == time_b && order_a < order_b);
}

/* Puts an event into a hole, or nearer the root if it is due earlier. */
static inline void agenda_raise(struct agenda *agenda, uint32_t hole,
				int64_t time_ns, uint64_t order)
{
	int64_t *times = agenda->times;
	uint64_t *orders = agenda->orders;

	while (hole > 0) {
		uint32_t parent = (hole - 1) / 4;

		if (!agenda_before(time_ns, order, times[parent],
				   orders[parent]))
			break;
		times[hole] = times[parent];
		orders[hole] = orders[parent];
		hole = parent;
	}
	times[hole] = time_ns;
	orders[hole] = order;
}

static inline void agenda_insert(struct agenda *agenda, int64_t time_ns,
				 uint64_t order)
{
	CHECK(agenda->count < agenda->capacity);
	agenda_raise(agenda, agenda->count++, time_ns, order);
}

/* An event of the agenda's own. */
static inline void agenda_push(struct agenda *agenda, int64_t time_ns,
			       uint32_t payload)
{
	uint64_t number = agenda->made++;

	CHECK(number >> AGENDA_NUMBER_BITS == 0);
	agenda_insert(agenda, time_ns,
		      AGENDA_OWN_RANK | number << AGENDA_PAYLOAD_BITS |
			      payload);
}

/* A completion from outside; `number` tells it from all others. */
static inline void agenda_push_completion(struct agenda *agenda,
					  int64_t time_ns, uint64_t number,
					  uint32_t payload)
{
	CHECK(number >> AGENDA_NUMBER_BITS == 0);
	agenda_insert(agenda, time_ns, number << AGENDA_PAYLOAD_BITS | payload);
}

/* The least of the children first .. end - 1. Equal times are rare and the
 * order of unequal ones is not to be foreseen, so only the former branch. */
static inline uint32_t agenda_least(const struct agenda *agenda, uint32_t first,
				    uint32_t end)
{
	const int64_t *times = agenda->times;
	uint32_t least = first;
	int64_t least_ns = times[first];

	for (uint32_t child = first + 1; child < end; child++) {
		int64_t time_ns = times[child];
		bool before = time_ns < least_ns;

		if (__builtin_expect(time_ns == least_ns, 0))
			before = agenda->orders[child] < agenda->orders[least];
		least = before ? child : least;
		least_ns = before ? time_ns : least_ns;
	}
	return least;
}

/* Fills the hole at the root: the least child moves up, level by level, and
 * the last event rises from the hole at the bottom, seldom far. */
static inline void agenda_close_root(struct agenda *agenda)
{
	int64_t *times = agenda->times;
	uint64_t *orders = agenda->orders;
	uint32_t count = --agenda->count;
	int64_t time_ns = times[count];
	uint64_t order = orders[count];
	uint32_t hole = 0;

	for (uint32_t first = 1; first < count; first = 4 * hole + 1) {
		uint32_t least =
			first + 4 <= count ?
				agenda_least(agenda, first, first + 4) :
				agenda_least(agenda, first, count);

		times[hole] = times[least];
		orders[hole] = orders[least];
		hole = least;
	}
	agenda_raise(agenda, hole, time_ns, order);
}

/* Takes the first event; the agenda must not be empty. */
static inline struct event agenda_pop(struct agenda *agenda)
{
	struct event first;

	CHECK(agenda->count > 0);
	first.time_ns = agenda->times[0];
	first.order = agenda->orders[0];
	agenda_close_root(agenda);
	return first;
}

/* Time of the first event, INT64_MAX when there is none. */
static inline int64_t agenda_next_ns(const struct agenda *agenda)
{
	return agenda->count > 0 ? agenda->times[0] : INT64_MAX;
}

#endif
