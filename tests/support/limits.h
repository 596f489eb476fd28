/* SPDX-License-Identifier: MIT */
/*
 * What a kernel or an administrator may refuse. Such refusals cannot be taken
 * back, so each belongs into a process of its own.
 */
#ifndef TESTS_SUPPORT_LIMITS_H
#define TESTS_SUPPORT_LIMITS_H

#define CHILD_SKIPPED 77

/* Runs the test in a child; returns its exit status, or 128 + the signal that
 * ended it. The test says 0: passed, CHILD_SKIPPED, or which claim failed. */
int in_child(int (*test)(void *context), void *context);

/* All below: 0 or negative errno. */

/* io_uring_setup() says "not permitted" from now on, as in containers. */
int forbid_rings(void);

/* setrlimit(), both limits. */
int limit_resource(int resource, unsigned long long limit);

/* Nobody in particular, if this is the superuser. */
int become_nobody(void);

#endif
