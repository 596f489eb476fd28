/* SPDX-License-Identifier: MIT */
/*
 * Building an engine (private to the engine's files): one block of memory is
 * carved into everything a run can ever need.
 */
#ifndef SIM_BUILD_H
#define SIM_BUILD_H

#include <stddef.h>

#include "sim/bounds.h"
#include "sim/loader.h"

/* Hands out a block piece by piece; without a block it only counts. */
struct carve {
	char *base; /* NULL: count only */
	size_t used;
	bool overflow;
};

/* Points every array of the engine into the block; returns the engine, NULL
 * when only counting. */
struct engine *build_carve(struct carve *carve,
			   const struct pipeline *pipeline);

/* Gives everything its first value. */
void build_fill(struct engine *engine, const struct pipeline *pipeline);

#endif
