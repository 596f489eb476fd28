/* SPDX-License-Identifier: MIT */
/*
 * A dataset folder in the making. It is made beside its target under the name
 * .NAME.partial-XXXXXX and takes its place in one step when it is whole, so
 * that at any moment the target is the old thing or the new one. While it is
 * made it is locked; unlocked ones were left by a process that was killed,
 * and are removed by the next one with the same target.
 */
#ifndef STORAGE_TARGET_H
#define STORAGE_TARGET_H

#include <stdbool.h>

#include "sim/fault.h"

struct target {
	char *parent;  /* folder that holds it */
	char *name;    /* within the parent */
	char *path;    /* both */
	char *partial; /* path of the folder in the making */
	int lock;
	bool replaces; /* there is a dataset to be replaced */
};

/* Checks that the target may be made: it does not exist, or `force` and it is
 * a dataset and nothing else. Touches nothing. */
int target_check(struct target *target, const char *path, bool force,
		 struct fault *fault) __attribute__((warn_unused_result));

/* Makes the partial folder, after removing what killed processes left. */
int target_create(struct target *target, struct fault *fault)
	__attribute__((warn_unused_result));

/* Makes the partial folder durable and puts it in the target's place; an old
 * dataset is removed after that. */
int target_commit(struct target *target, struct fault *fault)
	__attribute__((warn_unused_result));

/* Frees everything; removes the partial folder when it was not committed. */
void target_release(struct target *target);

#endif
