/* SPDX-License-Identifier: MIT */
/*
 * The tables and charts of runs, as constants: which figure stands in which
 * column, for text and page alike. Which of them a report has is decided in
 * report_views.c.
 */
#ifndef ANALYSIS_REPORT_TABLES_H
#define ANALYSIS_REPORT_TABLES_H

#include "analysis/document/view.h"

extern const struct view strategies_view;
extern const struct view_column speedup_column;
extern const struct view variants_view;
extern const struct view variants_chart;
extern const struct view modes_view;
extern const struct view modes_chart;
extern const struct view utilisation_chart;
extern const struct view causes_chart;
extern const struct view causes_view;
extern const struct view worth_view;
extern const struct view sustained_view;
extern const struct view latency_chart;
extern const struct view requests_view;
extern const struct view stages_chart;
extern const struct view digests_view;

#endif
