/* SPDX-License-Identifier: MIT */
/*
 * Accelerators that do not wait for each other share a host's batches: the one
 * that has waited longest gets the next. So a limit in front of them costs
 * them as much as it costs accelerators in step.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/runs.h"

#define SEED 88001
#define CASES 300
#define STEPS 40
#define WARMUP 3

static double au(const struct figures *figures)
{
	return level_to_double(figures->busy_ns) /
	       level_to_double(figures->accelerator_ns);
}

/* 10 kB examples in batches of 10: a batch is 100 kB, one request. */
static struct pipeline together(uint32_t count, double step_s)
{
	struct pipeline pipeline = plain_pipeline(10000000, 10000);

	pipeline.accelerators.count = count;
	pipeline.accelerators.step_ns = seconds(step_s);
	pipeline.limit =
		(struct run_limit){ .steps = STEPS, .warmup_steps = WARMUP };
	return pipeline;
}

static uint64_t throw(uint64_t number, uint64_t most)
{
	return random_below(random_bits((struct random_stream){ SEED }, number),
			    most);
}

/* One limit in front of the accelerators, of any kind, from a tenth of what
 * they want to ten times that. Constant times. */
static void limit_upstream(uint64_t number, struct pipeline *pipeline,
			   struct device_profile *device)
{
	double wanted_per_s = pipeline->accelerators.count /
			      (pipeline->accelerators.step_ns.mean / 1e9);
	double per_s = wanted_per_s *
		       pow(10, (double) throw(number * 8 + 1, 2001) / 1000 - 1);

	*device = (struct device_profile){ 0 };
	switch (throw(number * 8 + 2, 5)) {
	case 0:
		device->bandwidth_bytes_per_s = (uint64_t)(per_s * 100000);
		break;
	case 1:
		device->latency_ns = seconds(4 / per_s);
		pipeline->stages[STAGE_READ].workers = 4;
		break;
	case 2:
		pipeline->stages[STAGE_DECOMPRESS].time_ns = seconds(1 / per_s);
		break;
	case 3:
		pipeline->stages[STAGE_DECODE].time_ns = seconds(0.3 / per_s);
		pipeline->stages[STAGE_DECODE].workers = 3;
		break;
	default:
		pipeline->stages[STAGE_COLLATE].time_ns = seconds(2 / per_s);
		pipeline->stages[STAGE_COLLATE].workers = 2;
	}
}

static void a_limit_costs_them_what_it_costs_those_in_step(void **x)
{
	(void)x;
	print_message("seed %d\n", SEED);
	for (uint64_t i = 0; i < CASES; i++) {
		struct pipeline pipeline =
			together(1 + (uint32_t) throw(i * 8, 12), 0.1);
		struct device_profile device;
		struct figures barrier, none;

		limit_upstream(i, &pipeline, &device);
		run_pipeline(&pipeline, &device, NULL, &barrier);
		pipeline.accelerators.sync = SYNC_NONE;
		run_pipeline(&pipeline, &device, NULL, &none);
		assert_int_equal(none.steps, STEPS - WARMUP);
		assert_close(au(&none), au(&barrier), 1.0 / (STEPS - WARMUP));
	}
}

/* A batch every 10 ms for steps of 80 ms: of 1, 2, 4, 8, 16 accelerators so
 * many are busy, however the run ends. */
static void the_run_is_measured_however_it_ends(void **x)
{
	const struct device_profile device = plain_device(10000000);
	const struct run_limit limits[] = {
		{ .steps = 400, .warmup_steps = 20 },
		{ .epochs = 1, .warmup_steps = 20 },
		{ .duration_ns = 60 * NS_PER_S, .warmup_steps = 20 },
	};

	(void)x;
	for (uint32_t count = 8; count <= 64; count *= 2)
		for (int i = 0; i < 3; i++) {
			struct pipeline pipeline = together(count, 0.08);
			struct figures figures;

			layout_compute(&pipeline.layout, 100000,
				       &(struct distribution){ .mean = 10000 },
				       1, 100000, 1000, 1);
			pipeline.accelerators.sync = SYNC_NONE;
			pipeline.limit = limits[i];
			run_pipeline(&pipeline, &device, NULL, &figures);
			assert_true(figures.complete);
			assert_true(figures.elapsed_ns > 0);
			assert_close(au(&figures), 8.0 / count, 0.01);
			assert_int_equal(figures.accelerator_ns % count, 0);
		}
}

/* DataVec issue 232: 25 ms to collate a batch, 100 ms a step; 40 batches a
 * second feed four accelerators, and no more of them. */
static void more_accelerators_do_not_get_more_batches(void **x)
{
	static const struct device_profile fast = { 0 };
	static const struct {
		uint32_t count;
		double au;
	} rows[] = {
		{ 4, 1 }, { 5, 0.8 }, { 6, 4 / 6.0 }, { 8, 0.5 }, { 16, 0.25 }
	};

	(void)x;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pipeline pipeline = together(rows[i].count, 0.1);
		struct figures figures;

		pipeline.stages[STAGE_COLLATE].time_ns = seconds(0.025);
		pipeline.accelerators.sync = SYNC_NONE;
		pipeline.limit.steps = 1000;
		pipeline.limit.warmup_steps = 50;
		run_pipeline(&pipeline, &fast, NULL, &figures);
		assert_close(au(&figures), rows[i].au, 0.001);
		assert_close((double)figures.batches /
				     seconds_of(figures.elapsed_ns),
			     40, 0.05);
	}
}

/* Who watches which accelerator takes each batch. */
struct turns {
	uint32_t count;
	uint64_t taken;
};

static void check_turn(void *context, const struct batch_use *use)
{
	struct turns *turns = context;

	assert_int_equal(use->accelerator, turns->taken % turns->count);
	turns->taken++;
}

static void with_equal_steps_they_take_turns(void **x)
{
	const struct device_profile device = plain_device(10000000);
	struct turns turns = { .count = 7 };
	struct watcher watcher = { .context = &turns, .batch = check_turn };
	struct pipeline pipeline = together(turns.count, 0.2);
	struct figures figures;

	(void)x;
	pipeline.accelerators.sync = SYNC_NONE;
	run_pipeline(&pipeline, &device, &watcher, &figures);
	assert_int_equal(turns.taken, turns.count * STEPS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_limit_costs_them_what_it_costs_those_in_step),
		cmocka_unit_test(the_run_is_measured_however_it_ends),
		cmocka_unit_test(more_accelerators_do_not_get_more_batches),
		cmocka_unit_test(with_equal_steps_they_take_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
