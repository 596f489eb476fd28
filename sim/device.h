/* SPDX-License-Identifier: MIT */
/*
 * The device model: a request of this size and place that arrives now is
 * complete when? The answer is final at arrival; later arrivals never change
 * it. The same answer schedules an event in simulation and holds back a real
 * completion in a live run.
 *
 * One request passes, in order: a free slot among max_inflight; the op pipe
 * (one unit of 1/iops per io_unit_bytes begun); the byte pipe (first come,
 * first served at bandwidth); then its own latency.
 *
 * Latency comes last because a long draw delays only its own request. Were it
 * in front of the pipe, the answer being final, one straggler would keep the
 * pipe from everybody behind it while nothing flows. For a constant latency
 * both orders give the same times.
 */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/distribution.h"
#include "sim/pipe.h"
#include "sim/random.h"

/* What a device is. Zero means: no such limit. */
struct device_profile {
	uint64_t bandwidth_bytes_per_s;
	uint64_t iops;
	uint64_t io_unit_bytes; /* bytes charged as one op; 0: any size is 1 */
	struct distribution latency_ns;
	uint32_t max_inflight;
};

struct device_request {
	uint64_t number; /* keys the random draws */
	uint32_t shard;
	uint64_t offset_bytes;
	uint64_t bytes; /* at most DEVICE_REQUEST_BYTES_MAX */
};

#define DEVICE_REQUEST_BYTES_MAX PIPE_UNITS_MAX

/* What a device is doing. Holds one borrowed pointer, the slot heap. */
struct device {
	struct device_profile profile;
	struct random_stream latency_stream;
	int64_t last_arrival_ns;
	struct pipe ops;
	struct pipe bytes;
	int64_t *slot_free_ns; /* heap of max_inflight times, least first */
};

/* Bytes of slot memory that device_init() wants for this profile; 8-aligned. */
size_t device_memory_bytes(const struct device_profile *profile);

/* `memory` has device_memory_bytes() bytes and outlives the device. */
void device_init(struct device *device, const struct device_profile *profile,
		 uint64_t seed, void *memory);

/* When is the request complete that arrives at now_ns? Arrivals must not go
 * back in time. The answer is at least now_ns. */
int64_t device_submit(struct device *device, int64_t now_ns,
		      const struct device_request *request);

#endif
