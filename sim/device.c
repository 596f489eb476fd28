/* SPDX-License-Identifier: MIT */
#include "sim/device.h"

#include <string.h>

#include "sim/check.h"

size_t device_memory_bytes(const struct device_profile *profile)
{
	return profile->max_inflight * sizeof(int64_t);
}

void device_init(struct device *device, const struct device_profile *profile,
		 uint64_t seed, void *memory)
{
	memset(device, 0, sizeof(*device));
	device->profile = *profile;
	distribution_prepare(&device->profile.latency_ns);
	device->latency_stream = random_stream(seed, RANDOM_DEVICE_LATENCY);
	device->slot_free_ns = memory;
	if (profile->max_inflight > 0)
		memset(memory, 0, device_memory_bytes(profile));
}

/* Replaces the earliest slot's time, at the root, and lets it sink. */
static void slot_take(struct device *device, int64_t until_ns)
{
	int64_t *heap = device->slot_free_ns;
	uint32_t count = device->profile.max_inflight;
	uint32_t hole = 0;

	for (;;) {
		uint32_t child = 2 * hole + 1;

		if (child >= count)
			break;
		if (child + 1 < count && heap[child + 1] < heap[child])
			child++;
		if (heap[child] >= until_ns)
			break;
		heap[hole] = heap[child];
		hole = child;
	}
	heap[hole] = until_ns;
}

static uint64_t op_units(const struct device_profile *profile, uint64_t bytes)
{
	if (profile->io_unit_bytes == 0 || bytes == 0)
		return 1;
	return (bytes - 1) / profile->io_unit_bytes + 1;
}

int64_t device_submit(struct device *device, int64_t now_ns,
		      const struct device_request *request)
{
	const struct device_profile *profile = &device->profile;
	int64_t start_ns = now_ns;
	int64_t done_ns;

	CHECK(now_ns >= device->last_arrival_ns);
	device->last_arrival_ns = now_ns;
	if (profile->max_inflight > 0 && device->slot_free_ns[0] > start_ns)
		start_ns = device->slot_free_ns[0];
	done_ns = pipe_pass(&device->ops, profile->iops, start_ns,
			    op_units(profile, request->bytes));
	done_ns = pipe_pass(&device->bytes, profile->bandwidth_bytes_per_s,
			    done_ns, request->bytes);
	done_ns += distribution_draw(&profile->latency_ns,
				     random_bits(device->latency_stream,
						 request->number));
	if (profile->max_inflight > 0)
		slot_take(device, done_ns);
	return done_ns;
}
