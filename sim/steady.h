/* SPDX-License-Identifier: MIT */
/*
 * The steady part of a run: MSER-5 (White, 1997) truncates the start of a
 * series of step times where the remaining ones have the least standard error
 * of their mean. Steps are gathered in bins of five; when the bins run out,
 * neighbours are merged, so any number of steps fits in constant memory.
 */
#ifndef SIM_STEADY_H
#define SIM_STEADY_H

#include <stdint.h>

#include "sim/level.h"

#define STEADY_BINS 1024
#define STEADY_BIN_STEPS 5

struct steady_bin {
	int64_t elapsed_ns;
	level_integral busy_ns; /* of all accelerators */
};

struct steady {
	uint64_t bin_steps;  /* steps a bin holds now; 0 before the first */
	uint64_t open_steps; /* steps in the open bin */
	uint32_t full;	     /* full bins; the open one is behind them */
	struct steady_bin bins[STEADY_BINS];
};

/* A step that took elapsed_ns from the end of the one before, of which the
 * accelerators together were busy for busy_ns. */
void steady_add(struct steady *steady, int64_t elapsed_ns,
		level_integral busy_ns);

/* Sums over the bins that are kept; zeros with fewer than 10 full bins. */
struct steady_bin steady_part(const struct steady *steady);

#endif
