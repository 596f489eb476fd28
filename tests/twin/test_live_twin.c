/* SPDX-License-Identifier: MIT */
/*
 * The live run and the simulation are one engine. Fed with what a live run
 * heard, the engine takes every decision again (the replay law); and where
 * the throttle held, both come to the same accelerator utilisation.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "tests/support/live_bench.h"

struct strategy {
	const char *name;
	struct echo echo;
};

static const struct strategy strategies[] = {
	{ "none", { ECHO_NONE, ECHO_FIXED, 1, 1, 0, 1 } },
	{ "before decode",
	  { ECHO_EXAMPLE_BEFORE_DECODE, ECHO_FIXED, 1.5, 1, 0, 1 } },
	{ "before augment",
	  { ECHO_EXAMPLE_BEFORE_AUGMENT, ECHO_FIXED, 2, 1, 0, 1 } },
	{ "after augment",
	  { ECHO_EXAMPLE_AFTER_AUGMENT, ECHO_FIXED, 1.25, 1, 0, 1 } },
	{ "batch", { ECHO_BATCH, ECHO_FIXED, 2, 1, 0, 1 } },
	{ "batch when starved", { ECHO_BATCH, ECHO_WHEN_STARVED, 1, 4, 0, 1 } },
};

#define STRATEGIES (sizeof(strategies) / sizeof(strategies[0]))

#define ATTEMPTS 5

/* The law that holds whatever the machine does. */
static void check_replay(struct live_bench *bench)
{
	struct figures replayed;

	/* Due times are the same to the nanosecond, but for the late. */
	assert_int_equal(live_bench_replay(bench, &replayed), 0);
	assert_memory_equal(&replayed, &bench->figures, sizeof(replayed));
}

static void print_run(const struct live_bench *bench, const char *name,
		      double live_au, double sim_au)
{
	const struct live_report *report = &bench->report;

	print_message(
		"%-18s %-7s live %.4f sim %.4f; late %llu of %llu, disturbed "
		"%.2f %%; released late by %.0f us (most %.0f)\n",
		name, bench->pipeline.ordered ? "ordered" : "free", live_au,
		sim_au, (unsigned long long)report->throttle.late,
		(unsigned long long)report->throttle.completions,
		100 * throttle_disturbed(&report->throttle),
		(double)histogram_quantile(&report->throttle.release_ns, 0.5) /
			1e3,
		(double)report->throttle.release_ns.max / 1e3);
}

/* Live runs, each with its replay, until one agrees with the simulation. One
 * that was held must. */
static void compare(struct live_bench *bench, const char *name)
{
	struct figures simulated;
	double live_au;
	double sim_au;

	live_bench_simulate(bench, &simulated);
	sim_au = live_bench_au(&simulated);
	for (int i = 0; i < ATTEMPTS; i++) {
		if (live_bench_run(bench))
			fail_msg("%s: %s", name, bench->fault.text);
		assert_true(bench->figures.complete);
		check_replay(bench);
		live_au = live_bench_au(&bench->figures);
		print_run(bench, name, live_au, sim_au);
		if (fabs(live_au - sim_au) <= 0.01)
			return;
		assert_false(throttle_held(&bench->report.throttle));
	}
	print_message("this machine is too busy: not compared\n");
}

static void compare_strategies(const char *format)
{
	struct live_bench bench;

	live_bench_open(&bench, format);
	bench.record = true;
	bench.pipeline.limit.steps = 80;
	for (size_t i = 0; i < STRATEGIES; i++) {
		bench.pipeline.echo = strategies[i].echo;
		bench.pipeline.ordered = i % 2 == 0;
		compare(&bench, strategies[i].name);
		bench.pipeline.ordered = i % 2 == 1;
		compare(&bench, strategies[i].name);
	}
	live_bench_close(&bench);
}

static void live_and_simulation_agree_on_shards(void **state)
{
	(void)state;
	compare_strategies("shards");
}

static void live_and_simulation_agree_on_lmdb(void **state)
{
	(void)state;
	compare_strategies("lmdb");
}

