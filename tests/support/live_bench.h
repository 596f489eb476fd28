/* SPDX-License-Identifier: MIT */
/*
 * A packed dataset and a small pipeline over it, to be run against real reads
 * and in virtual time. Devices and steps take milliseconds, so that what a
 * timer is late by does not matter.
 */
#ifndef TESTS_SUPPORT_LIVE_BENCH_H
#define TESTS_SUPPORT_LIVE_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/device.h"
#include "sim/figures.h"
#include "sim/pipeline.h"
#include "sim/trace_event.h"
#include "storage/live/live.h"
#include "tests/support/temp.h"

struct live_bench {
	struct temp temp;
	char path[TEMP_PATH_MAX]; /* of the dataset */
	struct dataset *dataset;
	struct pipeline pipeline;
	struct device_profile device;
	bool native;
	struct live_options options;
	/* Filled by a run. */
	struct figures figures;
	struct live_report report;
	struct fault fault;
	/* The completions as the engine told them, when `record` is set. */
	bool record;
	struct trace_event *events;
	uint64_t recorded;
	uint64_t replayed;
};

#define LIVE_BENCH_EVENTS 131072 /* that can be recorded */

/* Of a dataset in a foreign format (tests/support/foreign.h). */
#define LIVE_BENCH_FOREIGN 200
#define LIVE_BENCH_FOREIGN_BYTES 8192

/* Packs a dataset of about 8 MB stored in the named format, or makes a smaller
 * one in a foreign format, and sets up a pipeline and a device that it keeps
 * waiting about half of the time. */
void live_bench_open(struct live_bench *bench, const char *format);
void live_bench_close(struct live_bench *bench);

/* Gives each accelerator workers who carry whole batches, two for each out, in
 * the place of the stages' workers. */
void live_bench_crew(struct live_bench *bench, uint32_t workers,
		     uint32_t reads);

/* Closes and opens the dataset, e.g. after a test has spoilt a file. */
void live_bench_reopen(struct live_bench *bench);

/* Runs live; what live_run() returned. */
int live_bench_run(struct live_bench *bench);

/* Runs the same in virtual time. */
void live_bench_simulate(struct live_bench *bench, struct figures *figures);

/* Feeds the completions that were recorded to a fresh engine, and its requests
 * to a fresh device. Returns how many reads were completed at another time
 * than the device says without having been late. */
uint64_t live_bench_replay(struct live_bench *bench, struct figures *figures);

/* Nominal step time by the accelerators' time. */
double live_bench_au(const struct figures *figures);

#endif
