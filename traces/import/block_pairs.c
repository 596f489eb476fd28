/* SPDX-License-Identifier: MIT */
#include "traces/import/block_pairs.h"

#include <string.h>

#include "traces/import/row.h"

/* A set has its oldest request last. */
static struct block_pair *set_of(struct block_pairs *pairs,
				 const struct block_action *action)
{
	const uint64_t key[] = { action->sector, action->device };

	return pairs->pairs[objects_hash(key, sizeof(key)) % BLOCK_PAIRS_SETS];
}

static struct block_pair *find(struct block_pair *set,
			       const struct block_action *action)
{
	size_t i;

	for (i = 0; i < BLOCK_PAIRS_WAYS; i++)
		if (set[i].used && set[i].sector == action->sector &&
		    set[i].device == action->device &&
		    set[i].write == action->write)
			return &set[i];
	return NULL;
}

static struct block_pair *add(struct block_pairs *pairs, struct block_pair *set,
			      const struct block_action *action)
{
	if (set[BLOCK_PAIRS_WAYS - 1].used)
		pairs->given_up++;
	else
		pairs->waiting++;
	memmove(set + 1, set, (BLOCK_PAIRS_WAYS - 1) * sizeof(*set));
	*set = (struct block_pair){ .sector = action->sector,
				    .queued_ns = TIME_UNKNOWN,
				    .issued_ns = TIME_UNKNOWN,
				    .device = action->device,
				    .write = action->write,
				    .used = true };
	return set;
}

static void forget(struct block_pairs *pairs, struct block_pair *set,
		   const struct block_pair *pair)
{
	size_t at = (size_t)(pair - set);

	memmove(set + at, set + at + 1,
		(BLOCK_PAIRS_WAYS - 1 - at) * sizeof(*set));
	set[BLOCK_PAIRS_WAYS - 1].used = false;
	pairs->waiting--;
}

static int complete(struct import *import, struct block_pairs *pairs,
		    const struct block_pair *pair,
		    const struct block_action *action)
{
	struct trace_event event = import_event(TRACE_REQUEST);
	const uint64_t device = action->device;
	int error =
		import_object(import, &device, sizeof(device), &event.object);

	if (error)
		return error;
	event.issue_ns = pair->queued_ns != TIME_UNKNOWN ? pair->queued_ns :
							   pair->issued_ns;
	event.start_ns = pair->issued_ns;
	event.end_ns = action->time_ns;
	event.offset_bytes = action->sector * BLOCK_SECTOR_BYTES;
	event.bytes = pair->bytes;
	event.number = pairs->count++;
	event.flags = (uint8_t)((action->write ? TRACE_WRITE : 0) |
				(action->failed ? TRACE_FAILED : 0));
	return import_put(import, &event);
}

int block_pairs_take(struct import *import, struct block_pairs *pairs,
		     const struct block_action *action)
{
	struct block_pair *set = set_of(pairs, action);
	struct block_pair *pair = find(set, action), done;

	switch (action->action) {
	case 'Q':
	case 'D':
		if (!pair)
			pair = add(pairs, set, action);
		if (action->action == 'Q')
			pair->queued_ns = action->time_ns;
		else
			pair->issued_ns = action->time_ns;
		pair->bytes = action->bytes;
		return 0;
	case 'M':
		if (pair)
			forget(pairs, set, pair);
		return 0;
	case 'C':
		if (!pair) {
			pairs->strays++;
			return 0;
		}
		done = *pair;
		forget(pairs, set, pair);
		return complete(import, pairs, &done, action);
	default:
		import_skip(import);
		return 0;
	}
}

void block_pairs_end(struct import *import, const struct block_pairs *pairs)
{
	uint64_t lost = pairs->waiting + pairs->given_up;

	if (lost || pairs->strays)
		import_note(import,
			    "%llu requests without their completion and %llu "
			    "completions without their request are left out "
			    "(each CPU's file alone holds only part of them: "
			    "`blkparse -i NAME -d FILE` joins them)",
			    (unsigned long long)lost,
			    (unsigned long long)pairs->strays);
}
