/* SPDX-License-Identifier: MIT */
#include "sim/tiers.h"

#include <string.h>

#include "sim/check.h"

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

static uint32_t device_volumes(const struct tiers_profile *profile)
{
	return profile->volumes > 0 ? profile->volumes : 1;
}

uint64_t tiers_volumes(const struct tiers_profile *profile, uint32_t hosts)
{
	uint64_t devices = profile->scope == SCOPE_PER_HOST ? hosts : 1;

	return devices * device_volumes(profile);
}

size_t tiers_memory_bytes(const struct tiers_profile *profile,
			  const struct layout *layout, uint32_t hosts)
{
	size_t each = cache_memory_bytes(&profile->cache, layout->blocks,
					 mean_block_bytes(layout));
	size_t volume = sizeof(struct device) + LINE +
			round_up(device_memory_bytes(&profile->device));
	uint64_t volumes = tiers_volumes(profile, hosts);

	if (each > SIZE_MAX / 4 / hosts || volumes > SIZE_MAX / 4 / volume)
		return SIZE_MAX;
	return round_up(volumes * volume + hosts * each) +
	       round_up(hosts * sizeof(struct cache)) +
	       round_up(hosts * sizeof(struct pipe));
}

/* Where positions on a volume end. */
static uint64_t data_bytes(const struct tiers_profile *profile,
			   const struct layout *layout)
{
	uint64_t extent = layout_position(layout, (uint32_t)layout->shards, 0);

	return extent / device_volumes(profile) +
	       (device_volumes(profile) > 1 ? profile->stripe_bytes : 0);
}

/* Makes the volumes out of the memory at `at`; returns what lies behind. */
static char *init_volumes(struct tiers *tiers, uint32_t hosts, uint64_t seed,
			  char *at)
{
	const struct device_profile *profile = &tiers->profile.device;
	uint64_t count = tiers_volumes(&tiers->profile, hosts);

	tiers->volumes = device_volumes(&tiers->profile);
	CHECK(tiers->volumes == 1 || tiers->profile.stripe_bytes > 0);
	tiers->devices = (struct device *)(void *)at;
	at += round_up(count * sizeof(struct device));
	for (uint64_t i = 0; i < count; i++) {
		device_init(&tiers->devices[i], profile, seed, at);
		at += round_up(device_memory_bytes(profile));
	}
	return at;
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
	tiers->profile.device.seek.data_bytes =
		data_bytes(&tiers->profile, layout);
	tiers->hit_stream = random_stream(seed, RANDOM_CACHE_LATENCY);
	at = init_volumes(tiers, hosts, seed, at);
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
	uint64_t share = request->whole_bytes / request->block_count;
	uint64_t rest = request->whole_bytes % request->block_count;
	uint64_t bytes = 0;

	if (!request->last)
		return cache_has(cache, request->block) ? request->bytes : 0;
	if (request->bytes < request->whole_bytes)
		return cache_read(cache, request->block, request->whole_bytes) ?
			       request->bytes :
			       0;
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
	       distribution_draw_at(&profile->latency_ns, tiers->hit_stream,
				    number);
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

/* How many of the device's first `bytes` bytes lie on a volume. */
static uint64_t volume_bytes(const struct tiers *tiers, uint32_t volume,
			     uint64_t bytes)
{
	uint64_t stripe = tiers->profile.stripe_bytes;
	uint64_t before; /* stripes of this round that lie elsewhere */
	uint64_t rest;

	if (tiers->volumes == 1)
		return bytes;
	before = volume * stripe;
	rest = bytes % (tiers->volumes * stripe);
	rest = rest > before ? rest - before : 0;
	return bytes / (tiers->volumes * stripe) * stripe +
	       (rest < stripe ? rest : stripe);
}

static uint32_t first_volume(const struct tiers *tiers, uint64_t position)
{
	if (tiers->volumes == 1)
		return 0;
	return (uint32_t)(position / tiers->profile.stripe_bytes %
			  tiers->volumes);
}

/* The device answers when the last of its volumes has. */
static struct completion device_done(struct tiers *tiers, int64_t now_ns,
				     uint32_t host,
				     const struct device_request *request)
{
	uint64_t begin = request->position_bytes;
	uint32_t first = first_volume(tiers, begin);
	struct completion done = { .at_ns = now_ns, .start_ns = INT64_MAX };

	if (tiers->profile.scope == SCOPE_SHARED)
		host = 0;
	for (uint32_t i = 0; i < tiers->volumes; i++) {
		uint32_t volume = (first + i) % tiers->volumes;
		struct device *device =
			&tiers->devices[(uint64_t)host * tiers->volumes +
					volume];
		struct device_request part = *request;
		struct completion answer;

		part.number = request->number * tiers->volumes + volume;
		part.position_bytes = volume_bytes(tiers, volume, begin);
		part.bytes =
			volume_bytes(tiers, volume, begin + request->bytes) -
			part.position_bytes;
		if (i > 0 && part.bytes == 0)
			break;
		part.opens = request->opens && i == 0;
		answer = device_submit(device, now_ns, &part);
		if (answer.at_ns > done.at_ns)
			done.at_ns = answer.at_ns;
		if (answer.start_ns < done.start_ns)
			done.start_ns = answer.start_ns;
		done.retries += answer.retries;
		done.failed |= answer.failed;
	}
	return done;
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
		.opens = request->opens,
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
		done = device_done(tiers, now_ns, request->host, &missed);
		done.at_ns = link_done_ns(tiers, request->host, now_ns,
					  done.at_ns, missed.bytes);
	}
	if (hit_ns > done.at_ns)
		done.at_ns = hit_ns;
	done.cached_bytes = hit;
	return done;
}
