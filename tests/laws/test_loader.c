/* SPDX-License-Identifier: MIT */
/*
 * A loader of workers against what is known of PyTorch's: the exact recursion
 * of its protocol in order, on a thousand random cases; two tables of last
 * hand-overs and utilisations, in order and as they finish, that were made by
 * a program of another hand; closed forms; and what holds at any time: no
 * worker has more than its batches out, every example comes once an epoch.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/crews.h"

/* ---- two tables ---- */

#define SLOW_IN 16

static const struct {
	uint32_t workers, prefetch_factor;
	double in_order_s, in_order_au;
	double as_finished_s, as_finished_au;
} table_a[] = {
	{ 2, 2, 44.4360, 0.4347, 30.0160, 0.6397 },
	{ 4, 1, 44.4360, 0.4347, 19.2800, 0.9963 },
	{ 4, 2, 39.6840, 0.4872, 19.2520, 0.9977 },
	{ 4, 4, 36.1200, 0.5357, 19.2080, 1.0000 },
	{ 4, 8, 36.1200, 0.5357, 19.2080, 1.0000 },
	{ 8, 2, 32.1600, 0.6023, 19.2080, 1.0000 },
	{ 8, 4, 32.1600, 0.6023, 19.2080, 1.0000 },
	{ 16, 2, 30.1800, 0.6422, 19.2080, 1.0000 },
};

static void every_sixteenth_batch_is_slow(void **state)
{
	double times_ns[SLOW_IN] = { 0.3e9 };

	(void)state;
	for (int i = 1; i < SLOW_IN; i++)
		times_ns[i] = 0.02e9;
	for (size_t i = 0; i < sizeof(table_a) / sizeof(table_a[0]); i++) {
		for (int in_order = 0; in_order < 2; in_order++) {
			struct pipeline pipeline = crew_pipeline(
				1600, table_a[i].workers,
				table_a[i].prefetch_factor, in_order);

			pipeline.stages[STAGE_DECODE].time_ns =
				crew_cycle(times_ns, SLOW_IN);
			pipeline.accelerators.step_ns = seconds(0.012);
			crew_run(&pipeline, 0);
			assert_int_equal(handovers.count, 1600);
			assert_close(handovers_last_s(),
				     in_order ? table_a[i].in_order_s :
						table_a[i].as_finished_s,
				     1e-9);
			assert_close(handovers_au(0.012),
				     in_order ? table_a[i].in_order_au :
						table_a[i].as_finished_au,
				     5e-5);
		}
	}
}

static const struct {
	uint32_t workers;
	double last_s, au;
} table_b[] = {
	{ 1, 40.000, 0.3000 },
	{ 2, 20.012, 0.6002 },
	{ 3, 13.360, 0.9000 },
	{ 4, 12.028, 1.0000 },
};

static void constant_work_needs_its_share_of_workers(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * sizeof(table_b) / sizeof(table_b[0]); i++) {
		struct pipeline pipeline = crew_pipeline(
			1000, table_b[i / 2].workers, 2, i % 2 == 0);

		pipeline.stages[STAGE_DECODE].time_ns = seconds(0.040);
		pipeline.accelerators.step_ns = seconds(0.012);
		crew_run(&pipeline, 0);
		assert_close(handovers_last_s(), table_b[i / 2].last_s, 1e-9);
		assert_close(handovers_au(0.012), table_b[i / 2].au, 5e-5);
	}
}

/* ---- the recursion ---- */

#define CASES 1000
#define CASE_BATCHES 60
#define SEED 20261201

struct dice {
	struct random_stream stream;
	uint64_t thrown;
};

static uint64_t throw(struct dice * dice, uint64_t low, uint64_t high)
{
	return low + random_below(random_bits(dice->stream, dice->thrown++),
				  high - low + 1);
}

static double most(double a, double b)
{
	return a > b ? a : b;
}

/* When batch k is handed over: D(k) given, F(k) finished, Y(k) handed over,
 * C(k) asked for. */
