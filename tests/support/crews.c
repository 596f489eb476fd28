/* SPDX-License-Identifier: MIT */
#include "tests/support/crews.h"

#include "sim/check.h"

struct handovers handovers;

static void note(void *context, const struct trace_event *event)
{
	(void)context;
	if (event->kind != TRACE_BATCH)
		return;
	CHECK(handovers.count < HANDOVERS_MAX);
	handovers.numbers[handovers.count] = event->number;
	handovers.times_ns[handovers.count++] = event->start_ns;
}

struct distribution crew_cycle(const double *values, uint32_t count)
{
	return (struct distribution){ .kind = DISTRIBUTION_CYCLE,
				      .values = values,
				      .value_count = count };
}

struct pipeline crew_pipeline(uint64_t examples, uint32_t workers,
			      uint32_t prefetch_factor, bool in_order)
{
	struct pipeline pipeline = plain_pipeline(examples, 1000);

	pipeline.batch_size = 1;
	pipeline.ordered = in_order;
	pipeline.loading = (struct loading){
		.kind = LOADER_WORKERS,
		.workers = workers,
		.prefetch_factor = prefetch_factor,
		.in_order = in_order,
		.reads = 1,
	};
	return pipeline;
}

struct figures crew_run(const struct pipeline *pipeline, double latency_s)
{
	const struct watcher watcher = { .event = note };
	struct device_profile device = plain_device(0);
	struct figures figures;

	device.latency_ns = seconds(latency_s);
	handovers.count = 0;
	run_pipeline(pipeline, &device, &watcher, &figures);
	return figures;
}

double handovers_last_s(void)
{
	return seconds_of(handovers.times_ns[handovers.count - 1]);
}

double handovers_au(double step_s)
{
	return (double)(handovers.count - 1) * step_s /
	       (handovers_last_s() - seconds_of(handovers.times_ns[0]));
}
