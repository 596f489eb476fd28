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
#include <stdint.h>

#include "sim/check.h"

#define AGENDA_LEAF_BITS 24
#define AGENDA_LEAF_MAX ((UINT32_C(1) << AGENDA_LEAF_BITS) - 1)
#define AGENDA_NUMBER_BITS 40

/* An event in the tree. One that is never due fills the empty leaves. */
struct entry {
	uint64_t order; /* number and leaf, from the top bit down */
	int64_t time_ns;
};

/* An event as it is taken. */
struct event {
	int64_t time_ns;
	uint32_t payload;
};

struct agenda {
	/* Borrowed, of agenda_entries(). [1] is the root, the parent of
	 * [2 i] and [2 i + 1] is [i], the second half are the leaves. */
	struct entry *entries;
	uint32_t *payloads; /* borrowed, as many, by leaf; free leaves: the
			       next free one */
	uint32_t free_leaf; /* 0: none */
	/* The leaf of the event that was taken last, whose games are still to
	 * be played; 0: none. Nearly always an event is added before the next
	 * is taken, and goes there: one round of games instead of two. */
	uint32_t hole;
	uint64_t made; /* events numbered here */
};

/* Tree entries for so many events at once. */
static inline uint64_t agenda_entries(uint64_t events)
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
	struct entry *entries = agenda->entries;

	entries[leaf].time_ns = time_ns;
	entries[leaf].order = order;
	for (uint32_t place = leaf; place > 1;) {
		const struct entry *other = &entries[place ^ 1];
		rank other_rank = (rank)(uint64_t)other->time_ns << 64 |
				  other->order;
		bool wins = ((rank)(uint64_t)time_ns << 64 | order) <
			    other_rank;

		time_ns = wins ? time_ns : other->time_ns;
		order = wins ? order : other->order;
		place /= 2;
		entries[place].time_ns = time_ns;
		entries[place].order = order;
	}
}

/* An empty agenda in borrowed memory, `entries` as agenda_entries() says. */
static inline void agenda_init(struct agenda *agenda, uint64_t entries)
{
	uint32_t leaves = (uint32_t)(entries / 2);

	CHECK(entries / 2 <= AGENDA_LEAF_MAX / 2);
	for (uint32_t i = 0; i < 2 * leaves; i++) {
		agenda->entries[i].time_ns = INT64_MAX;
		agenda->entries[i].order = UINT64_MAX;
		agenda->payloads[i] = i + 1 < 2 * leaves ? i + 1 : 0;
	}
	agenda->free_leaf = leaves;
	agenda->hole = 0;
	agenda->made = 0;
}

/* Adds an event of this number. */
static inline void agenda_push_numbered(struct agenda *agenda, int64_t time_ns,
					uint64_t number, uint32_t payload)
{
	uint32_t leaf = agenda->hole;

	CHECK(number >> AGENDA_NUMBER_BITS == 0);
	if (leaf == 0) {
		leaf = agenda->free_leaf;
		CHECK(leaf > 0);
		agenda->free_leaf = agenda->payloads[leaf];
	}
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
	agenda->payloads[leaf] = agenda->free_leaf;
	agenda->free_leaf = leaf;
	agenda_play(agenda, leaf, INT64_MAX, UINT64_MAX);
}

/* Takes the first event; the agenda must not be empty. */
static inline struct event agenda_pop(struct agenda *agenda)
{
	struct event event;

	agenda_settle(agenda);
	CHECK(agenda->entries[1].time_ns < INT64_MAX);
	agenda->hole = (uint32_t)agenda->entries[1].order & AGENDA_LEAF_MAX;
	event.time_ns = agenda->entries[1].time_ns;
	event.payload = agenda->payloads[agenda->hole];
	return event;
}

/* Time of the first event, INT64_MAX when there is none. The agenda must have
 * been settled since the last event was taken. */
static inline int64_t agenda_next_ns(const struct agenda *agenda)
{
	CHECK(agenda->hole == 0);
	return agenda->entries[1].time_ns;
}

#endif
