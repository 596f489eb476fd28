/* SPDX-License-Identifier: MIT */
/*
 * What explains a measured figure, where it is known: one thing was so, the
 * figure followed from it, and it is found again.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/plans.h"

#define WITHIN 0.01 /* of what was so */
#define NS_PER_MS 1e6

/* Batches of ten in steps of 10 ms. */
#define JOB                                                                    \
	"dataset: {examples: 100000, example_bytes: 1 kB, block_bytes: 1 "     \
	"kB}\n"                                                                \
	"accelerator: {step_time: 10 ms}\n"                                    \
	"run: {steps: 1000, warmup_steps: 100}\n"
#define WORKERS                                                                \
	JOB "storage: {device: {bandwidth: 1 TB/s}}\n"                         \
	    "pipeline: {batch_size: 10, decode: {time: 1 ms}, "                \
	    "loader: {kind: workers, workers: 4}}\n"
#define STAGES                                                                 \
	JOB "storage: {device: {bandwidth: 1 TB/s}, queue_depth: 64}\n"        \
	    "pipeline: {batch_size: 10, decode: {workers: 4, time: 1 ms}}\n"

static const struct plan_answer *explain(double measured)
{
	static struct plan_answer answer;

	plans.goal.bound = measured;
	assert_int_equal(plan_measured(&plans.plan, 0, &answer, &plans.fault),
			 0);
	assert_true(answer.known);
	return &answer;
}

/* Ten of d on one of four workers: 40 d / 10 batches in the time of d, whoever
 * carries them. */
static void the_time_of_decoding_is_found_again(void **state)
{
	static const char *const scenarios[] = { WORKERS, STAGES };
	static const double times_ms[] = { 4.7, 9.1, 23, 61 };
	const struct plan_answer *answer;
	size_t i;

	for (i = 0; i < 8; i++) {
		double ms = times_ms[i / 2];

		plans_begin(scenarios[i % 2], "au>=0");
		plans_knob("pipeline.decode.time=0.1 ms..100 ms");
		answer = explain(10 * 4 / (10 * ms));
		assert_true(answer->reached);
		assert_close(answer->point.values[0] / NS_PER_MS, ms,
			     WITHIN * ms);
		assert_string_equal(answer->trial.binding,
				    i % 2 ? "decode workers" :
					    "loader workers");
		plans_finish(state);
	}
}

/* A simulation of it is the measurement, and each of the figures that follow
 * leads back. */
static void every_metric_leads_back_to_what_was_so(void **state)
{
	static const char *const goals[] = { "au>=0", "examples_per_s>=0",
					     "steps_per_s>=0",
					     "idle_fraction>=0" };
	static const struct {
		const char *knob;
		double ns;
	} rows[] = {
		{ "pipeline.decode.time=100 us..100 ms", 17.3e6 },
		{ "storage.device.latency=0 ns..50 ms", 6.1e6 },
		{ "pipeline.loader.handover.time=0 ns..50 ms", 3.3e6 },
		{ "pipeline.loader.pin.time=0 ns..80 ms", 21e6 },
	};
	const struct plan_answer *answer;
	struct plan_point point;
	struct plan_trial trial;
	size_t i;

	for (i = 0; i < 16; i++) {
		plans_begin(WORKERS, goals[i % 4]);
		plans_knob(rows[i / 4].knob);
		point = plan_as_is();
		point.values[0] = rows[i / 4].ns;
		assert_int_equal(plan_try(&plans.plan, &point, false, &trial,
					  &plans.fault),
				 0);
		answer = explain(trial.figure.real);
		assert_true(answer->reached);
		assert_close(answer->point.values[0], rows[i / 4].ns,
			     WITHIN * rows[i / 4].ns);
		plans_finish(state);
	}
}

/* Steps set the pace: no bandwidth within range makes it slower. */
static void what_has_no_part_in_it_cannot_explain_it(void **state)
{
	const struct plan_answer *answer;

	(void)state;
	plans_begin(WORKERS, "au>=0");
	plans_knob("storage.device.bandwidth=1 GB/s..10 GB/s");
	answer = explain(0.4);
	assert_false(answer->reached);
	assert_close(answer->trial.figure.real, 1, 1e-3);
	assert_non_null(strstr(answer->note, "cannot explain it"));
}

/* 50 ms a batch: two workers are 40 batches a second, three 60; steps 100. */
static void of_pieces_one_explains_it_or_none_does(void **state)
{
	const struct plan_answer *answer;

	(void)state;
	plans_begin(WORKERS, "au>=0");
	assert_int_equal(scenario_set(&plans.scenario,
				      "pipeline.decode.time=5 ms",
				      &plans.fault),
			 0);
	plans_knob("pipeline.loader.workers=1..16");
	answer = explain(0.6);
	assert_true(answer->reached);
	assert_true(answer->point.values[0] == 3);
	answer = explain(0.47);
	assert_false(answer->reached);
	assert_close(answer->trial.figure.real, 0.4, 1e-3);
}

/* An epoch is a hundred batches of a second of work, and W workers take W
 * seconds to start: W + 100 / W, least at ten. Five are as good as twenty. */
static void there_may_be_two_answers(void **state)
{
	const struct plan_answer *answer;

	(void)state;
	plans_begin("dataset: {examples: 1000, example_bytes: 1 kB, "
		    "block_bytes: 1 kB}\n"
		    "storage: {device: {bandwidth: 1 TB/s}}\n"
		    "pipeline: {batch_size: 10, decode: {time: 100 ms}, "
		    "loader: {kind: workers, restart: epoch, start: 1 s}}\n"
		    "accelerator: {step_time: 1 us}\n"
		    "run: {epochs: 4, warmup_steps: 0}\n",
		    "examples_per_s>=0");
	plans_knob("pipeline.loader.workers=1..64");
	answer = explain(1000.0 / 25);
	assert_true(answer->reached);
	assert_true(answer->point.values[0] == 5);
	assert_non_null(strstr(answer->note, "not monotone"));
}

static bool a_few_runs(void *context, double done)
{
	(void)done;
	return --*(int *)context > 0;
}

/* Whenever it is interrupted: no answer, or one that explains the figure. */
static void an_interrupted_search_claims_nothing_else(void **state)
{
	struct plan_answer answer;
	int found = 0, asked, i, error;

	(void)state;
	for (i = 1; i < 20000; i += 300) {
		asked = i;
		plans_begin(WORKERS, "au>=0");
		plans_knob("pipeline.decode.time=1 ms..100 ms");
		plans.goal.bound = 0.4;
		plans.experiment.watch.go_on = a_few_runs;
		plans.experiment.watch.context = &asked;
		error = plan_measured(&plans.plan, 0, &answer, &plans.fault);
		plans_finish(state);
		if (error) {
			assert_int_equal(error, -EINTR);
			assert_false(answer.known);
			continue;
		}
		assert_close(answer.trial.figure.real, 0.4, WITHIN * 0.4);
		found++;
		if (!answer.so_far)
			break;
	}
	assert_true(i > 1 && i < 20000);
	assert_true(found > 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(the_time_of_decoding_is_found_again,
					  plans_finish),
		cmocka_unit_test_teardown(
			every_metric_leads_back_to_what_was_so, plans_finish),
		cmocka_unit_test_teardown(
			what_has_no_part_in_it_cannot_explain_it, plans_finish),
		cmocka_unit_test_teardown(
			of_pieces_one_explains_it_or_none_does, plans_finish),
		cmocka_unit_test_teardown(there_may_be_two_answers,
					  plans_finish),
		cmocka_unit_test_teardown(
			an_interrupted_search_claims_nothing_else,
			plans_finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
