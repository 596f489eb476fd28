/* SPDX-License-Identifier: MIT */
/*
 * The room of a stage is what its key says, whatever an item costs, and the
 * requests in flight are bound by nothing but the queue depth where the room
 * for those that wait in order is ample.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/runs.h"

#define SEED 43001
#define PIPELINES 100

static uint64_t throw(uint64_t number, uint64_t low, uint64_t high)
{
	return low +
	       random_below(random_bits((struct random_stream){ SEED }, number),
			    high - low + 1);
}

static struct pipeline throw_pipeline(uint64_t at)
{
	struct pipeline pipeline = plain_pipeline(100000, 1000);

	for (enum stage_name i = STAGE_READ; i < STAGE_COUNT; i++) {
		pipeline.stages[i].workers = (uint32_t) throw(at + i, 1, 4);
		pipeline.stages[i].time_ns =
			seconds((double) throw(at + 5 + i, 1, 100) / 1e4);
	}
	pipeline.batch_size = (uint32_t) throw(at + 10, 1, 20);
	pipeline.accelerators.count = (uint32_t) throw(at + 11, 1, 4);
	pipeline.accelerators.step_ns = seconds(0.002);
	pipeline.limit = (struct run_limit){ .steps = 50 };
	return pipeline;
}

static void a_nanosecond_is_not_worth_a_percent(void **x)
{
	const struct device_profile device = plain_device(20000000);

	(void)x;
	print_message("seed %d\n", SEED);
	for (uint64_t i = 0; i < PIPELINES; i++) {
		struct pipeline pipeline = throw_pipeline(i * 20);
		enum stage_name stage = (enum stage_name) throw(
			i * 20 + 12, STAGE_DECOMPRESS, STAGE_COLLATE);
		struct figures none, one;

		pipeline.stages[stage].time_ns = seconds(0);
		run_pipeline(&pipeline, &device, NULL, &none);
		pipeline.stages[stage].time_ns = seconds(1e-9);
		run_pipeline(&pipeline, &device, NULL, &one);
		assert_close(seconds_of(one.elapsed_ns),
			     seconds_of(none.elapsed_ns),
			     1e-4 * seconds_of(none.elapsed_ns));
	}
}

/* Little's law: requests in flight = rate x time in flight. Times are drawn
 * with a long tail, and examples come in order. */
static void small_reads_are_bound_by_the_queue_depth_alone(void **x)
{
	struct device_profile device = {
		.latency_ns = { .kind = DISTRIBUTION_QUANTILES,
				.p50 = 30e6,
				.p90 = 80e6,
				.p99 = 200e6,
				.p999 = 400e6 },
	};
	struct pipeline pipeline = plain_pipeline(100000, 10000);
	struct figures figures;
	double mean_s;

	(void)x;
	pipeline.order = ORDER_RANDOM;
	pipeline.stages[STAGE_READ].workers = 36;
	layout_compute(&pipeline.layout, 100000,
		       &(struct distribution){ .mean = 10000 }, 1, 10000, 1, 1);
	distribution_prepare(&device.latency_ns);
	mean_s = distribution_mean(&device.latency_ns) / 1e9;
	run_pipeline(&pipeline, &device, NULL, &figures);
	assert_close((double)figures.storage.requests /
			     seconds_of(figures.elapsed_ns),
		     36 / mean_s, 0.01 * 36 / mean_s);
	/* A window of the depth itself is a key like any other. */
	pipeline.stages[STAGE_READ].output_items = 36;
	assert_int_equal(pipeline_stage_room(&pipeline, STAGE_READ), 36);
	run_pipeline(&pipeline, &device, NULL, &figures);
	assert_true((double)figures.storage.requests /
			    seconds_of(figures.elapsed_ns) <
		    0.7 * 36 / mean_s);
}

/* Each request has a buffer in a live run. */
static void the_room_for_requests_fits_memory(void **x)
{
	struct pipeline pipeline = plain_pipeline(100000, 100000);
	uint32_t *depth = &pipeline.stages[STAGE_READ].workers;

	(void)x;
	for (*depth = 1; *depth <= 16384; *depth *= 2) {
		uint64_t bytes = engine_buffers(&pipeline) *
				 engine_buffer_bytes(&pipeline);

		assert_true(engine_buffers(&pipeline) >= 2 * *depth);
		assert_true(bytes <= 64 << 20 ||
			    engine_buffers(&pipeline) == 2 * *depth);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_nanosecond_is_not_worth_a_percent),
		cmocka_unit_test(
			small_reads_are_bound_by_the_queue_depth_alone),
		cmocka_unit_test(the_room_for_requests_fits_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
