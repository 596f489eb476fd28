/* SPDX-License-Identifier: MIT */
#include "sim/cache.h"

#include <string.h>

#include "sim/check.h"

#define CACHE_NOTHING UINT32_MAX
#define CACHE_LINE 64

/* Blocks may be smaller than the mean; with this many entries per mean block,
 * entries rarely run out before bytes do. */
#define ENTRIES_PER_BLOCK 2

static size_t round_up(size_t bytes)
{
	return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

/* Nothing is ever evicted: no order of use is needed. */
static bool keeps_all(const struct cache_profile *profile, uint64_t blocks,
		      uint64_t block_bytes)
{
	return profile->policy == CACHE_PINNED ||
	       profile->bytes / (block_bytes + 1) >= 2 * blocks;
}

static uint32_t entries_wanted(const struct cache_profile *profile,
			       uint64_t blocks, uint64_t block_bytes)
{
	uint64_t entries = profile->bytes / block_bytes * ENTRIES_PER_BLOCK + 1;

	if (entries > blocks)
		entries = blocks;
	return entries < CACHE_NOTHING ? (uint32_t)entries : CACHE_NOTHING - 1;
}

static uint32_t chains_wanted(uint32_t entries)
{
	uint32_t chains = 1;

	while (chains < entries && chains < UINT32_C(1) << 31)
		chains *= 2;
	return chains;
}

static size_t bits_bytes(uint64_t blocks)
{
	return (size_t)((blocks + 63) / 64 * sizeof(uint64_t));
}

size_t cache_memory_bytes(const struct cache_profile *profile, uint64_t blocks,
			  uint64_t block_bytes)
{
	uint32_t entries;

	if (profile->policy == CACHE_NONE)
		return 0;
	if (keeps_all(profile, blocks, block_bytes))
		return round_up(bits_bytes(blocks));
	entries = entries_wanted(profile, blocks, block_bytes);
	return round_up(entries * sizeof(struct cache_entry)) +
	       round_up(chains_wanted(entries) * sizeof(uint32_t));
}

void cache_init(struct cache *cache, const struct cache_profile *profile,
		uint64_t blocks, uint64_t block_bytes, void *memory)
{
	char *base = memory;

	memset(cache, 0, sizeof(*cache));
	cache->profile = profile;
	cache->newest = CACHE_NOTHING;
	cache->oldest = CACHE_NOTHING;
	cache->free = CACHE_NOTHING;
	if (profile->policy == CACHE_NONE)
		return;
	if (keeps_all(profile, blocks, block_bytes)) {
		cache->bits = memory;
		memset(memory, 0, bits_bytes(blocks));
		return;
	}
	cache->entry_count = entries_wanted(profile, blocks, block_bytes);
	cache->chain_count = chains_wanted(cache->entry_count);
	cache->entries = memory;
	cache->chains =
		(uint32_t *)(void *)(base +
				     round_up(cache->entry_count *
					      sizeof(struct cache_entry)));
	memset(cache->chains, 0xff, cache->chain_count * sizeof(uint32_t));
}

static bool read_pinned(struct cache *cache, uint64_t block, uint64_t bytes)
{
	uint64_t *word = &cache->bits[block / 64];
	uint64_t bit = UINT64_C(1) << (block % 64);

	if (*word & bit)
		return true;
	if (bytes <= cache->profile->bytes - cache->used_bytes) {
		cache->used_bytes += bytes;
		*word |= bit;
	}
	return false;
}

static uint32_t *chain_of(struct cache *cache, uint64_t block)
{
	uint64_t hash = block * UINT64_C(0x9e3779b97f4a7c15);

	return &cache->chains[(hash >> 32) & (cache->chain_count - 1)];
}

static void unlink_use(struct cache *cache, struct cache_entry *entry)
{
	if (entry->newer == CACHE_NOTHING)
		cache->newest = entry->older;
	else
		cache->entries[entry->newer].older = entry->older;
	if (entry->older == CACHE_NOTHING)
		cache->oldest = entry->newer;
	else
		cache->entries[entry->older].newer = entry->newer;
}

static void link_newest(struct cache *cache, uint32_t index)
{
	struct cache_entry *entry = &cache->entries[index];

	entry->newer = CACHE_NOTHING;
	entry->older = cache->newest;
	if (cache->newest == CACHE_NOTHING)
		cache->oldest = index;
	else
		cache->entries[cache->newest].newer = index;
	cache->newest = index;
}

/* Gives up the least recently used block; returns its entry for reuse. */
static uint32_t evict(struct cache *cache)
{
	uint32_t index = cache->oldest;
	struct cache_entry *entry = &cache->entries[index];
	uint32_t *link = chain_of(cache, entry->block);

	CHECK(index != CACHE_NOTHING);
	while (*link != index)
		link = &cache->entries[*link].next;
	*link = entry->next;
	unlink_use(cache, entry);
	cache->used_bytes -= entry->bytes;
	return index;
}

/* An entry for a new block of this size; evicts until there is room. */
static uint32_t make_room(struct cache *cache, uint64_t bytes)
{
	uint32_t index;

	while (cache->used_bytes + bytes > cache->profile->bytes ||
	       (cache->free == CACHE_NOTHING &&
		cache->made == cache->entry_count)) {
		uint32_t evicted = evict(cache);

		cache->entries[evicted].next = cache->free;
		cache->free = evicted;
	}
	if (cache->free == CACHE_NOTHING)
		return cache->made++;
	index = cache->free;
	cache->free = cache->entries[index].next;
	return index;
}

static uint32_t find_entry(struct cache *cache, uint64_t block)
{
	uint32_t index = *chain_of(cache, block);

	while (index != CACHE_NOTHING && cache->entries[index].block != block)
		index = cache->entries[index].next;
	return index;
}

bool cache_has(struct cache *cache, uint64_t block)
{
	if (cache->bits)
		return (cache->bits[block / 64] >> (block % 64)) & 1;
	return find_entry(cache, block) != CACHE_NOTHING;
}

static bool read_lru(struct cache *cache, uint64_t block, uint64_t bytes)
{
	uint32_t *chain = chain_of(cache, block);
	uint32_t index = find_entry(cache, block);

	if (index != CACHE_NOTHING) {
		unlink_use(cache, &cache->entries[index]);
		link_newest(cache, index);
		return true;
	}
	if (bytes > cache->profile->bytes)
		return false;
	index = make_room(cache, bytes);
	cache->entries[index] = (struct cache_entry){
		.block = block,
		.bytes = bytes,
		.next = *chain,
	};
	*chain = index;
	link_newest(cache, index);
	cache->used_bytes += bytes;
	return false;
}

bool cache_read(struct cache *cache, uint64_t block, uint64_t bytes)
{
	if (cache->bits)
		return read_pinned(cache, block, bytes);
	return read_lru(cache, block, bytes);
}