static void recursion(const struct pipeline *pipeline, const double *work_ns,
		      double start_ns, double *y)
{
	uint32_t workers = pipeline->loading.workers;
	uint32_t window = workers * pipeline->loading.prefetch_factor;
	double own_ns = pipeline->accelerators.step_ns.mean +
			pipeline->loading.handover.time_ns.mean;
	double f[CASE_BATCHES];
	double c = 0;

	for (uint32_t k = 0; k < CASE_BATCHES; k++) {
		double d = k < window ? start_ns : y[k - window];

		f[k] = most(d, k < workers ? 0 : f[k - workers]) + work_ns[k];
		y[k] = most(c, f[k]);
		c = y[k] + own_ns;
	}
}

static void throw_case(struct dice *dice, struct pipeline *pipeline,
		       double *work_ns)
{
	*pipeline = crew_pipeline(CASE_BATCHES, (uint32_t) throw(dice, 1, 9),
				  (uint32_t) throw(dice, 1, 4), true);
	for (int k = 0; k < CASE_BATCHES; k++) {
		work_ns[k] = (double) throw(dice, 1, 1000000);
		if (throw(dice, 0, 9) == 0)
			work_ns[k] *= 20;
	}
	pipeline->stages[STAGE_DECODE].time_ns =
		crew_cycle(work_ns, CASE_BATCHES);
	pipeline->accelerators.step_ns =
		distribution_constant((double) throw(dice, 1, 500000));
	pipeline->loading.handover.time_ns =
		distribution_constant((double) throw(dice, 0, 100000));
	pipeline->loading.start_ns = (int64_t) throw(dice, 0, 1) * 3000000;
}

static void batches_in_order_are_handed_over_as_the_recursion_says(void **state)
{
	(void)state;
	print_message("seed %d\n", SEED);
	for (uint64_t i = 0; i < CASES; i++) {
		struct dice dice = {
			{ random_bits((struct random_stream){ SEED }, i) }, 0
		};
		double work_ns[CASE_BATCHES];
		double y[CASE_BATCHES];
		struct pipeline pipeline;

		throw_case(&dice, &pipeline, work_ns);
		recursion(&pipeline, work_ns,
			  (double)pipeline.loading.start_ns *
				  pipeline.loading.workers,
			  y);
		crew_run(&pipeline, 0);
		assert_int_equal(handovers.count, CASE_BATCHES);
		for (uint32_t k = 0; k < CASE_BATCHES; k++) {
			assert_int_equal(handovers.numbers[k], k);
			assert_true(handovers.times_ns[k] == (int64_t)y[k]);
		}
	}
}

/* ---- what a worker does ---- */

/* Four examples in a batch, each of them a block. */
static struct pipeline batches_of_four(uint32_t workers)
{
	struct distribution size = bytes(1000);
	struct pipeline pipeline = crew_pipeline(400, workers, 2, true);

	layout_compute(&pipeline.layout, 400, &size, 1, 1000, 100, 1);
	pipeline.batch_size = 4;
	pipeline.accelerators.step_ns = seconds(0.001);
	return pipeline;
}

/* 10 ms a read, 3 ms to decompress, 20 to decode, 5 to augment, 7 a batch. */
static struct pipeline all_stages(uint32_t workers)
{
	struct pipeline pipeline = batches_of_four(workers);

	pipeline.stages[STAGE_DECOMPRESS].time_ns = seconds(0.003);
	pipeline.stages[STAGE_DECODE].time_ns = seconds(0.020);
	pipeline.stages[STAGE_AUGMENT].time_ns = seconds(0.005);
	pipeline.stages[STAGE_COLLATE].time_ns = seconds(0.007);
	return pipeline;
}

static void a_worker_does_all_of_a_batch_one_after_the_other(void **state)
{
	const double batch_s = 4 * (0.010 + 0.003 + 0.020 + 0.005) + 0.007;
	struct pipeline pipeline = all_stages(1);
	struct figures figures;

	(void)state;
	figures = crew_run(&pipeline, 0.010);
	assert_close(handovers_last_s(), 100 * batch_s, 1e-9);
	assert_int_equal(figures.storage.requests, 400);
	assert_close(figures.stages[STAGE_READ].busy_mean,
		     400 * 0.010 / seconds_of(figures.elapsed_ns), 1e-9);
	assert_close(figures.stages[STAGE_DECODE].busy_mean,
		     400 * 0.020 / seconds_of(figures.elapsed_ns), 1e-9);
}

