/* SPDX-License-Identifier: MIT */
/*
 * Stages (private to the engine's files): starting work where a worker and
 * room for the result are free, and finishing it.
 */
#ifndef SIM_STAGES_H
#define SIM_STAGES_H

#include "sim/loader.h"

/* Starts all that can be started at a place of a loader. */
void stage_start(struct engine *engine, struct loader *loader,
		 enum stage_name name);

/* The item in a slot is finished, at engine->now_ns. */
void stage_finish(struct engine *engine, struct loader *loader,
		  enum stage_name name, uint32_t slot);

#endif
