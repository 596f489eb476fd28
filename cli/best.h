/* SPDX-License-Identifier: MIT */
/* compare --best: looks for the best factor at every place by simulating. */
#ifndef CLI_BEST_H
#define CLI_BEST_H

#include "cli/runner.h"

/* Fills `echoes` with none and with the best of each place that gains over
 * none, and says in the runner's notes where the law's end stopped the search.
 * Stops early when interrupted. */
int best_find(struct runner *runner, struct echo *echoes, uint32_t *count,
	      struct fault *fault) __attribute__((warn_unused_result));

#endif
