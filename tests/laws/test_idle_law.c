/* SPDX-License-Identifier: MIT */
/*
 * The ideal law of data echoing (Choi et al., section 2): without jitter or
 * overhead, with R = upstream time / downstream time per item, the
 * accelerator is idle for 1 - min(1, e / R) of the time.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/runs.h"

#define BATCH 10
#define EXAMPLE_BYTES 1000

/* Steps of 10 ms on storage that takes R x 10 ms for a batch. */
static void run(struct pipeline *pipeline, double r, struct figures *figures)
{
	uint64_t bandwidth =
		(uint64_t)(BATCH * EXAMPLE_BYTES / (r * 0.010) + 0.5);
	struct device_profile device = plain_device(bandwidth);

	pipeline->accelerators.step_ns = seconds(0.010);
	pipeline->limit =
		(struct run_limit){ .steps = 4000, .warmup_steps = 1000 };
	run_pipeline(pipeline, &device, NULL, figures);
	assert_true(figures->complete);
	assert_int_equal(figures->busy_ns + figures->idle_ns,
			 figures->accelerator_ns);
	assert_int_equal(figures->accelerator_ns,
			 figures->elapsed_ns * figures->accelerators);
}

static const enum echo_place places[] = {
	ECHO_EXAMPLE_BEFORE_DECODE,
	ECHO_EXAMPLE_BEFORE_AUGMENT,
	ECHO_EXAMPLE_AFTER_AUGMENT,
	ECHO_BATCH,
};

static void idle_is_one_less_e_over_r_at_every_place(void **x)
{
	static const double factors[] = { 1, 2, 3, 5 };
	static const double ratios[] = { 0.5, 1, 2, 4, 8 };
	struct figures figures;

	(void)x;
	for (size_t i = 0; i < 4 * 4 * 5; i++) {
		struct pipeline pipeline =
			plain_pipeline(100000, EXAMPLE_BYTES);
		double e = factors[i / 4 % 4];
		double r = ratios[i / 16];
		double law = 1 - fmin(1, e / r);

		pipeline.limit.epochs = 0;
		pipeline.echo.place = places[i % 4];
		pipeline.echo.factor = e;
		run(&pipeline, r, &figures);
		assert_close(idle_fraction(&figures), law, 0.002);
		assert_close((double)figures.consumed_examples /
				     (double)figures.fresh_examples,
			     e, 0.01);
	}
}

static void a_fractional_factor_obeys_the_law_in_the_mean(void **x)
{
	struct figures figures;

	(void)x;
	for (size_t i = 0; i < 4; i++) {
		struct pipeline pipeline =
			plain_pipeline(100000, EXAMPLE_BYTES);
		/* 0.46 standard deviations of copies over 3,000 / 1.7 batches:
		 * 1 % of 1.7 / 4. */
		double tolerance = places[i] == ECHO_BATCH ? 0.013 : 0.004;

		pipeline.echo.place = places[i];
		pipeline.echo.factor = 1.7;
		run(&pipeline, 4, &figures);
		assert_close(idle_fraction(&figures), 1 - 1.7 / 4, tolerance);
	}
}

static void an_infinitely_fast_storage_keeps_accelerators_busy(void **x)
{
	static const struct device_profile fast = { 0 };
	struct figures figures;

	(void)x;
	for (uint32_t count = 1; count <= 8; count *= 2) {
		struct pipeline pipeline =
			plain_pipeline(100000, EXAMPLE_BYTES);

		pipeline.accelerators.count = count;
		pipeline.accelerators.step_ns = seconds(0.010);
		run_pipeline(&pipeline, &fast, NULL, &figures);
		assert_int_equal(figures.idle_ns, 0);
		assert_int_equal(figures.steps, 10000 / count);
	}
}

static void a_factor_of_one_reads_what_no_echo_reads(void **x)
{
	struct pipeline pipeline = plain_pipeline(100000, EXAMPLE_BYTES);
	struct figures plain;
	struct figures echoed;

	(void)x;
	run(&pipeline, 2, &plain);
	for (size_t i = 0; i < 4; i++) {
		pipeline.echo.place = places[i];
		pipeline.echo.factor = 1;
		run(&pipeline, 2, &echoed);
		assert_int_equal(echoed.storage.bytes, plain.storage.bytes);
		assert_int_equal(echoed.elapsed_ns, plain.elapsed_ns);
		assert_int_equal(echoed.digest, plain.digest);
	}
}

/* When starved, an echo repeats just enough: the mean factor becomes R where
 * max_factor allows, and the accelerator idles where it does not. Only the
 * last item is repeated, so items must come one at a time: a block of 10
 * examples that arrive together would lengthen to 10 + 3 uses at most. */
static void a_starved_echo_repeats_as_often_as_needed(void **x)
{
	static const double ratios[] = { 0.5, 1.5, 2, 3, 6 };
	struct figures figures;

	(void)x;
	for (size_t i = 0; i < 4 * 5; i++) {
		struct pipeline pipeline =
			plain_pipeline(100000, EXAMPLE_BYTES);
		double r = ratios[i / 4];
		struct distribution size = bytes(EXAMPLE_BYTES);
		double used = fmax(1, fmin(r, 4));

		layout_compute(&pipeline.layout, 100000, &size, 1,
			       EXAMPLE_BYTES, 100, 1);
		pipeline.request_bytes = EXAMPLE_BYTES;
		pipeline.echo = (struct echo){
			.place = places[i % 4],
			.policy = ECHO_WHEN_STARVED,
			.max_factor = 4,
			.shuffle_batches = 1,
		};
		run(&pipeline, r, &figures);
		assert_close(idle_fraction(&figures), 1 - fmin(1, 4 / r),
			     0.002);
		assert_close((double)figures.consumed_examples /
				     (double)figures.fresh_examples,
			     used, 0.02);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(idle_is_one_less_e_over_r_at_every_place),
		cmocka_unit_test(a_fractional_factor_obeys_the_law_in_the_mean),
		cmocka_unit_test(
			an_infinitely_fast_storage_keeps_accelerators_busy),
		cmocka_unit_test(a_factor_of_one_reads_what_no_echo_reads),
		cmocka_unit_test(a_starved_echo_repeats_as_often_as_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
