/* SPDX-License-Identifier: MIT */
/*
 * A device profile from hostile hands. What is refused must say why; what is
 * accepted, alone or with another size, must serve any requests: the model
 * never fails, and no answer comes before its request.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "traces/device/check.h"
#include "traces/device/text.h"
#include "traces/scenario.h"

#define REQUESTS 300
#define MEMORY_MAX (1u << 22)
/* As many requests as can be in flight must end within what the clock holds;
 * scenario_check() sees to that too. */
#define BACKLOG_S_MAX 1e9

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char base[] = "dataset: {examples: 100000, example_bytes: 1 MB}\n"
			   "storage: {device: native}\n"
			   "accelerator: {step_time: 1 ms}\n";

/* Near and far, small and large, in a burst and after a pause. */
static void serve(const struct device_profile *profile)
{
	size_t size = device_memory_bytes(profile);
	struct random_stream stream = random_stream(1, RANDOM_SHUFFLE);
	struct completion completion;
	struct device device;
	int64_t now_ns = 0;
	uint64_t next = 0, i;
	void *memory;

	if (size > MEMORY_MAX)
		return;
	memory = malloc(size + 1);
	CHECK(memory);
	device_init(&device, profile, 1, memory);
	for (i = 0; i < REQUESTS; i++) {
		uint64_t bits = random_bits(stream, i);
		struct device_request request = {
			.number = i,
			.position_bytes = bits & 1 ? next : bits >> 4,
			.bytes = (bits >> 8) % (bits & 2 ? 4096 : 2 << 20) + 1,
			.first_touch = bits & 4,
		};

		completion = device_submit(&device, now_ns, &request);
		CHECK(completion.at_ns >= now_ns);
		CHECK(completion.retries <= profile->error.retries);
		next = request.position_bytes + request.bytes;
		if (bits & 8)
			now_ns = completion.at_ns;
	}
	free(memory);
}

static void use(struct scenario *scenario)
{
	struct fault fault = { 0 };
	int error = scenario_check(scenario, "fuzz", &fault);

	CHECK(!error == !fault.text[0]);
	if (!error && device_backlog_s(&scenario->storage.profile, REQUESTS,
				       2 << 20) < BACKLOG_S_MAX)
		serve(&scenario->storage.profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct scenario scenario;
	struct fault fault = { 0 }, other = { 0 };
	int error;

	CHECK(!scenario_parse(&scenario, "base", base, sizeof(base) - 1, NULL,
			      0, &fault));
	error = device_parse(&scenario, "fuzz", (const char *)bytes, size,
			     &fault);
	CHECK(!error == !fault.text[0]);
	if (error)
		return 0;
	use(&scenario);
	error = scenario_set(&scenario, "storage.device.size=3 TiB", &other);
	CHECK(!error == !other.text[0]);
	if (!error)
		use(&scenario);
	return 0;
}
