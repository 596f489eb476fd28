/* SPDX-License-Identifier: MIT */
/*
 * Plans with one knob where the answer is known: in an ideal pipeline, which
 * nothing but one pipe holds up, an utilisation of a takes a bandwidth of a x
 * demand and a pipe of B keeps B / (a x demand) accelerators.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>

#include "tests/support/close.h"
#include "tests/support/plans.h"

static struct law law;

static const struct plan_answer *alone(void)
{
	static struct plan_answer answer;

	assert_int_equal(plan_alone(&plans.plan, 0, &answer, &plans.fault), 0);
	assert_true(answer.known);
	return &answer;
}

static const struct plan_answer *most(void)
{
	static struct plan_answer answer;

	assert_int_equal(plan_most(&plans.plan, 0, &answer, &plans.fault), 0);
	assert_true(answer.known);
	return &answer;
}

static void an_utilisation_takes_as_much_of_the_demand(void **state)
{
	static const double utilisations[] = { 0.25, 0.5, 0.9, 0.95 };
	const struct plan_answer *answer;
	char text[32];
	size_t i;

	for (i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "au>=%g", utilisations[i]);
		plans_begin(PLANS_IDEAL
			    "storage: {device: {bandwidth: 1 MB/s}}\n",
			    text);
		plans_knob("storage.device.bandwidth=10 MB/s..10 GB/s");
		answer = alone();
		assert_true(answer->reached);
		assert_string_equal(answer->note, "");
		assert_close(answer->point.values[0],
			     utilisations[i] * PLANS_IDEAL_DEMAND,
			     0.001 * PLANS_IDEAL_DEMAND);
		assert_string_equal(answer->trial.binding, "device bandwidth");
		plans_finish(state);
	}
}

static void a_link_keeps_its_bandwidth_by_the_demand(void **state)
{
	static const struct {
		const char *link;
		double accelerators;
	} rows[] = {
		{ "1 GB/s", 1 },    /* 1.11 */
		{ "1.7 GB/s", 1 },  /* 1.89 */
		{ "1.85 GB/s", 2 }, /* 2.06 */
		{ "5 GB/s", 5 },    /* 5.56 */
		{ "10 GB/s", 11 },  /* 11.11 */
	};
	const struct plan_answer *answer;
	char text[600];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text),
			 PLANS_IDEAL "storage: {device: {bandwidth: 1 TB/s}}\n"
				     "link: {bandwidth: %s}\n",
			 rows[i].link);
		plans_begin(text, "au>=0.9");
		plans_knob("accelerator.count=1..64");
		answer = most();
		assert_true(answer->reached);
		assert_true(answer->point.values[0] == rows[i].accelerators);
		assert_string_equal(answer->trial.binding, "link bandwidth");
		plans_finish(state);
	}
}

/* 3.177 GB/s each: 11.5 GB/s keep 4.02 of them at nine tenths. */
static void four_unet3d_h100_stay_on_nfs_at_100_gbit(void **state)
{
	const char *path = "traces/examples/unet3d-h100-nfs.yaml";
	const struct plan_answer *answer;
	double theory;

	(void)state;
	plans_begin(PLANS_IDEAL "storage: {device: {bandwidth: 1 MB/s}}\n",
		    "au>=0.9");
	if (scenario_read(&plans.scenario, path, NULL, 0, &plans.fault))
		fail_msg("%s", plans.fault.text);
	theory = 11.5e9 / (0.9 * 7 * 146600628 / 0.323);
	plans_knob("accelerator.count=1..64");
	answer = most();
	assert_true(answer->reached);
	assert_true(answer->point.values[0] == floor(theory));
}

/* Decoding takes 5 ms an example: two examples a step and worker. */
static void whole_workers_are_exact(void **state)
{
	(void)state;
	plans_begin("dataset: {examples: 10000, example_bytes: 1 MB}\n"
		    "storage: {device: {bandwidth: 1 TB/s}}\n"
		    "run: {steps: 1000, warmup_steps: 100}\n"
		    "accelerator: {step_time: 10 ms}\n"
		    "pipeline: {batch_size: 10, decode: {time: 5 ms}}\n",
		    "au>=0.7");
	plans_knob("pipeline.decode.workers=1..64");
	assert_true(alone()->point.values[0] == 4); /* 3: 0.6 */
}

static void a_goal_that_the_lowest_value_meets_says_so(void **state)
{
	const struct plan_answer *answer;

	(void)state;
	plans_begin(PLANS_IDEAL "storage: {device: {bandwidth: 100 GB/s}}\n",
		    "au>=0.9");
	plans_knob("storage.queue_depth=8..64");
	answer = alone();
	assert_true(answer->reached);
	assert_true(answer->point.values[0] == 8);
	assert_string_equal(answer->note, "met at the lowest value already");
}

