/* SPDX-License-Identifier: MIT */
/*
 * Laws of scale: doubling every time doubles the elapsed time and leaves
 * every ratio; and a faster part never makes a line of waiting longer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/runs.h"

#define EXAMPLE_BYTES 1000

static struct pipeline scaled(double k)
{
	struct pipeline pipeline = plain_pipeline(20000, EXAMPLE_BYTES);

	pipeline.stages[STAGE_READ].workers = 4;
	for (int i = STAGE_DECOMPRESS; i < STAGE_COUNT; i++)
		pipeline.stages[i] =
			(struct stage){ .workers = 2,
					.time_ns = seconds(k * 0.0002) };
	pipeline.shuffle_examples = 500;
	pipeline.accelerators.count = 2;
	pipeline.accelerators.step_ns = seconds(k * 0.005);
	pipeline.accelerators.allreduce_ns = seconds(k * 0.001);
	pipeline.echo.place = ECHO_EXAMPLE_BEFORE_AUGMENT;
	pipeline.echo.factor = 1.5;
	pipeline.limit.warmup_steps = 1;
	return pipeline;
}

static struct device_profile scaled_device(double k)
{
	struct device_profile device = plain_device((uint64_t)(4000000 / k));

	device.iops = (uint64_t)(1000 / k);
	device.latency_ns = seconds(k * 0.004);
	return device;
}

static void doubling_every_time_doubles_the_run_and_no_ratio(void **x)
{
	static struct figures once;
	static struct figures twice;

	(void)x;
	for (double k = 2; k <= 8; k *= 2) {
		struct pipeline one = scaled(1);
		struct pipeline more = scaled(k);
		struct device_profile fast = scaled_device(1);
		struct device_profile slow = scaled_device(k);

		run_pipeline(&one, &fast, NULL, &once);
		run_pipeline(&more, &slow, NULL, &twice);
		assert_int_equal(twice.elapsed_ns,
				 (int64_t)k * once.elapsed_ns);
		assert_int_equal(twice.busy_ns, (uint64_t)k * once.busy_ns);
		assert_int_equal(twice.fresh_examples, once.fresh_examples);
		assert_int_equal(twice.duplicates, once.duplicates);
		assert_int_equal(twice.lag_steps, once.lag_steps);
		for (int i = 0; i < STAGE_COUNT; i++)
			assert_close(twice.stages[i].busy_mean,
				     once.stages[i].busy_mean, 1e-9);
	}
}

static int64_t elapsed(const struct pipeline *pipeline,
		       const struct device_profile *device)
{
	static struct figures figures;

	run_pipeline(pipeline, device, NULL, &figures);
	return figures.elapsed_ns;
}

static void more_bandwidth_never_lengthens_a_run(void **x)
{
	struct pipeline pipeline = scaled(1);
	int64_t last_ns = INT64_MAX;

	(void)x;
	for (uint64_t bandwidth = 1000000; bandwidth < 64000000;
	     bandwidth = bandwidth * 3 / 2) {
		struct device_profile device = plain_device(bandwidth);
		int64_t this_ns = elapsed(&pipeline, &device);

		assert_true(this_ns <= last_ns);
		last_ns = this_ns;
	}
}

/* No faster than the slowest part allows, and close to it when that part is
 * far slower than the others. */
static void the_slowest_part_sets_the_rate(void **x)
{
	static struct figures figures;

	(void)x;
	for (int slow = STAGE_DECODE; slow <= STAGE_AUGMENT; slow++) {
		struct pipeline pipeline = scaled(1);
		struct device_profile device = plain_device(0);
		double rate;

		pipeline.echo.place = ECHO_NONE;
		pipeline.echo.factor = 1;
		pipeline.stages[slow].time_ns = seconds(0.004);
		pipeline.limit =
			(struct run_limit){ .steps = 900, .warmup_steps = 100 };
		run_pipeline(&pipeline, &device, NULL, &figures);
		rate = (double)figures.consumed_examples /
		       seconds_of(figures.elapsed_ns);
		assert_true(rate <= 2 / 0.004 * 1.001);
		assert_close(rate, 2 / 0.004, 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			doubling_every_time_doubles_the_run_and_no_ratio),
		cmocka_unit_test(more_bandwidth_never_lengthens_a_run),
		cmocka_unit_test(the_slowest_part_sets_the_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
