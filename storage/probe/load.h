/* SPDX-License-Identifier: MIT */
/*
 * A load: so many requests of one size in flight all the time, each that
 * completes followed by another, at random places or one after the other. Its
 * owner turns it until it has seen enough.
 */
#ifndef STORAGE_PROBE_LOAD_H
#define STORAGE_PROBE_LOAD_H

#include "sim/random.h"
#include "storage/probe/probe.h"
#include "storage/probe/target.h"

#define LOAD_INFLIGHT_MAX 64
/* All requests of a load together. */
#define LOAD_BYTES_MAX (UINT64_C(64) << 20)

/* What all loads of a probe have in common. */
struct probe_site {
	const struct probe_options *options;
	struct fault *fault;
	struct probe_target target;
	struct random_stream places;
	uint64_t place;	     /* drawn so far */
	uint64_t next_block; /* of sequential reading */
	unsigned char *buffer;
	struct reader_wake wake;
	int64_t start_ns; /* of the budget */
	bool stuck; /* the kernel keeps the buffer, the files and the wake */
};

/* Opens what options->path names. */
int probe_site_open(struct probe_site **out,
		    const struct probe_options *options, struct fault *fault)
	__attribute__((warn_unused_result));

/* Where the kernel still holds something of it, it stays, for good. */
void probe_site_close(struct probe_site *site);

struct load {
	struct probe_site *site;
	const struct probe_point *point;
	struct reader *reader;
	uint64_t blocks;
	uint32_t inflight;
	bool ending; /* nothing follows what completes */
	int64_t submitted_ns[LOAD_INFLIGHT_MAX];
	/* Of the completions taken last. */
	uint32_t taken;
	int64_t taken_ns;
};

int load_open(struct load *load, struct probe_site *site,
	      const struct probe_point *point)
	__attribute__((warn_unused_result));

/* Waits for what is in flight. Returns `error`, the first one of the load, or
 * what came of that. */
int load_close(struct load *load, int error)
	__attribute__((warn_unused_result));

/* Puts all requests in flight. */
void load_start(struct load *load);

/* Waits a moment for completions, fills taken and taken_ns, adds their times
 * to `latency` (or NULL), and submits as many again. */
int load_turn(struct load *load, struct histogram *latency)
	__attribute__((warn_unused_result));

/* Between turns: -EINTR when it is not to go on, -ETIMEDOUT when there has
 * been silence since last_ns for too long. */
int load_look(const struct load *load, int64_t last_ns)
	__attribute__((warn_unused_result));

#endif
