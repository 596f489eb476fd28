/* SPDX-License-Identifier: MIT */
/* The catalogue of devices as a grid, for `list`. */
#ifndef ANALYSIS_DEVICE_LIST_H
#define ANALYSIS_DEVICE_LIST_H

#include "analysis/document/grid.h"

/* Its cells live as long as the program. */
struct grid device_grid(void);

#endif
