/* SPDX-License-Identifier: MIT */
/* The details of a run as JSON (private to this folder). */
#ifndef ANALYSIS_JSON_DETAIL_H
#define ANALYSIS_JSON_DETAIL_H

#include <jansson.h>

#include "analysis/result.h"

/* NULL when there is no memory. */
json_t *detail_json(const struct result *result);

#endif
