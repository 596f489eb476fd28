/* SPDX-License-Identifier: MIT */
/*
 * Measures what storage does with reads, so that a device profile can be made
 * of it: a fixed list of points, each so many requests of one size in flight
 * all the time. The points are measured in rounds, each round in an order of
 * its own, so that what the machine does meanwhile falls on all of them alike;
 * a point's rate is the median of its rounds. Some points are held out: nobody
 * fits anything to them, they are there to judge the fit by.
 *
 * A soak comes first when it is asked for: large requests at full rate for
 * half of the time, and how fast they were in each tenth of a second. It finds
 * storage in the state that an idle time has left it in, credit and all.
 *
 * Only ever reads, except for a file of its own, which it makes when asked to.
 * That file has no name (or loses it at once), so it is gone with the process,
 * whatever ends that.
 */
#ifndef STORAGE_PROBE_H
#define STORAGE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"
#include "sim/histogram.h"
#include "storage/reader.h"

#define PROBE_POINTS_MAX 48
#define PROBE_ROUNDS_MAX 16
#define PROBE_NOTES_BYTES 600

/* Storage smaller than this tells nothing: its own caches answer. */
#define PROBE_BYTES_MIN (UINT64_C(1) << 20)

#define PROBE_SOAK_PERIOD_NS INT64_C(100000000)
#define PROBE_SOAK_PERIOD_S 0.1

enum probe_cache {
	PROBE_DIRECT_OR_NOT, /* O_DIRECT; where it is refused, without */
	PROBE_DIRECT,
	PROBE_BUFFERED,
};

struct probe_options {
	const char *path;      /* file, folder or block device */
	uint64_t create_bytes; /* of a file made in the folder; 0: none */
	enum probe_cache cache;
	int64_t budget_ns; /* for measuring; each point is measured once even
			      if that takes longer */
	bool soak;
	uint64_t seed; /* of the places read, and of the file's content */
	const struct reader_kind *kind; /* NULL: the first that is granted */
	/* Called now and then with how much is done, 0 to 1; false asks to
	 * stop. */
	bool (*progress)(void *context, const char *what, double done);
	void *context;
};

struct probe_point {
	uint32_t inflight;
	uint64_t bytes;	 /* of each request */
	bool sequential; /* else at random places */
	bool held_out;
};

struct probe_measure {
	struct probe_point point;
	uint32_t rounds;
	double rates[PROBE_ROUNDS_MAX]; /* requests a second, by round */
	double requests_per_s;		/* their median */
	double lower_per_s;		/* their quartiles */
	double upper_per_s;
};

/* What was read, and how. */
struct probe_facts {
	const char *what; /* "file", "files", "block device", "test file" */
	uint32_t files;
	uint64_t bytes; /* of storage that was read from */
	bool direct;
	const char *backend;
	char notes[PROBE_NOTES_BYTES]; /* what could not be had; one per line */
};

struct probe_result {
	bool complete; /* not interrupted */
	struct probe_facts facts;
	size_t count;
	struct probe_measure measures[PROBE_POINTS_MAX];
	struct histogram latency_ns; /* one small request at a time */
	size_t soak_count;
	double *soak_bytes_per_s; /* one per period; NULL without a soak */
};

/* Measures. -EINTR when it was stopped before every point had its first
 * round; later, the result is merely not complete. Reads that fail, and a
 * device that answers nothing for half a minute, are faults. */
int probe_run(const struct probe_options *options, struct probe_result *result,
	      struct fault *fault) __attribute__((warn_unused_result));

void probe_release(struct probe_result *result);

#endif
