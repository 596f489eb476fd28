/* SPDX-License-Identifier: MIT */
/*
 * What a row of trace events amounts to, gathered in one pass with constant
 * memory: rates, latencies, sizes, how far requests follow each other, the
 * requests in flight over time, and how often places are read again.
 *
 * Latencies are quantiles of a log-linear histogram (sim/histogram.h). Whether
 * requests follow each other is looked at in the order of their numbers, over
 * a window. Places are followed up to a million; the figures say when there
 * were more.
 */
#ifndef ANALYSIS_TRACE_STAT_H
#define ANALYSIS_TRACE_STAT_H

#include <stdint.h>

#include "analysis/document/document.h"
#include "sim/trace_event.h"

struct trace_stat;

/* NULL without memory. */
struct trace_stat *trace_stat_open(void);
void trace_stat_close(struct trace_stat *stat);

void trace_stat_add(struct trace_stat *stat, const struct trace_event *event);

/* After the last event. */
void trace_stat_finish(struct trace_stat *stat);

/* What was found. */
struct document *trace_stat_document(const struct trace_stat *stat);

#endif
