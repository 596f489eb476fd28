/* SPDX-License-Identifier: MIT */
/*
 * Service (private to the engine's files): what all stages have in common. An
 * item is begun where a worker and room for its result are free, takes its
 * time, and is then delivered to where the next in line finds it.
 */
#ifndef SIM_SERVICE_H
#define SIM_SERVICE_H

#include "sim/loader.h"

/* A worker and room for the result are free, and no item of another epoch is
 * in service where results overtake each other. */
ALWAYS_INLINE bool can_start(const struct engine *engine,
			     const struct stage_state *stage, uint64_t epoch)
{
	if (stage->busy.count == stage->workers ||
	    output_is_full(&stage->output))
		return false;
	return engine->pipeline.ordered || stage->busy.count == 0 ||
	       stage->service_epoch == epoch;
}

/* Reserves a slot for an item of an epoch and a worker to serve it. */
ALWAYS_INLINE uint32_t reserve(const struct engine *engine,
			       struct stage_state *stage, uint64_t epoch)
{
	uint32_t slot = output_reserve(&stage->output);

	if (engine->pipeline.ordered)
		output_append(&stage->output, slot);
	stage->service_epoch = epoch;
	return slot;
}

/* Puts a finished item where the next in line finds it. How many results are
 * waiting is the caller's to count. */
ALWAYS_INLINE void deliver(const struct engine *engine, struct loader *loader,
			   enum stage_name name, uint32_t slot)
{
	struct stage_state *stage = &loader->stages[name];

	if (!engine->pipeline.ordered)
		output_append(&stage->output, slot);
	stage->output.slots[slot].done = true;
	stage->items++;
	/* Behind another one, it changes nothing for the next in line. */
	loader_mark_if(loader, name + 1, stage->output.head == slot);
}

/* A worker has finished an item. One more that is free is news only where
 * there was none, or where items of another epoch wait for this one to be out
 * of service. */
ALWAYS_INLINE void free_worker(const struct engine *engine,
			       struct loader *loader, enum stage_name name)
{
	struct stage_state *stage = &loader->stages[name];

	loader_mark_if(loader, name,
		       (stage->busy.count == stage->workers) |
			       (stage->busy.count == 1));
	level_down(&stage->busy, engine->now_ns);
}

/* Begins service of an item that costs something. */
static inline void begin_service(struct engine *engine,
				 struct stage_state *stage, uint32_t slot,
				 int64_t service_ns)
{
	level_up(&stage->busy, engine->now_ns);
	agenda_push(&engine->own, engine->now_ns + service_ns,
		    stage->first_operation + slot);
}

#endif
