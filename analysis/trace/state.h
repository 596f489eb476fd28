/* SPDX-License-Identifier: MIT */
/* What trace_stat gathers, shared by trace_stat.c and trace_stat_tables.c. */
#ifndef ANALYSIS_TRACE_STATE_H
#define ANALYSIS_TRACE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/trace/stat.h"
#include "sim/histogram.h"
#include "sim/pipeline.h"

#define SIZE_CLASSES 64 /* by the size's highest bit */
#define SPAN_BINS 32
#define READINGS_MAX 32

/* Requests of similar size: from half of a power of two to below it. */
struct size_class {
	uint64_t requests;
	uint64_t bytes;
	struct histogram latency_ns;
};

/* A stretch of time. */
struct span_bin {
	uint64_t requests; /* that ended in it */
	uint64_t bytes;
	double in_flight_ns; /* request-nanoseconds */
	double stepping_ns;  /* accelerator-nanoseconds */
};

/* The n-th time that places are read. */
struct reading {
	uint64_t requests;
	uint64_t bytes;
};

struct stage_work {
	uint64_t items;
	uint64_t busy_ns;
	struct histogram time_ns;
};

struct place {
	uint64_t key; /* 0: free */
	uint32_t reads;
};

/* A request that waits for those of lower numbers. */
struct waiting_request {
	bool waits;
	uint32_t object;
	uint64_t offset_bytes;
	uint64_t bytes;
};

/* The last request to an object. */
struct object_end {
	bool known;
	uint32_t object;
	uint64_t start_bytes;
	uint64_t end_bytes;
};

#define PLACES (UINT32_C(1) << 21)
#define PLACES_MAX (PLACES / 2)
#define WINDOW 4096
#define OBJECTS 4096

struct trace_stat {
	uint64_t events;
	bool began;
	int64_t first_ns;
	int64_t last_ns;

	uint64_t requests, writes, failed, retries, late, cached_requests;
	uint64_t bytes, cached_bytes;
	struct histogram latency_ns; /* issue to end */
	struct histogram service_ns; /* start to end */
	struct histogram size_bytes;
	double in_flight_ns;
	struct size_class *sizes; /* SIZE_CLASSES */

	struct stage_work stages[STAGE_COUNT];
	uint64_t batches;
	struct histogram batch_wait_ns;
	uint64_t steps;
	uint64_t step_ns;
	struct histogram step_wait_ns; /* for the other accelerators */

	uint64_t bin_ns;
	struct span_bin bins[SPAN_BINS];

	struct place *places;
	uint32_t place_count;
	uint64_t unfollowed; /* requests to places beyond those */
	struct reading readings[READINGS_MAX];

	struct waiting_request *window; /* WINDOW, by number */
	uint64_t next_number;
	uint64_t followed;   /* requests looked at */
	uint64_t sequential; /* of those, that went on where the last to their
				object had ended */
	struct object_end *objects; /* OBJECTS */
};

#endif
