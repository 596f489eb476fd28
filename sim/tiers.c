/* SPDX-License-Identifier: MIT */
#include "sim/tiers.h"

#include <string.h>

#define LINE 64

static size_t round_up(size_t bytes)
{
	return (bytes + LINE - 1) / LINE * LINE;
}

static uint64_t mean_block_bytes(const struct layout *layout)
{
	uint64_t sum = 0;

	if (!layout->entries)
		return layout->block_bytes_mean > 0 ? layout->block_bytes_mean :
						      1;
	for (uint64_t i = 0; i < layout->blocks; i++)
		sum += layout->entries[i].stored_bytes;
	return sum / layout->blocks > 0 ? sum / layout->blocks : 1;
}

size_t tiers_memory_bytes(const struct tiers_profile *profile,
			  const struct layout *layout, uint32_t hosts)
{
	size_t each = cache_memory_bytes(&profile->cache, layout->blocks,
					 mean_block_bytes(layout));

	if (each > SIZE_MAX / 4 / hosts)
		return SIZE_MAX;
	return round_up(device_memory_bytes(&profile->device)) +
	       round_up(hosts * sizeof(struct cache)) +
	       round_up(hosts * sizeof(struct pipe)) + hosts * each;
}

void tiers_init(struct tiers *tiers, const struct tiers_profile *profile,
		const struct layout *layout, uint32_t hosts, uint64_t seed,
		void *memory)
{
	uint64_t block_bytes = mean_block_bytes(layout);
	size_t each = cache_memory_bytes(&profile->cache, layout->blocks,
					 block_bytes);
	char *at = memory;

	tiers->profile = *profile;
	distribution_prepare(&tiers->profile.cache.latency_ns);
	tiers->hit_stream = random_stream(seed, RANDOM_CACHE_LATENCY);
	device_init(&tiers->device, &profile->device, seed, at);
	at += round_up(device_memory_bytes(&profile->device));
	tiers->caches = (struct cache *)(void *)at;
	at += round_up(hosts * sizeof(struct cache));
	tiers->links = (struct pipe *)(void *)at;
	memset(tiers->links, 0, hosts * sizeof(struct pipe));
	at += round_up(hosts * sizeof(struct pipe));
	for (uint32_t host = 0; host < hosts; host++, at += each)
		cache_init(&tiers->caches[host], &tiers->profile.cache,
			   layout->blocks, block_bytes, at);
}

/* Of the request's bytes, those of blocks that the cache has; looking takes
 * the others in. */
static uint64_t cached_bytes(struct cache *cache,
			     const struct tiers_request *request)
{
	uint64_t share = request->bytes / request->block_count;
	uint64_t rest = request->bytes % request->block_count;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < request->block_count; i++) {
		uint64_t block_bytes = share + (i < rest);

		if (cache_read(cache, request->block + i, block_bytes))
			bytes += block_bytes;
	}
	return bytes;
}

static int64_t hit_done_ns(struct tiers *tiers, struct cache *cache,
			   int64_t now_ns, uint64_t number, uint64_t bytes)
{
	const struct cache_profile *profile = &tiers->profile.cache;

	return pipe_pass(&cache->pipe, profile->bandwidth_bytes_per_s, now_ns,
			 bytes) +
	       distribution_draw(&profile->latency_ns,
				 random_bits(tiers->hit_stream, number));
}

/* The link carries bytes as the device gives them. Its account begins at
 * arrival, as the device's do: a slow answer must not keep it from others. */
static int64_t link_done_ns(struct tiers *tiers, uint32_t host, int64_t now_ns,
			    int64_t device_done_ns, uint64_t bytes)
{
	const struct link_profile *profile = &tiers->profile.link;
	int64_t link_ns = pipe_pass(&tiers->links[host],
				    profile->bandwidth_bytes_per_s, now_ns,
				    bytes);

	return (link_ns > device_done_ns ? link_ns : device_done_ns) +
	       profile->latency_ns;
}

struct completion tiers_submit(struct tiers *tiers, int64_t now_ns,
			       const struct tiers_request *request)
{
	struct cache *cache = &tiers->caches[request->host];
	struct device_request missed = {
		.number = request->number,
		.position_bytes = request->position_bytes,
		.bytes = request->bytes,
		.first_touch = request->first_touch,
	};
	struct completion done = { .at_ns = now_ns, .start_ns = now_ns };
	int64_t hit_ns = now_ns;
	uint64_t hit = 0;

	if (tiers->profile.cache.policy != CACHE_NONE)
		hit = cached_bytes(cache, request);
	if (hit > 0)
		hit_ns =
			hit_done_ns(tiers, cache, now_ns, request->number, hit);
	missed.bytes -= hit;
	if (missed.bytes > 0 || hit == 0) {
		done = device_submit(&tiers->device, now_ns, &missed);
		done.at_ns = link_done_ns(tiers, request->host, now_ns,
					  done.at_ns, missed.bytes);
	}
	if (hit_ns > done.at_ns)
		done.at_ns = hit_ns;
	done.cached_bytes = hit;
	return done;
}
