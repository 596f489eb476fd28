/* SPDX-License-Identifier: MIT */
/* The catalogue of workloads as a grid. */
#ifndef ANALYSIS_WORKLOAD_LIST_H
#define ANALYSIS_WORKLOAD_LIST_H

#include "analysis/document/grid.h"

struct grid workload_grid(void);

#endif
