/* SPDX-License-Identifier: MIT */
/*
 * Stages (private to the engine's files): those of examples and batches, and
 * the pump that looks at every place of a loader where something has changed
 * and starts what can be started.
 */
#ifndef SIM_STAGES_H
#define SIM_STAGES_H

#include "sim/loader.h"

/* Starts all that can be started at a loader's marked places, and all that
 * follows from it. */
void stages_pump(struct engine *engine, struct loader *loader);

/* The item in a slot is finished, at engine->now_ns: delivers it and pumps. */
void stages_finish(struct engine *engine, struct loader *loader,
		   enum stage_name name, uint32_t slot);

#endif
