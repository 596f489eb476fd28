/* SPDX-License-Identifier: MIT */
/*
 * Trace events on their way out, one a line: for people, as CSV, as lines of
 * JSON. The columns are one table; times are whole nanoseconds of the run,
 * empty (null) where they are not known.
 */
#ifndef ANALYSIS_TRACE_TABLE_H
#define ANALYSIS_TRACE_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "sim/trace_event.h"

/* "request", "work", "batch", "step" */
const char *trace_kind_name(uint8_t kind);

/* "read", "decompress", ... */
const char *trace_stage_name(uint8_t stage);

/* The first and the last of an event's times that are known; TIME_UNKNOWN:
 * none is. */
int64_t trace_event_begin_ns(const struct trace_event *event);
int64_t trace_event_end_ns(const struct trace_event *event);

enum trace_format { TRACE_TEXT, TRACE_CSV, TRACE_JSON_LINES };

/* The line above the events; JSON has none. */
void trace_table_head(FILE *out, enum trace_format format);
void trace_table_row(FILE *out, enum trace_format format,
		     const struct trace_event *event);

#endif
