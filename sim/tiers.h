/* SPDX-License-Identifier: MIT */
/*
 * Tiers: what lies between a loader and its data. Each host has a cache and,
 * behind it, a link to the device: one that all hosts share, such as a file
 * system or an object store, or one of its own, such as a local drive or a
 * block volume, which then holds all of the data that the host reads.
 *
 *   shared:    host: cache --- link ---+
 *              host: cache --- link ---+--- device
 *   per host:  host: cache --- link --- device
 *              host: cache --- link --- device
 *
 * A device may be several equal volumes, the data striped over them: a stripe
 * of stripe_bytes lies on the first, the next on the second, and so on. What a
 * request reads of a volume lies there in one piece.
 *
 * A request's blocks that the cache has come from there; the others go to the
 * device and stream through the link as they come. The request is done with
 * the last of them. Like the device's, the answer is final at arrival.
 */
#ifndef SIM_TIERS_H
#define SIM_TIERS_H

#include <stdint.h>

#include "sim/cache.h"
#include "sim/completion.h"
#include "sim/device.h"
#include "sim/layout.h"

struct link_profile {
	uint64_t bandwidth_bytes_per_s; /* 0: no limit */
	int64_t latency_ns;
};

/* Whom a device serves. */
enum device_scope {
	SCOPE_SHARED,	/* one for all hosts */
	SCOPE_PER_HOST, /* each host has its own */
};

struct tiers_profile {
	struct device_profile device; /* of a volume */
	enum device_scope scope;
	uint32_t volumes;      /* of a device; 0: one */
	uint64_t stripe_bytes; /* > 0 with several */
	struct cache_profile cache;
	struct link_profile link;
};

/* A block that is larger than a request comes in several; the cache takes it
 * in with the last of them. */
struct tiers_request {
	uint64_t number; /* keys the random draws */
	uint32_t host;
	uint64_t block; /* the first */
	uint32_t block_count;
	uint64_t position_bytes;
	uint64_t bytes;
	uint64_t whole_bytes; /* of all requests for these blocks */
	bool last;	      /* of them */
	bool first_touch;
	bool opens;
};

struct tiers {
	struct tiers_profile profile;
	uint32_t volumes;	/* of a device, at least 1 */
	struct device *devices; /* volume by volume of the shared one, or of
				   each host's */
	struct random_stream hit_stream;
	struct cache *caches; /* by host */
	struct pipe *links;   /* by host */
};

/* Volumes in all, those of every device counted. */
uint64_t tiers_volumes(const struct tiers_profile *profile, uint32_t hosts);

/* Memory that tiers_init() wants, in bytes, a multiple of 64; SIZE_MAX: more
 * than can be. */
size_t tiers_memory_bytes(const struct tiers_profile *profile,
			  const struct layout *layout, uint32_t hosts);

/* `memory` is aligned to 64 and outlives the tiers, which must not move. */
void tiers_init(struct tiers *tiers, const struct tiers_profile *profile,
		const struct layout *layout, uint32_t hosts, uint64_t seed,
		void *memory);

/* When is the request complete that arrives at now_ns? Arrivals must not go
 * back in time. A request's bytes count as spread evenly over its blocks. */
struct completion tiers_submit(struct tiers *tiers, int64_t now_ns,
			       const struct tiers_request *request);

#endif
