/* SPDX-License-Identifier: MIT */
/*
 * An agenda: events that are due, first come first; inline, for it is the
 * innermost loop of every simulation.
 *
 * Order is (time, number). Whoever adds an event either numbers it himself or
 * has it numbered in the order of adding; the numbers of one agenda must
 * differ, and then the order of its events does not depend on when they were
 * added.
 *
 * It is a tournament: events stand at the leaves of a binary tree and the
 * earlier of each pair moves up, so the first is at the root. To change a leaf
 * is to play the games on its way up again: always as many, with opponents
 * that are known beforehand, and no branch on who wins. A heap has fewer
 * levels to go on average and is half as fast, for it waits for every level's
 * winner to know the next opponents, and guesses wrongly where to stop.
 */
#ifndef SIM_AGENDA_H
#define SIM_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/check.h"

#define AGENDA_LEAF_BITS 24
#define AGENDA_LEAF_MAX ((UINT32_C(1) << AGENDA_LEAF_BITS) - 1)
#define AGENDA_NUMBER_BITS 40

/* An event as it is taken. */
struct event {
	int64_t time_ns;
	uint32_t payload;
};

struct agenda {
	/* Borrowed, agenda_places() of each. [1] is the root, the parent of
	 * [2 i] and [2 i + 1] is [i], the second half are the leaves. What is
	 * never due fills the empty ones. */
	int64_t *times_ns;
	uint64_t *orders;   /* number and leaf, from the top bit down */
	uint32_t *payloads; /* by leaf; of a free one, the next free one */
	uint32_t free_leaf; /* 0: none */
	/* The leaf of the event that was taken last, whose games are still to
	 * be played; 0: none. It is the first free one, so an event added
	 * before the next is taken goes there: one round of games, not two. */
	uint32_t hole;
	uint64_t made; /* events numbered here */
};

/* Places in the tree for so many events at once. */
static inline uint64_t agenda_places(uint64_t events)
{
	uint64_t leaves = 1;

	while (leaves < events)
		leaves *= 2;
	return 2 * leaves;
}

/* Puts an event at a leaf, or nothing. Times are never negative, so time above
 * order in one number compares without a branch. */
static inline void agenda_play(struct agenda *agenda, uint32_t leaf,
			       int64_t time_ns, uint64_t order)
{
	__extension__ typedef unsigned __int128 rank;
	int64_t *times_ns = agenda->times_ns;
	uint64_t *orders = agenda->orders;

	times_ns[leaf] = time_ns;
	orders[leaf] = order;
	for (size_t place = leaf; place > 1;) {
		int64_t other_ns = times_ns[place ^ 1];
		uint64_t other_order = orders[place ^ 1];
		bool wins = ((rank)(uint64_t)time_ns << 64 | order) <
			    ((rank)(uint64_t)other_ns << 64 | other_order);

		time_ns = wins ? time_ns : other_ns;
		order = wins ? order : other_order;
		place /= 2;
		times_ns[place] = time_ns;
		orders[place] = order;
	}
}

/* An empty agenda in borrowed memory, `places` as agenda_places() says. */
static inline void agenda_init(struct agenda *agenda, uint64_t places)
{
	uint32_t leaves = (uint32_t)(places / 2);

	CHECK(places <= AGENDA_LEAF_MAX);
	for (uint32_t i = 0; i < places; i++) {
		agenda->times_ns[i] = INT64_MAX;
		agenda->orders[i] = UINT64_MAX;
		agenda->payloads[i] = i + 1 < places ? i + 1 : 0;
	}
	agenda->free_leaf = leaves;
	agenda->hole = 0;
	agenda->made = 0;
}

/* Adds an event of this number. */
static inline void agenda_push_numbered(struct agenda *agenda, int64_t time_ns,
					uint64_t number, uint32_t payload)
{
	uint32_t leaf = agenda->free_leaf;

	CHECK(number >> AGENDA_NUMBER_BITS == 0);
	CHECK(leaf > 0);
	agenda->free_leaf = agenda->payloads[leaf];
	agenda->hole = 0;
	agenda->payloads[leaf] = payload;
	agenda_play(agenda, leaf, time_ns, number << AGENDA_LEAF_BITS | leaf);
}

/* Adds an event, the next in number. */
static inline void agenda_push(struct agenda *agenda, int64_t time_ns,
			       uint32_t payload)
{
	agenda_push_numbered(agenda, time_ns, agenda->made++, payload);
}

/* Plays the games of the event taken last, if that is still to be done: what
 * agenda_next_ns() asks for. */
static inline void agenda_settle(struct agenda *agenda)
{
	uint32_t leaf = agenda->hole;

	if (leaf == 0)
		return;
	agenda->hole = 0;
	agenda_play(agenda, leaf, INT64_MAX, UINT64_MAX);
}

/* Takes the first event; the agenda must not be empty. */
static inline struct event agenda_pop(struct agenda *agenda)
{
	struct event event;
	uint32_t leaf;

	agenda_settle(agenda);
	CHECK(agenda->times_ns[1] < INT64_MAX);
	leaf = (uint32_t)agenda->orders[1] & AGENDA_LEAF_MAX;
	event.time_ns = agenda->times_ns[1];
	event.payload = agenda->payloads[leaf];
	agenda->payloads[leaf] = agenda->free_leaf;
	agenda->free_leaf = leaf;
	agenda->hole = leaf;
	return event;
}

/* Time of the first event, INT64_MAX when there is none. The agenda must have
 * been settled since the last event was taken. */
static inline int64_t agenda_next_ns(const struct agenda *agenda)
{
	CHECK(agenda->hole == 0);
	return agenda->times_ns[1];
}

#endif
