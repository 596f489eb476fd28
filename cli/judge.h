/* SPDX-License-Identifier: MIT */
/* The goals of --require, put to the runs of a command. */
#ifndef CLI_JUDGE_H
#define CLI_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/result.h"
#include "cli/options.h"

/* The runs of one strategy stand together, one of each mode. */
struct judged_runs {
	const struct options *options;
	const struct result *const *runs;
	size_t count;
	size_t modes;
	bool live; /* there are live ones */
};

/* Does some strategy, of some variant, meet all goals? Says on stderr when
 * none does. STATUS_DONE or STATUS_MISSED. */
int judge_runs(const struct judged_runs *judged);

#endif
