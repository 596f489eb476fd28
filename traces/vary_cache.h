/* SPDX-License-Identifier: MIT */
/*
 * A cache that is varied. A file must give its policy and its size together;
 * of an axis each is taken for what it means alone: a policy of none leaves the
 * rest of the cache without effect, a size of nothing is no cache, and a size
 * of which no policy is known is that of a cache that keeps the last used.
 */
#ifndef TRACES_VARY_CACHE_H
#define TRACES_VARY_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/vary.h"

/* What of a cache the keys of axes vary. */
struct vary_cache {
	bool any;
	bool policy;
};

/* One more axis, "KEY=..." or its key alone. */
void vary_cache_add(struct vary_cache *varies, const char *axis);

/* What was given of a scenario's cache, not checked yet, waits for the axes
 * where it is none or has no size. False: its policy is not known and will be
 * assumed. */
bool vary_cache_begin(const struct vary_cache *varies,
		      struct scenario *scenario);

/* Makes one cache of what was given and of the changes, which are then made.
 * 0 or negative errno, as vary_apply(). */
int vary_cache_apply(const struct vary_change *changes, size_t count,
		     struct scenario *scenario, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
