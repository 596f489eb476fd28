/* SPDX-License-Identifier: MIT */
/* What writing a sweep and reading it back share (private to this folder). */
#ifndef ANALYSIS_JSON_SWEEP_H
#define ANALYSIS_JSON_SWEEP_H

#include <jansson.h>

#include "analysis/sweep/sweep.h"

/* Which values the axes have; where a point is on them. */
json_t *json_of_axes(const struct sweep *sweep);
json_t *json_of_place(const struct sweep *sweep, uint32_t point);

#endif
