/* SPDX-License-Identifier: MIT */
/*
 * Other people's programs as the judges of what we wrote: zstd, mdb_stat and
 * the like, run without a shell.
 */
#ifndef TESTS_SUPPORT_PROGRAM_H
#define TESTS_SUPPORT_PROGRAM_H

#include <stddef.h>

/* What program_run() returns when there is no such program. */
#define PROGRAM_MISSING 127

/*
 * Runs a program with its arguments, the last one NULL. Its output is kept in
 * `output` (NULL: dropped) up to `room` bytes, *size tells how much; its
 * errors are dropped. Returns its exit status, or 128 + the signal that ended
 * it.
 */
int program_run(const char *const *arguments, void *output, size_t room,
		size_t *size);

#endif
