/* SPDX-License-Identifier: MIT */
/* Tiles that stand in the answer of every page, be it about a run or the best
 * point of a sweep. */
#ifndef ANALYSIS_TILES_H
#define ANALYSIS_TILES_H

#include "analysis/document/view.h"

/* clang-format off */
#define TILES_OF_AU \
	{ .path = "au", .kind = METRIC_REAL, .unit = "%", .heading = "AU", \
	  .help = "share of the time the accelerators compute" }, \
	{ .path = "au_sustained", .kind = METRIC_REAL, .unit = "%", \
	  .heading = "Sustained AU", \
	  .help = "the same when the burst credit of the device is gone" }, \
	{ .path = "useful_au", .kind = METRIC_REAL, .unit = "%", \
	  .heading = "Useful AU", \
	  .help = "what of it counts: a repeat is worth less" }
/* clang-format on */

#endif