/* Of two reads in flight one is done while the last example is worked on. */
static void reads_ahead_hide_behind_the_work(void **state)
{
	const double batch_s = 0.010 + 4 * (0.003 + 0.020 + 0.005) + 0.007;
	struct pipeline pipeline = all_stages(1);

	(void)state;
	pipeline.loading.reads = 2;
	crew_run(&pipeline, 0.010);
	assert_close(handovers_last_s(), 100 * batch_s, 1e-9);
}

/* The trainer waits for all of it, pinning and hand-over included. */
static void without_workers_nothing_overlaps(void **state)
{
	const double batch_s = 4 * (0.010 + 0.003 + 0.020 + 0.005) + 0.007;
	struct pipeline pipeline = all_stages(0);

	(void)state;
	pipeline.loading.pin.time_ns = seconds(0.002);
	pipeline.loading.handover.time_ns = seconds(0.004);
	crew_run(&pipeline, 0.010);
	assert_close(handovers_last_s(),
		     100 * (batch_s + 0.002) + 99 * (0.004 + 0.001), 1e-9);
}

static void one_server_pins_batch_after_batch(void **state)
{
	struct pipeline pipeline = crew_pipeline(1000, 8, 2, true);

	(void)state;
	pipeline.stages[STAGE_DECODE].time_ns = seconds(0.040);
	pipeline.loading.pin.time_ns = seconds(0.020);
	pipeline.accelerators.step_ns = seconds(0.012);
	crew_run(&pipeline, 0);
	assert_close(handovers_last_s(), 0.040 + 1000 * 0.020, 1e-9);
}

/* Behind stages, too: 40 ms a batch of which the trainer spends 10. */
static void stages_hand_over_and_pin_as_well(void **state)
{
	struct pipeline pipeline = plain_pipeline(1000, 1000);

	(void)state;
	pipeline.accelerators.step_ns = seconds(0.030);
	pipeline.loading.handover.time_ns = seconds(0.010);
	crew_run(&pipeline, 0);
	assert_close(handovers_last_s(), 99 * 0.040, 1e-9);
	pipeline.loading.pin.time_ns = seconds(0.050);
	crew_run(&pipeline, 0);
	assert_close(handovers_last_s(), 100 * 0.050, 1e-9);
}

/* ---- figures ---- */

static void check_crew(const struct figures *figures, uint32_t workers,
		       double end_s, const double *sums_s)
{
	const struct crew_figures *crew = &figures->crew;

	assert_int_equal(crew->workers, workers);
	assert_close(seconds_of(figures->elapsed_ns), end_s, 1e-9);
	assert_close(crew->busy_mean * end_s, sums_s[0], 1e-9);
	assert_close(crew->held_mean * end_s, sums_s[1], 1e-9);
	assert_close(crew->blocked_mean * end_s, sums_s[2], 1e-9);
	assert_close(crew->out_mean * end_s, sums_s[3], 1e-9);
}

/* Of two workers with a batch each the first needs 30 ms, the other 10; a step
 * takes 5. From 30 ms on, every 30: the second is given a batch at 5, has
 * finished it at 15 and holds it until 35, and the trainer waits from 10 to
 * 30. The first time it begins at 0, so it is 25 ms held and 20 blocked. */
static void a_worker_that_is_early_holds_its_batch(void **state)
{
	const double times_ns[] = { 30e6, 10e6 };
	const double sums_s[] = { 2.000, 0.025 + 49 * 0.020, 0.020 + 49 * 0.015,
				  1.500 + 1.505 };
	struct pipeline pipeline = crew_pipeline(100, 2, 1, true);
	struct figures figures;

	(void)state;
	pipeline.stages[STAGE_DECODE].time_ns = crew_cycle(times_ns, 2);
	pipeline.accelerators.step_ns = seconds(0.005);
	figures = crew_run(&pipeline, 0);
	check_crew(&figures, 2, 1.510, sums_s);
}

