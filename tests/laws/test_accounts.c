/* SPDX-License-Identifier: MIT */
/*
 * The accounts of a run add up however it ends and however long it lasts:
 * busy + idle = the accelerators' time, and neither is below nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/runs.h"

#define BATCH_BYTES 10000

/* Two accelerators with steps of 100 ms, and a batch every 10 ms. */
static struct pipeline two_accelerators(enum step_sync sync)
{
	struct pipeline pipeline = plain_pipeline(100000, BATCH_BYTES / 10);

	pipeline.accelerators.count = 2;
	pipeline.accelerators.sync = sync;
	pipeline.accelerators.step_ns = seconds(0.1);
	return pipeline;
}

static void check_accounts(const struct figures *figures)
{
	assert_true(figures->accelerator_ns > 0);
	assert_true(figures->busy_ns <= figures->accelerator_ns);
	assert_int_equal(figures->busy_ns + figures->idle_ns,
			 figures->accelerator_ns);
}

/* Reads fail at any moment of a step, and steps are under way then. */
static void a_failed_read_ends_every_account_at_that_moment(void **x)
{
	struct device_profile device = plain_device(BATCH_BYTES * 100);
	struct figures figures;
	uint32_t measured = 0;

	(void)x;
	device.error.probability = 0.02;
	print_message("seeds 1 to 100\n");
	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct pipeline pipeline =
			two_accelerators(seed % 2 ? SYNC_NONE : SYNC_BARRIER);

		pipeline.seed = seed;
		run_pipeline(&pipeline, &device, NULL, &figures);
		assert_true(figures.storage.failed);
		if (figures.elapsed_ns == 0)
			continue;
		measured++;
		check_accounts(&figures);
		assert_int_equal(figures.accelerator_ns,
				 figures.elapsed_ns * figures.accelerators);
	}
	assert_true(measured > 50);
}

/* 1,024 accelerators for 100 steps of 100 hours: twelve centuries of their
 * time, a quarter of which is all that 64 bits hold. */
static void centuries_of_accelerators_are_summed_in_full(void **x)
{
	static const struct device_profile fast = { 0 };
	struct pipeline pipeline = plain_pipeline(110000, 1);
	struct figures figures;

	(void)x;
	pipeline.batch_size = 1;
	pipeline.accelerators.count = 512;
	pipeline.accelerators.hosts = 2;
	for (int sync = SYNC_BARRIER; sync <= SYNC_NONE; sync++) {
		pipeline.accelerators.sync = (enum step_sync)sync;
		pipeline.accelerators.step_ns = seconds(360000);
		pipeline.limit = (struct run_limit){ .steps = 100 };
		run_pipeline(&pipeline, &fast, NULL, &figures);
		check_accounts(&figures);
		assert_close(level_to_double(figures.busy_ns),
			     1024 * 100 * 360000e9, 1e6);
		assert_int_equal(figures.idle_ns, 0);
		assert_close(level_to_double(figures.steady_busy_ns),
			     1024 * (double)figures.steady_elapsed_ns, 1e6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_failed_read_ends_every_account_at_that_moment),
		cmocka_unit_test(centuries_of_accelerators_are_summed_in_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
