/* SPDX-License-Identifier: MIT */
/*
 * What the keys of a loader must be to the others of a scenario: a stage has
 * no workers of its own where each worker carries a whole batch.
 */
#ifndef TRACES_LOADER_H
#define TRACES_LOADER_H

#include "traces/scenario.h"

/* Keys without effect in this kind of loader, with the one that has; echoes
 * that it cannot make, with the reason. 0 or -EINVAL. */
int loader_check(const struct scenario *scenario, const char *name,
		 struct fault *fault) __attribute__((warn_unused_result));

/* How long the batches that can wait to be pinned would take. */
double loader_backlog_s(const struct scenario *scenario);

/* What is to blame if a run would want too much memory. */
const char *loader_memory_key(const struct scenario *scenario);

#endif
