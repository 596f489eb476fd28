/* SPDX-License-Identifier: MIT */
/*
 * Telling the watcher (private to the engine's files): each function makes a
 * trace event and hands it over. To be called only where engine->tells; they
 * stand apart so that a run that nobody watches does not carry them along.
 */
#ifndef SIM_TELL_H
#define SIM_TELL_H

#include "sim/loader.h"

/* Time moves on, if it does. */
void tell_time(const struct engine *engine, int64_t to_ns);

/* A part of a request is complete. */
void tell_part(const struct engine *engine, const struct loader *loader,
	       const struct part *part);

/* A block is being decompressed, or was, from start_ns to end_ns. */
void tell_block(const struct engine *engine, const struct loader *loader,
		const struct block *block, int64_t start_ns, int64_t end_ns);

/* An example or a batch is begun by a worker of a stage. */
void tell_work(const struct engine *engine, const struct loader *loader,
	       enum stage_name name, struct token token, int64_t service_ns);

/* A worker's batch, in a slot of collate's output, is handed over. */
void tell_carry(const struct engine *engine, const struct loader *loader,
		uint32_t slot);

/* An accelerator has taken its batch. */
void tell_batch(const struct engine *engine, const struct loader *loader,
		uint32_t accelerator);

/* An accelerator begins the step of this number. */
void tell_step(const struct engine *engine, uint32_t accelerator,
	       uint64_t number);

#endif