static void they_agree_with_hosts_and_random_times(void **state)
{
	struct live_bench bench;

	(void)state;
	live_bench_open(&bench, "shards");
	bench.record = true;
	bench.pipeline.accelerators.hosts = 2;
	bench.pipeline.accelerators.count = 2;
	bench.device.bandwidth_bytes_per_s *= 4;
	bench.device.latency_ns = (struct distribution){
		.kind = DISTRIBUTION_LOGNORMAL, .mean = 8e6, .stdev = 4e6
	};
	bench.device.max_inflight = 6;
	bench.pipeline.stages[STAGE_DECODE].time_ns =
		(struct distribution){ .kind = DISTRIBUTION_EXPONENTIAL,
				       .mean = 4e5 };
	distribution_prepare(&bench.pipeline.stages[STAGE_DECODE].time_ns);
	compare(&bench, "two hosts");
	/* Requests of two hosts would draw each other's latency if their order
	 * changed by a microsecond: another run, as good as this one. */
	bench.device.latency_ns = distribution_constant(8e6);
	bench.pipeline.accelerators.sync = SYNC_NONE;
	bench.pipeline.order = ORDER_SHUFFLED_BLOCKS;
	compare(&bench, "no barrier");
	live_bench_close(&bench);
}

/* Of a crew nothing hides what blocks cost: the simulation is told. */
static void charge_decompress(struct live_bench *bench)
{
	struct stage *stage = &bench->pipeline.stages[STAGE_DECOMPRESS];
	struct live_decompress cost;

	if (live_measure_decompress(bench->dataset, 50000000, &cost,
				    &bench->fault))
		fail_msg("%s", bench->fault.text);
	stage->time_ns = distribution_constant((double)cost.fixed_ns);
	stage->rate_bytes_per_s = cost.rate_bytes_per_s;
}

/* A host's two loaders of three workers each; once more, each of them with two
 * reads in flight and batches as they finish. */
static void compare_crews(const char *format)
{
	struct live_bench bench;

	live_bench_open(&bench, format);
	bench.record = true;
	bench.pipeline.limit.steps = 80;
	bench.pipeline.accelerators.count = 2;
	bench.pipeline.shuffle_examples = 0;
	bench.device.bandwidth_bytes_per_s *= 8;
	live_bench_crew(&bench, 3, 1);
	charge_decompress(&bench);
	compare(&bench, "workers");
	live_bench_crew(&bench, 3, 2);
	bench.pipeline.ordered = bench.pipeline.loading.in_order = false;
	bench.pipeline.echo =
		(struct echo){ ECHO_BATCH, ECHO_FIXED, 2, 1, 0, 1 };
	compare(&bench, "workers, batch echo");
	live_bench_close(&bench);
}

static void loaders_of_workers_agree_on_shards(void **state)
{
	(void)state;
	compare_crews("shards");
}

static void loaders_of_workers_agree_on_lmdb(void **state)
{
	(void)state;
	compare_crews("lmdb");
}

static void a_native_run_replays_too(void **state)
{
	struct live_bench bench;
	struct figures replayed;

	(void)state;
	live_bench_open(&bench, "shards");
	bench.record = true;
	bench.native = true;
	bench.pipeline.limit.duration_ns = 300000000;
	for (int backend = READER_ANY; backend <= READER_PREAD; backend++) {
		bench.options.backend = (enum reader_backend)backend;
		if (live_bench_run(&bench)) {
			print_message("%s\n", bench.fault.text);
			continue;
		}
		live_bench_replay(&bench, &replayed);
		assert_memory_equal(&replayed, &bench.figures,
				    sizeof(replayed));
		assert_int_equal(bench.report.throttle.late, 0);
		assert_true(bench.report.throttle.native);
		assert_true(bench.report.device_bytes > 0);
	}
	live_bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(live_and_simulation_agree_on_shards),
		cmocka_unit_test(live_and_simulation_agree_on_lmdb),
		cmocka_unit_test(they_agree_with_hosts_and_random_times),
		cmocka_unit_test(loaders_of_workers_agree_on_shards),
		cmocka_unit_test(loaders_of_workers_agree_on_lmdb),
		cmocka_unit_test(a_native_run_replays_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
