/* SPDX-License-Identifier: MIT */
/*
 * The due times of completions that are held back: a heap, earliest first.
 * The engine holds the completions themselves; this only tells how late they
 * were let go, and when the next one is to be let go in time.
 */
#ifndef STORAGE_LIVE_HELD_H
#define STORAGE_LIVE_HELD_H

#include <stdbool.h>
#include <stdint.h>

struct held {
	int64_t *due_ns; /* `size` places */
	uint32_t size;
	uint32_t count;
};

/* Room for `size` due times. Negative errno. */
int held_init(struct held *held, uint32_t size)
	__attribute__((warn_unused_result));
void held_release(struct held *held);

void held_put(struct held *held, int64_t due_ns);

/* Takes the earliest if it is at or before now_ns. */
bool held_take(struct held *held, int64_t now_ns, int64_t *due_ns);

/* The earliest; INT64_MAX when nothing is held. */
int64_t held_next_ns(const struct held *held);

#endif
