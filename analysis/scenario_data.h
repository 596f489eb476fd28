/* SPDX-License-Identifier: MIT */
/* A scenario as data: every field as the field table has it, in base units. */
#ifndef ANALYSIS_SCENARIO_DATA_H
#define ANALYSIS_SCENARIO_DATA_H

#include "analysis/document/document.h"
#include "traces/scenario.h"

void scenario_data(struct document *document, struct node *object,
		   const struct scenario *scenario);

/* What its figures are of, as the member "setting" (analysis/hosts.h). */
void setting_data(struct document *document, const struct scenario *scenario);

#endif
