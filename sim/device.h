/* SPDX-License-Identifier: MIT */
/*
 * The device model: a request of this size and place that arrives now is
 * complete when? The answer is final at arrival; later arrivals never change
 * it. The same answer schedules an event in simulation and holds back a real
 * completion in a live run. It costs the same however much came before.
 *
 * A request passes a free slot among max_inflight. From then on every limit
 * keeps its own account, first come, first served, and the last one to let the
 * request go decides:
 *   ops: one unit per io_unit_bytes begun, at `iops` and through the op
 *     buckets. A limiter, not a server: a request that finds no debt passes at
 *     once and leaves one behind;
 *   bytes: the pipe at `bandwidth` and the byte buckets, which take as long as
 *     the bytes take at their rate;
 *   head: a disk's arm serves one request at a time: seek, rotation, transfer;
 *     nothing of it for a request that continues the one before.
 * Then comes the request's own latency, now and then a straggler's, and no
 * request is done before start + latency + bytes / stream_bandwidth.
 *
 * Latency comes last because a long draw delays only its own request. Were it
 * in front of the pipe, the answer being final, one straggler would keep the
 * pipe from everybody behind it while nothing flows. For a constant latency
 * both orders give the same times.
 *
 * Not modelled: sharing of a pipe between transfers at the same time
 * (processor sharing), reordering of waiting requests.
 */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/bucket.h"
#include "sim/completion.h"
#include "sim/distribution.h"
#include "sim/pipe.h"
#include "sim/random.h"

#define DEVICE_BUCKETS_MAX 4
#define DEVICE_RETRIES_MAX 32
#define DEVICE_REQUEST_BYTES_MAX PIPE_UNITS_MAX

enum bucket_of { BUCKET_OF_OPS, BUCKET_OF_BYTES };

struct device_bucket {
	enum bucket_of of;
	struct bucket_profile profile; /* ops or bytes, and per second */
};

/* A disk's arm. Seek time over a share x of the stroke is track_to_track +
 * a sqrt(x) + b x, with a and b such that random seeks take `average` and the
 * full stroke takes `full`. The transfer rate falls evenly from the outer to
 * the inner edge. The data lies evenly over the first span_bytes of the
 * stroke: files lie anywhere on a disk that was filled over time. Absent when
 * rpm is 0. */
struct device_seek {
	int64_t track_to_track_ns;
	int64_t average_ns;
	int64_t full_ns; /* 0: as b = 0 has it */
	uint32_t rpm;
	uint64_t outer_bytes_per_s;
	uint64_t inner_bytes_per_s; /* 0: as outer */
	uint64_t capacity_bytes;    /* the stroke */
	uint64_t span_bytes;	    /* 0: all of it */
	uint64_t data_bytes; /* where positions end; 0: they are places on the
				stroke themselves, which wrap around */
};

/* iops begins at `initial` with the first request and doubles every
 * doubling_ns up to profile.iops. Absent when initial is 0. */
struct device_ramp {
	uint64_t initial_iops;
	int64_t doubling_ns;
};

/* An attempt fails with this probability, after its latency; it has cost an op
 * and moved no bytes. It is repeated after min(cap, base * 2^n) times a factor
 * uniform in 1 - jitter .. 1. */
struct device_error {
	double probability;
	uint32_t retries; /* beyond the first attempt, <= DEVICE_RETRIES_MAX */
	int64_t backoff_base_ns;
	int64_t backoff_cap_ns;
	double jitter; /* 0 .. 1 */
};

/* What a device is. Zero means: no such limit. */
struct device_profile {
	uint64_t bandwidth_bytes_per_s;
	uint64_t stream_bandwidth_bytes_per_s;
	uint64_t iops;
	uint64_t io_unit_bytes; /* bytes charged as one op; 0: any size is 1 */
	uint64_t min_charge_bytes; /* bytes charged at least */
	bool merges; /* a request that continues the one before is charged as
			its continuation */
	struct distribution latency_ns;
	double tail_probability; /* of drawing tail_latency_ns instead */
	struct distribution tail_latency_ns;
	uint32_t max_inflight;
	uint32_t bucket_count;
	struct device_bucket buckets[DEVICE_BUCKETS_MAX];
	struct device_seek seek;
	struct device_ramp ramp;
	struct device_error error;
	/* Read at a place of its own before the first byte of a file that is
	 * opened, which waits for it: an inode, a directory. 0: nothing. */
	uint64_t metadata_bytes;
	int64_t first_touch_ns; /* added to the first read of each place */
};

struct device_request {
	uint64_t number;	 /* keys the random draws */
	uint64_t position_bytes; /* on the device */
	uint64_t bytes;		 /* at most DEVICE_REQUEST_BYTES_MAX */
	bool first_touch;	 /* nothing of it was read before */
	bool opens;		 /* its file is opened for it */
};

/* What a device is doing. Holds one borrowed pointer, the slot heap. */
struct device {
	struct device_profile profile;
	struct random_stream latency_stream;
	struct random_stream tail_stream;
	struct random_stream error_stream;
	struct random_stream metadata_stream;
	int64_t last_arrival_ns;
	bool started; /* a request has come */
	int64_t first_arrival_ns;
	struct pipe ops;
	struct pipe bytes;
	struct bucket buckets[DEVICE_BUCKETS_MAX];
	uint64_t served_bytes;	/* of all requests so far */
	uint64_t next_position; /* where the last request ended */
	uint64_t run_bytes;	/* of the requests that continue each other */
	int64_t head_free_ns;
	double seek_root; /* a and b of the seek curve, nanoseconds */
	double seek_linear;
	int64_t *slot_free_ns; /* heap of max_inflight times, least first */
};

/* Bytes of slot memory that device_init() wants for this profile; 8-aligned. */
size_t device_memory_bytes(const struct device_profile *profile);

/* `memory` has device_memory_bytes() bytes and outlives the device. */
void device_init(struct device *device, const struct device_profile *profile,
		 uint64_t seed, void *memory);

/* When is the request complete that arrives at now_ns? Arrivals must not go
 * back in time. The answer is at least now_ns. */
struct completion device_submit(struct device *device, int64_t now_ns,
				const struct device_request *request);

#endif