static void what_forbids_a_goal_is_named(void **state)
{
	const struct plan_answer *answer;

	(void)state;
	plans_begin(PLANS_IDEAL "storage: {device: {bandwidth: 500 MB/s}}\n",
		    "au>=0.9");
	plans_knob("storage.queue_depth=1..64");
	answer = alone();
	assert_false(answer->reached);
	assert_string_equal(answer->trial.binding, "device bandwidth");
	answer = most();
	assert_false(answer->reached);
}

/* The last value that a range has is not beaten by what lies outside it. */
static void the_most_may_be_the_end_of_the_range(void **state)
{
	const struct plan_answer *answer;

	(void)state;
	plans_begin(PLANS_IDEAL "storage: {device: {bandwidth: 100 GB/s}}\n",
		    "au>=0.9");
	plans_knob("accelerator.count=1..7");
	answer = most();
	assert_true(answer->reached);
	assert_true(answer->point.values[0] == 7);
	assert_string_equal(answer->note, "met up to the end of the range");
}

/* Useful utilisation rises with the factor until nothing idles, and falls when
 * more uses only waste examples: missed at both ends, met between. */
static void a_goal_that_only_the_middle_meets_is_found(void **state)
{
	const struct plan_answer *answer;
	const char *curve = "factor,fresh\n1,100\n2,60\n4,45\n16,44\n";

	(void)state;
	plans_begin(PLANS_IDEAL "storage: {device: {bandwidth: 250 MB/s}}\n"
				"echo: [{place: batch, factor: 2}]\n",
		    "useful_au>=0.5");
	if (law_parse(&law, "curve.csv", curve, strlen(curve), &plans.fault))
		fail_msg("%s", plans.fault.text);
	plans.experiment.law = &law;
	plans_knob("echo.0.factor=1..16");
	answer = alone();
	assert_true(answer->reached);
	assert_true(answer->point.values[0] > 1);
	assert_true(answer->point.values[0] < 8);
	assert_non_null(strstr(answer->note, "not monotone"));
}

/* A value that the scenario refuses misses the goal; the answer says why. */
static void a_value_that_cannot_be_is_a_miss(void **state)
{
	const struct plan_answer *answer;

	(void)state;
	plans_begin("dataset: {examples: 1000, example_bytes: 1 kB}\n"
		    "storage: {device: {bandwidth: 100 GB/s}}\n"
		    "pipeline: {batch_size: 10, read_ahead_examples: 200}\n"
		    "accelerator: {step_time: 10 ms}\n",
		    "au>=0.9");
	plans_knob("accelerator.count=1..1024");
	answer = most();
	assert_true(answer->reached);
	assert_true(answer->point.values[0] == 20); /* 200 / 10 */
	assert_non_null(
		strstr(answer->note, "pipeline.read_ahead_examples: found"));
}

/* A thousand examples a second each; a thousand of them want more read-ahead
 * than the scenario has. */
static void an_end_that_cannot_be_does_not_hide_what_can(void **state)
{
	const struct plan_answer *answer;

	(void)state;
	plans_begin("dataset: {examples: 1000, example_bytes: 1 MB}\n"
		    "storage: {device: {bandwidth: 100 GB/s}}\n"
		    "pipeline: {batch_size: 10, read_ahead_examples: 200}\n"
		    "accelerator: {step_time: 10 ms}\n",
		    "examples_per_s>=2500");
	plans_knob("accelerator.count=1..1024");
	answer = alone();
	assert_true(answer->reached);
	assert_true(answer->point.values[0] == 3);
	assert_non_null(
		strstr(answer->note, "pipeline.read_ahead_examples: found"));
}

static void values_are_told_in_four_digits_on_the_side_that_meets(void **state)
{
	const struct plan_answer *answer;
	char text[64];

	(void)state;
	plans_begin(PLANS_IDEAL "storage: {device: {bandwidth: 1 MB/s}}\n",
		    "au>=0.87654");
	plans_knob("storage.device.bandwidth=10 MB/s..10 GB/s");
	answer = alone();
	assert_true(answer->trial.met);
	assert_true(fmod(answer->point.values[0], 1e5) == 0);
	plan_knob_text(&plans.knobs[0], answer->point.values[0], text,
		       sizeof(text));
	assert_non_null(strstr(text, " kB/s"));
	plan_knob_human(&plans.knobs[0], answer->point.values[0], text,
			sizeof(text));
	assert_non_null(strstr(text, "87"));
	assert_non_null(strstr(text, " MB/s"));
}

static bool ask_once(void *context, double done)
{
	(void)done;
	return (*(int *)context)-- > 0;
}

/* Ctrl-C in any of the simulations. */
static void a_search_that_is_ended_has_no_answer(void **state)
{
	struct plan_answer answer;
	int asked = 3;

	(void)state;
	plans_begin(PLANS_IDEAL "storage: {device: {bandwidth: 1 MB/s}}\n",
		    "au>=0.9");
	plans_knob("storage.device.bandwidth=10 MB/s..10 GB/s");
	plans.experiment.watch.go_on = ask_once;
	plans.experiment.watch.context = &asked;
	plans.scenario.limit.steps = 100000;
	assert_int_equal(plan_alone(&plans.plan, 0, &answer, &plans.fault),
			 -EINTR);
	assert_false(answer.known);
}

