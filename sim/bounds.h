/* SPDX-License-Identifier: MIT */
/*
 * How many of each thing a pipeline can have at once (private to the engine's
 * files): everything is bounded before the run, so that the engine needs one
 * block of memory and never asks for more.
 *
 * The room of a stage counts its items in service and those finished and not
 * yet taken; a worker begins one only where there is room. Read: requests
 * whose blocks are not all decompressed; in order, one that is slow holds up
 * those behind it, up to this window. Its key is storage.window; not given, 64
 * times the queue depth as far as they fit 64 MiB, and twice the depth at
 * least. Decompress, decode, augment: the key is the stage's queue; not given,
 * twice the workers, whatever an item costs (of blocks 32 at least). Collate:
 * prefetch_batches for each accelerator, and one for each worker. None is less
 * than the stage's workers.
 */
#ifndef SIM_BOUNDS_H
#define SIM_BOUNDS_H

#include <stdint.h>

#include "sim/pipeline.h"

struct bounds {
	uint32_t stage_slots[STAGE_COUNT]; /* room in each stage's output */
	uint32_t request_blocks;	   /* blocks of a request, at most */
	uint64_t request_examples;	   /* examples of a request, at most */
	uint64_t request_bytes; /* read into one buffer, alignment included */
	uint32_t parts;		/* of requests, in flight */
	uint64_t part_bytes;	/* of one, aligned */
	uint32_t batches;	/* per host */
	uint64_t read_ahead_min;
	uint64_t read_ahead_default;
};

void bounds_find(struct bounds *bounds, const struct pipeline *pipeline);

#endif
