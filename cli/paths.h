/* SPDX-License-Identifier: MIT */
/*
 * The files that one command line names: nothing that is read may be what is
 * written, and no two products one file. Two spellings of a path are one.
 */
#ifndef CLI_PATHS_H
#define CLI_PATHS_H

#include "cli/options.h"
#include "sim/fault.h"
#include "traces/scenario.h"

/* Checks -o, --timeline and --trace against each other and against all that
 * is read. -EINVAL: the fault names the file. */
int paths_check(const struct options *options, const struct scenario *scenario,
		struct fault *fault) __attribute__((warn_unused_result));

#endif
