/* SPDX-License-Identifier: MIT */
/*
 * The seal of a result: the digest of every decision of the run, as text.
 * Equal seals, equal runs.
 */
#ifndef ANALYSIS_SEAL_H
#define ANALYSIS_SEAL_H

#include "analysis/result.h"
#include "analysis/value.h"

/* Seals a result whose figures are final. */
void seal_result(struct result *result);

/* The metric; not known before. */
struct metric_value seal_digest(const struct result *result);

#endif
