/* SPDX-License-Identifier: MIT */
/*
 * A cache in front of a device, one per host: which blocks it has, and how
 * long a hit takes. `lru` evicts the least recently used blocks; `pinned`
 * takes blocks until it is full and never gives one up, which under an order
 * that changes every epoch keeps far more hits. A new cache is empty.
 *
 * A cache has entries for the blocks it can hold; one that can hold the whole
 * dataset needs only a bit per block.
 */
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/distribution.h"
#include "sim/pipe.h"

enum cache_policy { CACHE_NONE, CACHE_LRU, CACHE_PINNED };

struct cache_profile {
	enum cache_policy policy;
	uint64_t bytes;
	uint64_t bandwidth_bytes_per_s; /* of hits; 0: no limit */
	struct distribution latency_ns; /* of a hit */
};

struct cache_entry {
	uint64_t block;
	uint64_t bytes;
	uint32_t newer; /* towards the most recently used */
	uint32_t older;
	uint32_t next; /* in its chain */
};

struct cache {
	const struct cache_profile *profile; /* borrowed */
	uint64_t used_bytes;
	struct pipe pipe;
	uint64_t *bits; /* pinned: a bit per block */
	/* lru: entries, and chains of them by hash; CACHE_NOTHING ends. */
	struct cache_entry *entries;
	uint32_t *chains;
	uint32_t chain_count; /* a power of two */
	uint32_t entry_count;
	uint32_t made; /* entries that were ever used */
	uint32_t free; /* evicted entries, chained by next */
	uint32_t newest;
	uint32_t oldest;
};

/* What a cache of this profile needs for a dataset of so many blocks of this
 * mean size; 64-aligned. */
size_t cache_memory_bytes(const struct cache_profile *profile, uint64_t blocks,
			  uint64_t block_bytes);

void cache_init(struct cache *cache, const struct cache_profile *profile,
		uint64_t blocks, uint64_t block_bytes, void *memory);

/* Is the block there? Looking changes nothing. */
bool cache_has(struct cache *cache, uint64_t block);

/* Looks a block up for a read; a block that is not there is taken in, if the
 * policy takes it. True for a hit. */
bool cache_read(struct cache *cache, uint64_t block, uint64_t bytes);

#endif
