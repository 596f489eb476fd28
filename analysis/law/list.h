/* SPDX-License-Identifier: MIT */
/* The built-in laws as a grid, for `list laws`. */
#ifndef ANALYSIS_LAW_LIST_H
#define ANALYSIS_LAW_LIST_H

#include "analysis/document/grid.h"

struct grid law_grid(void);

#endif
