/* SPDX-License-Identifier: MIT */
#include "storage/live/held.h"

#include <errno.h>
#include <stdlib.h>

#include "sim/check.h"

int held_init(struct held *held, uint32_t size)
{
	held->due_ns = calloc(size, sizeof(*held->due_ns));
	held->size = size;
	held->count = 0;
	return held->due_ns ? 0 : -ENOMEM;
}

void held_release(struct held *held)
{
	free(held->due_ns);
	*held = (struct held){ 0 };
}

void held_put(struct held *held, int64_t due_ns)
{
	uint32_t place = held->count++;

	CHECK(place < held->size);
	while (place && held->due_ns[(place - 1) / 2] > due_ns) {
		held->due_ns[place] = held->due_ns[(place - 1) / 2];
		place = (place - 1) / 2;
	}
	held->due_ns[place] = due_ns;
}

static void remove_first(struct held *held)
{
	int64_t last_ns = held->due_ns[--held->count];
	uint32_t place = 0;

	for (;;) {
		uint32_t child = 2 * place + 1;

		if (child >= held->count)
			break;
		if (child + 1 < held->count &&
		    held->due_ns[child + 1] < held->due_ns[child])
			child++;
		if (held->due_ns[child] >= last_ns)
			break;
		held->due_ns[place] = held->due_ns[child];
		place = child;
	}
	held->due_ns[place] = last_ns;
}

bool held_take(struct held *held, int64_t now_ns, int64_t *due_ns)
{
	if (!held->count || held->due_ns[0] > now_ns)
		return false;
	*due_ns = held->due_ns[0];
	remove_first(held);
	return true;
}

int64_t held_next_ns(const struct held *held)
{
	return held->count ? held->due_ns[0] : INT64_MAX;
}
