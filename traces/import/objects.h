/* SPDX-License-Identifier: MIT */
/*
 * Files, disks and objects of a foreign trace by number: the first one met is
 * 0, the next 1. Only a 64-bit hash of a name is kept, so that memory is 16
 * bytes or less for each and has a ceiling; two names of one hash, which
 * among a million has a chance of 1 in 30 million, would be one object.
 */
#ifndef TRACES_OBJECTS_H
#define TRACES_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBJECTS_MAX (1u << 22)

struct objects_slot;

struct objects {
	struct objects_slot *slots;
	size_t room; /* a power of two, or 0 */
	uint64_t salt;
	uint32_t count;
};

void objects_init(struct objects *objects);
void objects_release(struct objects *objects);

/* The hash of a name, or of a number that serves as one. */
uint64_t objects_hash(const void *name, size_t size);

/* Has it been met? */
bool objects_has(const struct objects *objects, uint64_t hash);

/* The number of what has this hash, *is_new when it is met for the first
 * time. 0, -ENOSPC when there are OBJECTS_MAX already, -ENOMEM. */
int objects_number(struct objects *objects, uint64_t hash, uint32_t *number,
		   bool *is_new) __attribute__((warn_unused_result));

#endif
