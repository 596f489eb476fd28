/* SPDX-License-Identifier: MIT */
/*
 * A workload is sized for its accelerators wherever their number is changed: a
 * pipe of B keeps floor(B / (0.9 x demand)) of them at an utilisation of 0.9,
 * which it does only when the requests in flight grow with them; and a point
 * of a sweep is the simulation of what was said of the workload at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/run_data.h"
#include "analysis/sweep/sweep.h"
#include "analysis/sweep/sweep.h"
#include "tests/support/plans.h"

#define MEMORY_MAX ((size_t)1 << 30)
#define DEMAND_GB_PER_S 3.1771 /* of a unet3d-h100 that never waits */
#define OVERRIDES_MAX 8

/* An experiment of the workload, and what it borrows. */
static struct made {
	const char *overrides[OVERRIDES_MAX];
	struct workload_origin origin;
	struct scenario scenario;
	struct experiment experiment;
} base, at_once;

static void make(struct made *made, const char *const *overrides)
{
	struct workload_decision decision;
	struct fault fault = { 0 };
	uint32_t count = 0;

	for (; overrides[count]; count++)
		made->overrides[count] = overrides[count];
	made->origin = (struct workload_origin){
		.name = "unet3d-h100",
		.overrides = made->overrides,
		.override_count = count,
	};
	if (workload_scenario(&made->scenario, &made->origin, &decision,
			      &fault))
		fail_msg("%s", fault.text);
	made->experiment = (struct experiment){
		.scenario = &made->scenario,
		.workload = &made->origin,
		.watch = { .memory_max = MEMORY_MAX },
	};
}

/* How many of `knob` a pipe of that many GB/s keeps busy. Of a connection it
 * gives half of what an accelerator wants, which has four reading threads. */
static double most(double gb_per_s, const char *count, const char *knob)
{
	char device[96];
	const char *const overrides[] = { device, "storage.scope=shared", count,
					  NULL };
	struct plan_answer answer;

	snprintf(device, sizeof(device),
		 "storage.device={bandwidth: %.6g GB/s, "
		 "stream_bandwidth: %.6g GB/s}",
		 gb_per_s, DEMAND_GB_PER_S / 2);
	make(&base, overrides);
	plans_begin(PLANS_IDEAL "storage: {device: {bandwidth: 1 MB/s}}\n",
		    "au>=0.9");
	plans.experiment = base.experiment;
	plans_knob(knob);
	assert_int_equal(plan_most(&plans.plan, 0, &answer, &plans.fault), 0);
	plans_finish(NULL);
	assert_true(answer.reached);
	assert_string_equal(answer.note, "");
	return answer.point.values[0];
}

