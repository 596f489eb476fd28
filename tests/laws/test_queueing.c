/* SPDX-License-Identifier: MIT */
/*
 * Queueing theory: requests that come at random to a device with c slots wait
 * as the formulas of Erlang (M/M/c) and of Pollaczek and Khinchine (M/D/1)
 * say, and Little's law holds in every place of a pipeline.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/runs.h"

#define REQUESTS 6000000
#define SERVICE_NS 1e6
#define SEED 1917

/* Mean wait before service, in service times. */
static double mean_wait(uint32_t slots, double load,
			enum distribution_kind service)
{
	struct device_profile profile = {
		.max_inflight = slots,
		.latency_ns = { .kind = service, .mean = SERVICE_NS },
	};
	struct distribution gap = {
		.kind = DISTRIBUTION_EXPONENTIAL,
		.mean = SERVICE_NS / load / slots,
	};
	struct random_stream gaps = random_stream(SEED, RANDOM_STEP_TIME);
	int64_t memory[8] = { 0 };
	struct device device;
	int64_t now_ns = 0;
	double sum_ns = 0;

	device_init(&device, &profile, SEED, memory);
	for (uint64_t i = 0; i < REQUESTS; i++) {
		struct device_request request = { .number = i, .bytes = 1 };

		now_ns += distribution_draw(&gap, random_bits(gaps, i));
		sum_ns +=
			(double)(device_submit(&device, now_ns, &request).at_ns -
				 now_ns);
	}
	return sum_ns / REQUESTS / SERVICE_NS - 1;
}

/* Erlang's C over c (1 - load): the mean wait of M/M/c. */
static double erlang_wait(uint32_t servers, double load)
{
	double offered = load * servers;
	double term = 1;
	double sum = 0;

	for (uint32_t i = 0; i < servers; i++) {
		sum += term;
		term *= offered / (i + 1);
	}
	term /= 1 - load;
	return term / (sum + term) / servers / (1 - load);
}

static const double loads[] = { 0.5, 0.8, 0.9 };

static void requests_at_random_wait_as_erlang_says(void **x)
{
	static const uint32_t servers[] = { 1, 4 };

	(void)x;
	print_message("seed %d\n", SEED);
	for (size_t i = 0; i < 6; i++) {
		uint32_t slots = servers[i / 3];
		double law = erlang_wait(slots, loads[i % 3]);

		assert_close(mean_wait(slots, loads[i % 3],
				       DISTRIBUTION_EXPONENTIAL) /
				     law,
			     1, 0.01);
	}
}

static void equal_service_halves_the_wait(void **x)
{
	(void)x;
	for (size_t i = 0; i < 3; i++) {
		double law = loads[i] / 2 / (1 - loads[i]);

		assert_close(mean_wait(1, loads[i], DISTRIBUTION_CONSTANT) /
				     law,
			     1, 0.01);
	}
}

/* ---- Little's law ---- */

static struct distribution exponential(double mean_s)
{
	return (struct distribution){ .kind = DISTRIBUTION_EXPONENTIAL,
				      .mean = mean_s * 1e9 };
}

static struct pipeline busy_pipeline(bool ordered)
{
	struct pipeline pipeline = plain_pipeline(200000, 1000);

	for (int i = STAGE_DECOMPRESS; i < STAGE_COUNT; i++)
		pipeline.stages[i] =
			(struct stage){ .workers = 4,
					.time_ns = exponential(0.0003) };
	pipeline.stages[STAGE_COLLATE].time_ns = exponential(0.001);
	pipeline.stages[STAGE_READ].workers = 8;
	pipeline.accelerators.step_ns = exponential(0.0015);
	pipeline.ordered = ordered;
	pipeline.shuffle_examples = 100;
	pipeline.limit =
		(struct run_limit){ .steps = 10000, .warmup_steps = 100 };
	return pipeline;
}

/* Mean number in service = rate x mean service time, at every stage; in the
 * device = rate x mean latency. */
static void littles_law_holds_at_every_stage(void **x)
{
	static const double service_s[STAGE_COUNT] = {
		[STAGE_DECOMPRESS] = 0.0003,
		[STAGE_DECODE] = 0.0003,
		[STAGE_AUGMENT] = 0.0003,
		[STAGE_COLLATE] = 0.001,
	};
	struct device_profile device = plain_device(0);
	static struct figures figures;

	(void)x;
	device.latency_ns = exponential(0.008);
	for (int ordered = 0; ordered < 2; ordered++) {
		struct pipeline pipeline = busy_pipeline(ordered);
		double elapsed_s;

		run_pipeline(&pipeline, &device, NULL, &figures);
		elapsed_s = seconds_of(figures.elapsed_ns);
		for (int i = STAGE_DECOMPRESS; i < STAGE_COUNT; i++) {
			const struct stage_figures *stage = &figures.stages[i];
			double law =
				(double)stage->items / elapsed_s * service_s[i];

			assert_close(stage->busy_mean / law, 1, 0.03);
		}
		assert_close(
			figures.stages[STAGE_READ].busy_mean /
				((double)figures.storage.requests / elapsed_s *
				 histogram_mean(&figures.storage.latency_ns) /
				 1e9),
			1, 0.002);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_at_random_wait_as_erlang_says),
		cmocka_unit_test(equal_service_halves_the_wait),
		cmocka_unit_test(littles_law_holds_at_every_stage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
