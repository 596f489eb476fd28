/* SPDX-License-Identifier: MIT */
/*
 * Issues requests that were recorded, or traced elsewhere, again: against
 * other files or devices, held back by a device model or not. Reads only.
 *
 * Open loop: each request at its recorded time, divided by the speed. The
 * times are absolute, so that what is late now does not make the rest late;
 * how late each was is measured. A timer wakes some tens of microseconds late,
 * and nothing is spun away here: that is what the lateness is of a target that
 * keeps up.
 *
 * Closed loop: each request as soon as fewer are in flight than were when it
 * was issued in the recording. Times do not matter then; how long it took is
 * measured.
 *
 * Where a request goes. One that lies within the file of its object's number
 * goes there. Another is moved: object o to file o modulo the number of files,
 * a gibibyte further for each object there before it, modulo the file's size.
 * All are widened to the alignment. How many were moved is counted.
 */
#ifndef STORAGE_REPLAY_H
#define STORAGE_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/device.h"
#include "sim/fault.h"
#include "sim/histogram.h"
#include "sim/io_request.h"
#include "storage/reader.h"

/* In flight at most, and as many as 256 MiB have room for; more wait, and are
 * late. */
#define IO_REPLAY_INFLIGHT_MAX 1024
/* Of a request; a longer one is cut, and counted. */
#define IO_REPLAY_BYTES_MAX (UINT64_C(64) << 20)
/* Later than this is behind schedule. */
#define IO_REPLAY_LATE_NS INT64_C(1000000)

struct io_replay_options {
	double speed; /* 2: twice as fast; > 0 */
	bool closed;
	struct device *device; /* NULL: not held back */
	enum reader_backend backend;
	const volatile bool *stop;
	void (*progress)(void *context, double done);
	void *context;
};

struct io_replay_target {
	const int *files;
	const uint64_t *bytes; /* their sizes */
	uint32_t count;
	uint32_t alignment_bytes;
};

struct io_replay_report {
	const char *backend;
	bool complete;
	uint64_t requests;
	uint64_t bytes;	 /* asked for by them */
	uint64_t moved;	 /* to another place than the recorded one */
	uint64_t cut;	 /* longer than can be issued */
	uint64_t waited; /* for others, with as many in flight as may be */
	uint64_t behind; /* issued more than IO_REPLAY_LATE_NS late */
	int64_t elapsed_ns;
	int64_t schedule_ns; /* of the last issue, by the speed */
	uint32_t inflight_max;
	struct histogram latency_ns;  /* issued to complete */
	struct histogram lateness_ns; /* open loop: of issuing */
};

/* "on schedule": at most one in a hundred was issued more than
 * IO_REPLAY_LATE_NS late; "fell behind"; or "no schedule" in a closed loop. */
const char *io_replay_verdict(const struct io_replay_report *report,
			      bool closed);

/* Negative errno and a fault when a read fails or takes 30 s. */
int io_replay_run(const struct io_request *requests, uint64_t count,
		  const struct io_replay_target *target,
		  const struct io_replay_options *options,
		  struct io_replay_report *report, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
