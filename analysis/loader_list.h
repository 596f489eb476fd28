/* SPDX-License-Identifier: MIT */
/* The catalogue of loaders as a grid. */
#ifndef ANALYSIS_LOADER_LIST_H
#define ANALYSIS_LOADER_LIST_H

#include "analysis/document/grid.h"

struct grid loader_grid(void);

#endif
