/* SPDX-License-Identifier: MIT */
/*
 * The common course of compare, sim and run: run strategies, write the
 * report, judge the goals.
 */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <stdbool.h>

#include "cli/sides.h"

struct session_plan {
	bool sim;
	bool live;
	bool every_strategy; /* `none` first; else the first of the scenario */
	bool best;	     /* the best factor of every place instead */
	/* What to compare; NULL: the scenario as it is. */
	const struct sides_request *sides;
};

/* Returns the exit status. */
int session_run(const struct options *options, const struct session_plan *plan);

#endif
