/* SPDX-License-Identifier: MIT */
/*
 * The output of a stage (private to the engine's files): a slot for every item
 * in service or finished and not yet taken. Slots stand in one of two lists,
 * linked through the slots themselves: the free ones, last freed first, and
 * those in the order of leaving. A slot may also be in neither, such as that
 * of a read whose blocks are still being decompressed.
 *
 * Both lists end in one more slot that is never done, so that "has the next to
 * leave a result?" is a look at one slot, also where there is none.
 */
#ifndef SIM_OUTPUT_H
#define SIM_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

/* One use of an example or of a batch: which, and the how-many-th copy. It
 * goes from hand to hand by value, in one register. */
struct token {
	uint32_t id;
	uint32_t copy;
};

#define TOKEN_NONE UINT32_MAX /* an id that nothing has */

static inline bool token_is_item(struct token token)
{
	return token.id != TOKEN_NONE;
}

struct slot {
	struct token token; /* decode, augment, collate */
	uint32_t next;	    /* in its list */
	bool done;
};

struct output {
	struct slot *slots; /* borrowed, output_slots(end) of them */
	uint32_t end;	    /* the slot that ends both lists */
	uint32_t free;
	uint32_t head; /* next to leave */
	uint32_t tail;
};

/* Room for this many items wants so many slots. */
static inline uint64_t output_slots(uint32_t items)
{
	return (uint64_t)items + 1;
}

/* All slots free, slot 0 first. */
static inline void output_init(struct output *output)
{
	for (uint32_t i = 0; i <= output->end; i++)
		output->slots[i] = (struct slot){ .next = i + 1 };
	output->free = 0;
	output->head = output->end;
	output->tail = output->end;
}

static inline bool output_is_full(const struct output *output)
{
	return output->free == output->end;
}

/* The next item to leave is there. */
static inline bool output_has_result(const struct output *output)
{
	return output->slots[output->head].done;
}

/* Takes a free slot; the output must not be full. */
static inline uint32_t output_reserve(struct output *output)
{
	uint32_t slot = output->free;

	output->free = output->slots[slot].next;
	return slot;
}

/* The slot leaves after all that are in the order already. */
static inline void output_append(struct output *output, uint32_t slot)
{
	output->slots[slot].next = output->end;
	if (output->head == output->end)
		output->head = slot;
	else
		output->slots[output->tail].next = slot;
	output->tail = slot;
}

/* Takes the front slot, which there must be, out of the order. */
static inline uint32_t output_leave(struct output *output)
{
	uint32_t slot = output->head;

	output->head = output->slots[slot].next;
	return slot;
}

/* Gives a slot back that is in no list. */
static inline void output_free(struct output *output, uint32_t slot)
{
	output->slots[slot].done = false;
	output->slots[slot].next = output->free;
	output->free = slot;
}

#endif