/* Ends a search when it has been asked so often. */
static bool go_on_for(void *context, double done)
{
	int *left = context;

	(void)done;
	return --*left > 0;
}

/* Wherever it is interrupted, what is answered meets the goal, and is no less
 * than the least; once something was found it is not lost. */
static void an_interrupted_search_keeps_what_it_found(void **state)
{
	struct plan_answer answer = { .so_far = false };
	int asked, left, error, kept = 0;
	bool found = false;

	plans_begin(PLANS_IDEAL "storage: {device: {bandwidth: 1 MB/s}}\n",
		    "au>=0.9");
	plans_knob("storage.device.bandwidth=10 MB/s..10 GB/s");
	plans.experiment.watch.go_on = go_on_for;
	plans.experiment.watch.context = &left;
	plans.scenario.limit.steps = 4000;
	for (asked = 1; !answer.known || answer.so_far;
	     asked += 1 + asked / 8) {
		left = asked;
		error = plan_alone(&plans.plan, 0, &answer, &plans.fault);
		assert_true(error == 0 || error == -EINTR);
		assert_true(!found || !error);
		found |= !error;
		if (error)
			continue;
		kept += answer.so_far;
		assert_true(answer.known && answer.reached);
		assert_true(answer.trial.figure.real >= 0.9);
		assert_true(answer.point.values[0] >=
			    0.899 * PLANS_IDEAL_DEMAND);
	}
	assert_true(kept > 2);
	plans_finish(state);
}

static bool note_share(void *context, double done)
{
	*(double *)context = done;
	return true;
}

/* After half of the runs that a search may take it is half way: with runs of
 * one length the time left falls. */
static void the_share_that_is_done_is_of_all_runs(void **state)
{
	struct plan_pace pace;
	double share = 0;
	const struct simulation_watch watch = { .go_on = note_share,
						.context = &share };
	const struct simulation_watch own = plan_pace_begin(&pace, 10, &watch);
	int run;

	(void)state;
	for (run = 0; run < 10; run++) {
		own.go_on(own.context, 0.25);
		assert_close(share, (run + 0.25) / 10, 1e-12);
		own.go_on(own.context, 0.75);
		assert_close(share, (run + 0.75) / 10, 1e-12);
	}
	own.go_on(own.context, 0.5);
	assert_true(share < 1);
}

static bool count_runs(void *context, double done)
{
	struct plan_pace *pace = context;

	assert_true(pace->runs + done <= pace->most);
	return true;
}

static void a_search_takes_no_more_runs_than_it_says(void **state)
{
	static struct plan_answer answer;
	struct plan_pace pace;
	const struct simulation_watch watch = { .go_on = count_runs,
						.context = &pace,
						.memory_max = (size_t)1 << 30 };

	plans_begin(PLANS_IDEAL "storage: {device: {bandwidth: 5 GB/s}}\n",
		    "au>=0.9");
	plans_knob("storage.device.bandwidth=10 MB/s..10 GB/s");
	plans_knob("accelerator.count=1..64:2");
	plans.scenario.limit.steps = 4000;
	plans.experiment.watch =
		plan_pace_begin(&pace, plan_alone_runs(&plans.plan, 0), &watch);
	assert_int_equal(plan_alone(&plans.plan, 0, &answer, &plans.fault), 0);
	assert_true(answer.reached);
	plans.experiment.watch =
		plan_pace_begin(&pace, plan_most_runs(&plans.plan, 1), &watch);
	assert_int_equal(plan_most(&plans.plan, 1, &answer, &plans.fault), 0);
	assert_true(answer.reached);
	plans_finish(state);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, plans_finish)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interrupted_search_keeps_what_it_found),
		cmocka_unit_test(the_share_that_is_done_is_of_all_runs),
		cmocka_unit_test(a_search_takes_no_more_runs_than_it_says),
		TEST(an_utilisation_takes_as_much_of_the_demand),
		TEST(a_link_keeps_its_bandwidth_by_the_demand),
		TEST(four_unet3d_h100_stay_on_nfs_at_100_gbit),
		TEST(whole_workers_are_exact),
		TEST(a_goal_that_the_lowest_value_meets_says_so),
		TEST(what_forbids_a_goal_is_named),
		TEST(the_most_may_be_the_end_of_the_range),
		TEST(a_goal_that_only_the_middle_meets_is_found),
		TEST(a_value_that_cannot_be_is_a_miss),
		TEST(an_end_that_cannot_be_does_not_hide_what_can),
		TEST(values_are_told_in_four_digits_on_the_side_that_meets),
		TEST(a_search_that_is_ended_has_no_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
