/* SPDX-License-Identifier: MIT */
/* A result as text, for whoever keeps many. */
#ifndef ANALYSIS_JSON_RUN_TEXT_H
#define ANALYSIS_JSON_RUN_TEXT_H

#include "analysis/result.h"

/* The text that a report in JSON has of it; NULL: out of memory. The caller
 * frees it. */
char *json_run_text(const struct result *result);

#endif
