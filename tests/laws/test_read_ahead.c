/* SPDX-License-Identifier: MIT */
/*
 * The least look-ahead that is accepted is the least that can run: with it no
 * pipeline comes to a standstill, and with one example less one whose requests
 * are of one example does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "tests/support/runs.h"

/* Reads take a millisecond each; false if the run stands still. */
static bool runs_to_its_end(const struct pipeline *pipeline)
{
	void *memory = aligned_alloc(64, engine_memory_bytes(pipeline));
	struct engine *engine;
	struct engine_task task;
	bool going = true;

	assert_non_null(memory);
	engine = engine_init(memory, pipeline);
	while (going) {
		while (engine_take_task(engine, &task)) {
			struct completion done = {
				.at_ns = engine_now_ns(engine) + 1000000,
			};

			engine_complete(engine, &task, &done);
		}
		if (engine_next_ns(engine) == INT64_MAX)
			break;
		going = engine_advance(engine, INT64_MAX, 1000);
	}
	free(memory);
	return !going;
}

static void the_least_that_is_accepted_is_the_least_that_runs(void **x)
{
	static const struct {
		enum step_sync sync;
		uint32_t count;
		uint64_t shuffle;
		enum echo_place place;
		uint32_t shuffle_batches;
		uint64_t least;
	} rows[] = {
		{ SYNC_BARRIER, 1, 0, ECHO_NONE, 1, 10 },
		{ SYNC_BARRIER, 3, 0, ECHO_NONE, 1, 30 },
		{ SYNC_BARRIER, 3, 25, ECHO_NONE, 1, 55 },
		{ SYNC_NONE, 3, 25, ECHO_NONE, 1, 35 },
		{ SYNC_BARRIER, 2, 0, ECHO_BATCH, 1, 20 },
		{ SYNC_BARRIER, 1, 0, ECHO_BATCH, 4, 50 },
		{ SYNC_NONE, 2, 0, ECHO_BATCH, 4, 50 },
	};

	(void)x;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pipeline pipeline = plain_pipeline(1000, 1000);

		pipeline.order = ORDER_RANDOM; /* one example a request */
		pipeline.accelerators.sync = rows[i].sync;
		pipeline.accelerators.count = rows[i].count;
		pipeline.accelerators.step_ns = seconds(0.01);
		pipeline.shuffle_examples = rows[i].shuffle;
		pipeline.echo.place = rows[i].place;
		pipeline.echo.shuffle_batches = rows[i].shuffle_batches;
		assert_int_equal(pipeline_read_ahead_min(&pipeline),
				 rows[i].least);
		pipeline.read_ahead_examples = rows[i].least;
		assert_true(runs_to_its_end(&pipeline));
		pipeline.read_ahead_examples--;
		assert_false(runs_to_its_end(&pipeline));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_least_that_is_accepted_is_the_least_that_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
