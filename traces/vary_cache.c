/* SPDX-License-Identifier: MIT */
#include "traces/vary_cache.h"

#include <string.h>

#define CACHE "cache."

void vary_cache_add(struct vary_cache *varies, const char *axis)
{
	varies->any |= !strncmp(axis, CACHE, strlen(CACHE));
	varies->policy |=
		!strncmp(axis, CACHE "policy", strlen(CACHE "policy"));
}

bool vary_cache_begin(const struct vary_cache *varies,
		      struct scenario *scenario)
{
	struct cache_profile *cache = &scenario->cache;
	bool known = varies->policy || cache->policy != CACHE_NONE;

	if (!varies->any || (cache->policy != CACHE_NONE && cache->bytes))
		return true;
	scenario->cache_given = *cache;
	*cache = (struct cache_profile){ .policy = CACHE_NONE };
	return known;
}

int vary_cache_apply(const struct vary_change *changes, size_t count,
		     struct scenario *scenario, struct fault *fault)
{
	struct cache_profile *cache = &scenario->cache;
	bool size = false, policy = false;
	size_t i;
	int error = 0;

	for (i = 0; i < count; i++) {
		size |= !strcmp(changes[i].key, CACHE "bytes");
		policy |= !strcmp(changes[i].key, CACHE "policy");
	}
	if ((size || policy) && cache->policy == CACHE_NONE)
		*cache = scenario->cache_given;
	for (i = 0; i < count && !error; i++)
		error = vary_apply(&changes[i], scenario, fault);
	if (error)
		return error;
	if (size && !policy && cache->policy == CACHE_NONE)
		cache->policy = CACHE_LRU;
	if ((policy && cache->policy == CACHE_NONE) || (size && !cache->bytes))
		*cache = (struct cache_profile){ .policy = CACHE_NONE };
	return 0;
}
