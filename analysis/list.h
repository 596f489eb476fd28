/* SPDX-License-Identifier: MIT */
/* The tables of echosim as grids, for `list`. */
#ifndef ANALYSIS_LIST_H
#define ANALYSIS_LIST_H

#include "analysis/document/grid.h"

struct list {
	const char *name;
	const char *help;
	struct grid (*grid)(void);
};

extern const struct list list_table[];
extern const size_t list_count;

#endif