/* Of the first table, what another program's recursion says in worker-seconds:
 * busy, held, blocked; and batches out. */
static void of_every_sixteenth_slow_batch_the_others_wait(void **state)
{
	const double sums_s[] = { 60.000, 98.664, 60.576, 317.136 };
	double times_ns[SLOW_IN] = { 0.3e9 };
	struct pipeline pipeline = crew_pipeline(1600, 4, 2, true);
	struct figures figures;

	(void)state;
	for (int i = 1; i < SLOW_IN; i++)
		times_ns[i] = 0.02e9;
	pipeline.stages[STAGE_DECODE].time_ns = crew_cycle(times_ns, SLOW_IN);
	pipeline.accelerators.step_ns = seconds(0.012);
	figures = crew_run(&pipeline, 0);
	check_crew(&figures, 4, 39.696, sums_s);
}

static void stages_have_no_crew(void **state)
{
	struct pipeline pipeline = plain_pipeline(1000, 1000);
	struct figures figures = crew_run(&pipeline, 0);

	(void)state;
	assert_int_equal(figures.crew.workers, 0);
}

/* ---- epochs ---- */

/* Four workers that need 50 ms each before, of run or epoch, 25 batches of
 * four in each: 10 ms of the first batch, then a step each. */
static void workers_start_one_after_the_other(void **state)
{
	struct pipeline pipeline = batches_of_four(4);
	double epoch_s = 0.010 + 100 * 0.020;

	(void)state;
	pipeline.stages[STAGE_COLLATE].time_ns = seconds(0.010);
	pipeline.accelerators.step_ns = seconds(0.020);
	pipeline.loading.start_ns = 50000000;
	pipeline.limit.epochs = 3;
	crew_run(&pipeline, 0);
	assert_close(handovers_last_s(), 4 * 0.050 + 3 * epoch_s - 0.020, 1e-9);
	pipeline.loading.restart = RESTART_EPOCH;
	crew_run(&pipeline, 0);
	assert_close(handovers_last_s(), 3 * (4 * 0.050 + epoch_s) - 0.020,
		     1e-9);
}

/* Stages start once, and with restart they do not go on into the next epoch
 * while the last one is not consumed: 100 batches of 20 ms, 10 ms before. */
static void stages_start_as_well(void **state)
{
	struct pipeline pipeline = plain_pipeline(1000, 1000);
	double epoch_s = 0.010 + 100 * 0.020;

	(void)state;
	pipeline.stages[STAGE_COLLATE].time_ns = seconds(0.010);
	pipeline.accelerators.step_ns = seconds(0.020);
	pipeline.loading.start_ns = 50000000;
	pipeline.limit.epochs = 3;
	crew_run(&pipeline, 0);
	assert_close(handovers_last_s(), 0.050 + 0.010 + 299 * 0.020, 1e-9);
	pipeline.loading.restart = RESTART_EPOCH;
	crew_run(&pipeline, 0);
	assert_close(handovers_last_s(), 3 * (0.050 + epoch_s) - 0.020, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sixteenth_batch_is_slow),
		cmocka_unit_test(constant_work_needs_its_share_of_workers),
		cmocka_unit_test(
			batches_in_order_are_handed_over_as_the_recursion_says),
		cmocka_unit_test(
			a_worker_does_all_of_a_batch_one_after_the_other),
		cmocka_unit_test(reads_ahead_hide_behind_the_work),
		cmocka_unit_test(without_workers_nothing_overlaps),
		cmocka_unit_test(one_server_pins_batch_after_batch),
		cmocka_unit_test(stages_hand_over_and_pin_as_well),
		cmocka_unit_test(a_worker_that_is_early_holds_its_batch),
		cmocka_unit_test(of_every_sixteenth_slow_batch_the_others_wait),
		cmocka_unit_test(stages_have_no_crew),
		cmocka_unit_test(workers_start_one_after_the_other),
		cmocka_unit_test(stages_start_as_well),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
