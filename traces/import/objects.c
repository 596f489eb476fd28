/* SPDX-License-Identifier: MIT */
#include "traces/import/objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"

#define ROOM_FIRST 64

struct objects_slot {
	uint64_t hash;
	uint32_t number; /* from 1; 0: free */
};

void objects_init(struct objects *objects)
{
	/* Where the memory lies differs from run to run. */
	*objects = (struct objects){ .salt = (uintptr_t)objects };
}

void objects_release(struct objects *objects)
{
	free(objects->slots);
	objects->slots = NULL;
}

static uint64_t mix(uint64_t bits)
{
	bits = (bits ^ (bits >> 30)) * RANDOM_MULTIPLIER_A;
	bits = (bits ^ (bits >> 27)) * RANDOM_MULTIPLIER_B;
	return bits ^ (bits >> 31);
}

uint64_t objects_hash(const void *name, size_t size)
{
	uint64_t hash = size, part;
	const char *at = name;
	size_t length;

	for (; size; size -= length, at += length) {
		length = size < sizeof(part) ? size : sizeof(part);
		part = 0;
		memcpy(&part, at, length);
		hash = mix(hash + RANDOM_GOLDEN) ^ part;
	}
	return mix(hash + RANDOM_GOLDEN);
}

/* Where the hash stands, or would. */
static struct objects_slot *find(const struct objects *objects, uint64_t hash)
{
	size_t at = mix(hash ^ objects->salt) & (objects->room - 1);

	while (objects->slots[at].number && objects->slots[at].hash != hash)
		at = (at + 1) & (objects->room - 1);
	return &objects->slots[at];
}

static int grow(struct objects *objects)
{
	struct objects larger = *objects;
	size_t i;

	larger.room = objects->room ? 2 * objects->room : ROOM_FIRST;
	larger.slots = calloc(larger.room, sizeof(*larger.slots));
	if (!larger.slots)
		return -ENOMEM;
	for (i = 0; i < objects->room; i++)
		if (objects->slots[i].number)
			*find(&larger, objects->slots[i].hash) =
				objects->slots[i];
	free(objects->slots);
	*objects = larger;
	return 0;
}

bool objects_has(const struct objects *objects, uint64_t hash)
{
	return objects->room && find(objects, hash)->number;
}

int objects_number(struct objects *objects, uint64_t hash, uint32_t *number,
		   bool *is_new)
{
	struct objects_slot *slot;
	int error;

	if (2 * (size_t)objects->count >= objects->room &&
	    objects->count < OBJECTS_MAX) {
		error = grow(objects);
		if (error)
			return error;
	}
	slot = find(objects, hash);
	*is_new = !slot->number;
	if (*is_new) {
		if (objects->count == OBJECTS_MAX)
			return -ENOSPC;
		*slot = (struct objects_slot){ hash, ++objects->count };
	}
	*number = slot->number - 1;
	return 0;
}
