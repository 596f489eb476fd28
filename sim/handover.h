/* SPDX-License-Identifier: MIT */
/*
 * Handing over (private to the engine's files): what lies between a collated
 * batch and its step. First the loader's one server pins it in memory, first
 * come first served; then, once the trainer has taken it, the trainer's own
 * process spends time on it: it waits in queues, is unpacked, is copied to the
 * accelerator. Only the second holds the trainer up.
 */
#ifndef SIM_HANDOVER_H
#define SIM_HANDOVER_H

#include "sim/loader.h"

/* The batch in a slot of collate's output is collated: pins it, or it is ready
 * for the trainer at once. */
void handover_collated(struct engine *engine, struct loader *loader,
		       uint32_t slot);

/* It is pinned. */
void handover_pinned(struct engine *engine, struct loader *loader,
		     uint32_t slot);

/* Time that the trainer spends on the batch which its accelerator has. */
int64_t handover_ns(const struct engine *engine, struct loader *loader,
		    const struct accelerator *accelerator);

#endif
