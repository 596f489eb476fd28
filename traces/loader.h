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

/* Puts the keys of a scenario's loader that nobody gave back to their
 * defaults, before another loader takes its place. */
void loader_forget(struct scenario *scenario);

/* Keys that were given and have no effect in the loader that the scenario has
 * now go back to their defaults, and are remembered in left_out. */
void loader_leave_out(struct scenario *scenario);

/* Says which were left out and what has effect, in a sentence; "" when none
 * was. Returns text. */
#define LOADER_SAID_MAX 590
const char *loader_say_left_out(const struct scenario *scenario, char *text,
				size_t size);

/* Has its loader workers whose number nobody gave? */
bool loader_assumes_workers(const struct scenario *scenario);

/* How long the batches that can wait to be pinned would take. */
double loader_backlog_s(const struct scenario *scenario);

/* What is to blame if a run would want too much memory. */
const char *loader_memory_key(const struct scenario *scenario);

#endif
