/* SPDX-License-Identifier: MIT */
/*
 * Requests of the kernel's block layer, put together from what blktrace tells
 * of each: queued (Q), given to the driver (D), completed (C). They are one
 * request when device, first sector and direction are the same. A request that
 * was merged into another (M) has no completion of its own.
 *
 * BLOCK_PAIRS_MAX requests can be under way; beyond that, the ones that have
 * waited longest for their completion are given up.
 */
#ifndef TRACES_BLOCK_PAIRS_H
#define TRACES_BLOCK_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/trace_event.h"

#define BLOCK_PAIRS_WAYS 8
#define BLOCK_PAIRS_SETS 4096
#define BLOCK_PAIRS_MAX (BLOCK_PAIRS_WAYS * BLOCK_PAIRS_SETS)
#define BLOCK_SECTOR_BYTES 512

struct import;

struct block_action {
	int64_t time_ns;
	uint64_t sector;
	uint64_t bytes;
	uint32_t device; /* major << 20 | minor */
	char action;	 /* as blkparse writes it: Q, D, C, M, ... */
	bool write;
	bool failed;
};

struct block_pair {
	uint64_t sector;
	uint64_t bytes;
	int64_t queued_ns; /* TIME_UNKNOWN: not told */
	int64_t issued_ns;
	uint32_t device;
	bool write;
	bool used;
};

struct block_pairs {
	uint64_t count;	  /* of requests that came out */
	uint64_t waiting; /* without a completion so far */
	uint64_t given_up;
	uint64_t strays; /* completions of which nothing was told before */
	struct block_pair pairs[BLOCK_PAIRS_SETS][BLOCK_PAIRS_WAYS];
};

/* Takes an action; a completion hands on its request: asked for when it was
 * queued (not told: when it was issued), begun when it was issued. */
int block_pairs_take(struct import *import, struct block_pairs *pairs,
		     const struct block_action *action);

/* Says in a note what had no completion or no beginning. */
void block_pairs_end(struct import *import, const struct block_pairs *pairs);

#endif