static void a_pipe_keeps_its_bandwidth_by_the_demand(void **state)
{
	static const int rows[] = { 1, 2, 5, 8, 13 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_true(most((rows[i] + 0.5) * 0.9 * DEMAND_GB_PER_S,
				 "accelerator.count=1",
				 "accelerator.count=1..64") == rows[i]);
}

static void a_pipe_keeps_as_many_spread_over_hosts(void **state)
{
	static const int rows[] = { 1, 3, 6 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_true(most((2 * rows[i] + 1) * 0.9 * DEMAND_GB_PER_S,
				 "accelerator.count=2",
				 "accelerator.hosts=1..32") == rows[i]);
}

/* What was said for good is no longer sized: six workers stay six. */
static void what_was_set_stays_as_it_was_set(void **state)
{
	static const char *const overrides[] = { "pipeline.loader.workers=6",
						 "dataset.examples=90000",
						 NULL };
	static struct scenario scenario;
	const struct vary_change changes[] = {
		{ "accelerator.count", "8" },
		{ "pipeline.loader.prefetch_factor", "3" },
	};
	struct fault fault = { 0 };

	(void)state;
	make(&base, overrides);
	assert_int_equal(experiment_change(&base.experiment, changes, 2,
					   &scenario, &fault),
			 0);
	assert_int_equal(scenario.accelerators.count, 8);
	assert_int_equal(scenario.loading.workers, 6);
	assert_int_equal(scenario.dataset.examples, 90000);
	assert_int_equal(scenario.loading.prefetch_factor, 3);
}

/* An echo strategy of --echo is no override: it must not get lost. */
static void strategies_outlive_another_size(void **state)
{
	static const char *const overrides[] = { NULL };
	static struct scenario scenario;
	const struct vary_change changes[] = {
		{ "accelerator.hosts", "3" },
		{ "echo.0.factor", "2.5" },
	};
	struct fault fault = { 0 };

	(void)state;
	make(&base, overrides);
	assert_int_equal(scenario_parse_echo("batch:4",
					     &base.scenario.echoes[0], &fault),
			 0);
	assert_int_equal(experiment_change(&base.experiment, changes, 2,
					   &scenario, &fault),
			 0);
	assert_int_equal(scenario.dataset.examples, 3 * 3500);
	assert_int_equal(scenario.echoes[0].place, ECHO_BATCH);
	assert_true(scenario.echoes[0].factor == 2.5);
	assert_true(base.scenario.echoes[0].factor == 4);
}

static struct node *run_at_once(const char *const *overrides)
{
	static struct result result;
	struct fault fault = { 0 };
	struct node *run;

	make(&at_once, overrides);
	experiment_begin(&at_once.experiment, &at_once.scenario.echoes[0],
			 &result);
	assert_int_equal(experiment_run(&at_once.experiment, &result, &fault),
			 0);
	run = run_tree(&result);
	assert_non_null(run);
	return run;
}

static void begin_sweep(struct sweep *sweep, const char *const *axes)
{
	struct fault fault = { 0 };

	*sweep = (struct sweep){
		.base = base.experiment,
		.name = "unet3d-h100",
		.repeat = 1,
	};
	for (; axes[sweep->axis_count]; sweep->axis_count++)
		if (vary_parse(&sweep->axes[sweep->axis_count],
			       axes[sweep->axis_count], &fault))
			fail_msg("%s", fault.text);
	if (sweep_init(sweep, &fault))
		fail_msg("%s", fault.text);
}

static void a_point_is_what_is_simulated_of_it(void **state)
{
	static const char *const overrides[] = { "storage.device=gcs",
						 "run.steps=40", NULL };
	static const char *const axes[] = { "accelerator.count=1,3",
					    "accelerator.hosts=1,2",
					    "pipeline.batch_size=5,7", NULL };
	const struct simulation_watch watch = { .memory_max = MEMORY_MAX };
	static struct sweep sweep;
	char count[40], hosts[40], batch[40];
	struct node *run;
	const char *const said[] = {
		"storage.device=gcs", "run.steps=40", count, hosts, batch, NULL
	};
	struct fault fault = { 0 };
	uint32_t i;

	(void)state;
	make(&base, overrides);
	begin_sweep(&sweep, axes);
	assert_int_equal(sweep.point_count, 8);
	for (i = 0; i < sweep.point_count; i++) {
		assert_int_equal(sweep_job(&sweep, i, &watch, &fault), 0);
		snprintf(count, sizeof(count), "accelerator.count=%d",
			 i / 4 ? 3 : 1);
		snprintf(hosts, sizeof(hosts), "accelerator.hosts=%d",
			 i / 2 % 2 ? 2 : 1);
		snprintf(batch, sizeof(batch), "pipeline.batch_size=%d",
			 i % 2 ? 7 : 5);
		run = run_at_once(said);
		assert_true(node_equal(sweep.points[i].run, run));
		node_free(run);
	}
	sweep_release(&sweep);
	while (sweep.axis_count)
		vary_release(&sweep.axes[--sweep.axis_count]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pipe_keeps_its_bandwidth_by_the_demand),
		cmocka_unit_test(a_pipe_keeps_as_many_spread_over_hosts),
		cmocka_unit_test(what_was_set_stays_as_it_was_set),
		cmocka_unit_test(strategies_outlive_another_size),
		cmocka_unit_test(a_point_is_what_is_simulated_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
