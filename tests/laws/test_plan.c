/* SPDX-License-Identifier: MIT */
/*
 * Plans where the answer is known: in an ideal pipeline, which nothing but one
 * pipe holds up, an utilisation of a takes a bandwidth of a x demand and a pipe
 * of B keeps B / (a x demand) accelerators; combinations whose cost is linear,
 * worked out by hand; and a whole grid tried point by point.
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

#include "analysis/plan.h"
#include "tests/support/close.h"

/* Ten examples of a megabyte in a step of ten milliseconds: 1 GB/s. */
#define DEMAND 1e9
#define IDEAL                                                                  \
	"dataset: {examples: 10000, example_bytes: 1 MB, block_bytes: 1 MB}\n" \
	"pipeline: {batch_size: 10}\n"                                         \
	"run: {steps: 1000, warmup_steps: 100}\n"                              \
	"accelerator: {step_time: 10 ms}\n"

static struct scenario scenario;
static struct law law;
static struct experiment experiment;
static struct vary knobs[PLAN_KNOBS_MAX];
static struct goal goal;
static struct plan plan;
static struct fault fault;

static void begin(const char *text, const char *goal_text)
{
	memset(&fault, 0, sizeof(fault));
	if (scenario_parse(&scenario, "a.yaml", text, strlen(text), NULL, 0,
			   &fault))
		fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
	assert_int_equal(goal_parse(&goal, goal_text, &fault), 0);
	experiment = (struct experiment){
		.scenario = &scenario,
		.watch = { .memory_max = (size_t)1 << 30 },
	};
	plan = (struct plan){ .experiment = &experiment,
			      .goals = &goal,
			      .goal_count = 1,
			      .knobs = knobs };
}

static void knob(const char *text)
{
	if (vary_parse(&knobs[plan.knob_count++], text, &fault))
		fail_msg("%s", fault.text);
}

static int finish(void **state)
{
	(void)state;
	while (plan.knob_count)
		vary_release(&knobs[--plan.knob_count]);
	return 0;
}

static const struct plan_answer *alone(void)
{
	static struct plan_answer answer;

	assert_int_equal(plan_alone(&plan, 0, &answer, &fault), 0);
	assert_true(answer.known);
	return &answer;
}

static const struct plan_answer *most(void)
{
	static struct plan_answer answer;

	assert_int_equal(plan_most(&plan, 0, &answer, &fault), 0);
	assert_true(answer.known);
	return &answer;
}

static const struct plan_answer *together(void)
{
	static struct plan_answer answer;

	assert_int_equal(plan_together(&plan, &answer, &fault), 0);
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
		begin(IDEAL "storage: {device: {bandwidth: 1 MB/s}}\n", text);
		knob("storage.device.bandwidth=10 MB/s..10 GB/s");
		answer = alone();
		assert_true(answer->reached);
		assert_string_equal(answer->note, "");
		assert_close(answer->point.values[0], utilisations[i] * DEMAND,
			     0.001 * DEMAND);
		assert_string_equal(answer->trial.binding, "device bandwidth");
		finish(state);
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
			 IDEAL "storage: {device: {bandwidth: 1 TB/s}}\n"
			       "link: {bandwidth: %s}\n",
			 rows[i].link);
		begin(text, "au>=0.9");
		knob("accelerator.count=1..64");
		answer = most();
		assert_true(answer->reached);
		assert_true(answer->point.values[0] == rows[i].accelerators);
		assert_string_equal(answer->trial.binding, "link bandwidth");
		finish(state);
	}
}

/* 3.177 GB/s each: 11.5 GB/s keep 4.02 of them at nine tenths. */
static void four_unet3d_h100_stay_on_nfs_at_100_gbit(void **state)
{
	const char *path = "traces/examples/unet3d-h100-nfs.yaml";
	const struct plan_answer *answer;
	double theory;

	(void)state;
	begin(IDEAL "storage: {device: {bandwidth: 1 MB/s}}\n", "au>=0.9");
	if (scenario_read(&scenario, path, NULL, 0, &fault))
		fail_msg("%s", fault.text);
	theory = 11.5e9 / (0.9 * 7 * 146600628 / 0.323);
	knob("accelerator.count=1..64");
	answer = most();
	assert_true(answer->reached);
	assert_true(answer->point.values[0] == floor(theory));
}

/* Decoding takes 5 ms an example: two examples a step and worker. */
static void whole_workers_are_exact(void **state)
{
	(void)state;
	begin("dataset: {examples: 10000, example_bytes: 1 MB}\n"
	      "storage: {device: {bandwidth: 1 TB/s}}\n"
	      "run: {steps: 1000, warmup_steps: 100}\n"
	      "accelerator: {step_time: 10 ms}\n"
	      "pipeline: {batch_size: 10, decode: {time: 5 ms}}\n",
	      "au>=0.7");
	knob("pipeline.decode.workers=1..64");
	assert_true(alone()->point.values[0] == 4); /* 3: 0.6 */
}

static void a_goal_that_the_lowest_value_meets_says_so(void **state)
{
	const struct plan_answer *answer;

	(void)state;
	begin(IDEAL "storage: {device: {bandwidth: 100 GB/s}}\n", "au>=0.9");
	knob("storage.queue_depth=8..64");
	answer = alone();
	assert_true(answer->reached);
	assert_true(answer->point.values[0] == 8);
	assert_string_equal(answer->note, "met at the lowest value already");
}

static void what_forbids_a_goal_is_named(void **state)
{
	const struct plan_answer *answer;

	(void)state;
	begin(IDEAL "storage: {device: {bandwidth: 500 MB/s}}\n", "au>=0.9");
	knob("storage.queue_depth=1..64");
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
	begin(IDEAL "storage: {device: {bandwidth: 100 GB/s}}\n", "au>=0.9");
	knob("accelerator.count=1..7");
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
	begin(IDEAL "storage: {device: {bandwidth: 250 MB/s}}\n"
		    "echo: [{place: batch, factor: 2}]\n",
	      "useful_au>=0.5");
	if (law_parse(&law, "curve.csv", curve, strlen(curve), &fault))
		fail_msg("%s", fault.text);
	experiment.law = &law;
	knob("echo.0.factor=1..16");
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
	begin("dataset: {examples: 1000, example_bytes: 1 MB}\n"
	      "storage: {device: {bandwidth: 100 GB/s}}\n"
	      "pipeline: {batch_size: 10, read_ahead_examples: 200}\n"
	      "accelerator: {step_time: 10 ms}\n",
	      "au>=0.9");
	knob("accelerator.count=1..1024");
	answer = most();
	assert_true(answer->reached);
	assert_true(answer->point.values[0] < 32);
	assert_non_null(
		strstr(answer->note, "pipeline.read_ahead_examples: found"));
}

/* ---- together ---- */

/* Bandwidth and operations are needed both, nothing stands for the other: the
 * cheapest is the least of each, 900 MB/s at 0.01 and 900 requests of 1 MB a
 * second at 0.02 a month: 9 + 18. */
static void needs_that_do_not_replace_each_other_are_each_the_least(void **x)
{
	const struct plan_answer *answer;

	(void)x;
	begin(IDEAL "storage: {request_bytes: 1 MB, device: {"
		    "bandwidth: 1 MB/s, iops: 1, price: {per_mb_s_month: 0.01,"
		    " per_iops_month: 0.02}}}\n",
	      "au>=0.9");
	knob("storage.device.bandwidth=100 MB/s..2 GB/s:5");
	knob("storage.device.iops=100..2000:7");
	answer = together();
	assert_true(answer->reached);
	assert_close(answer->point.values[0], 9e8, 2e6);
	assert_close(answer->point.values[1], 900, 2);
	assert_close(answer->trial.cost_per_hour.real * 730, 27, 0.1);
}

/* A pinned cache of the share x leaves b / (1 - x) >= 0.9 GB/s to the device.
 * Whichever of the two is cheaper for all of it does all that it may: bandwidth
 * at 900 a month against a cache of the whole at 1,000 or at 500. */
static void what_replaces_the_other_is_taken_where_it_is_cheaper(void **x)
{
	static const struct {
		double cache_gib_month; /* of 9.313 GiB in all */
		double share;		/* that is cached */
	} rows[] = {
		{ 107.374, 0.25 },
		{ 53.687, 0.75 },
	};
	const struct plan_answer *answer;
	char text[1000];
	size_t i;

	for (i = 0; i < 2; i++) {
		snprintf(text, sizeof(text),
			 "dataset: {examples: 10000, example_bytes: 1 MB, "
			 "block_bytes: 1 MB, shard_examples: 1}\n"
			 "pipeline: {batch_size: 10}\n"
			 "run: {steps: 4000, warmup_steps: 1000}\n"
			 "accelerator: {step_time: 10 ms}\n"
			 "storage: {request_bytes: 1 MB, order: shuffled-blocks"
			 ", device: {bandwidth: 1 MB/s, price: "
			 "{per_mb_s_month: 1}}}\n"
			 "cache: {policy: pinned, bytes: 1 GB}\n"
			 "prices: {cache_gib_month: %.3f}\n",
			 rows[i].cache_gib_month);
		begin(text, "au>=0.9");
		knob("storage.device.bandwidth=25 MB/s..1000 MB/s:9");
		knob("cache.bytes=2.5 GB..7.5 GB:3");
		answer = together();
		assert_true(answer->reached);
		/* The cache may shrink as far as the bandwidth's step lets. */
		assert_close(answer->point.values[1] / 10e9, rows[i].share,
			     0.06);
		assert_close(answer->point.values[0],
			     9e8 * (1 - answer->point.values[1] / 10e9), 3e7);
		finish(x);
	}
}

/* Every point of the grid, one by one. */
static double cheapest_of_all(void)
{
	struct plan_point point = plan_as_is();
	double best = INFINITY;
	struct plan_trial trial;
	uint32_t i, j, k;

	for (i = 0; i < knobs[0].count; i++)
		for (j = 0; j < knobs[1].count; j++)
			for (k = 0; k < knobs[2].count; k++) {
				point.values[0] = plan_knob_at(&knobs[0], i);
				point.values[1] = plan_knob_at(&knobs[1], j);
				point.values[2] = plan_knob_at(&knobs[2], k);
				assert_int_equal(plan_try(&plan, &point, false,
							  &trial, &fault),
						 0);
				if (trial.met &&
				    trial.cost_per_hour.real < best)
					best = trial.cost_per_hour.real;
			}
	return best;
}

static void no_point_of_the_grid_is_cheaper(void **state)
{
	const struct plan_answer *answer;
	double best;

	(void)state;
	begin("dataset: {examples: 2000, example_bytes: 1 MB}\n"
	      "storage: {queue_depth: 2, request_bytes: 1 MB, device: {"
	      "bandwidth: 1 MB/s, latency: 5 ms, price: {per_mb_s_month: 3}}}\n"
	      "pipeline: {batch_size: 10, decode: {time: 7 ms}}\n"
	      "prices: {worker_hour: 0.9}\n"
	      "run: {steps: 150, warmup_steps: 20}\n"
	      "accelerator: {step_time: 10 ms}\n",
	      "au>=0.8");
	knob("storage.device.bandwidth=200 MB/s..2 GB/s:4");
	knob("storage.queue_depth=1..10:4");
	knob("pipeline.decode.workers=2..12:5");
	best = cheapest_of_all();
	assert_true(best < INFINITY);
	answer = together();
	assert_true(answer->reached);
	assert_true(answer->trial.met);
	assert_true(answer->trial.cost_per_hour.real <= best * (1 + 1e-12));
	/* Lowering within the steps does not leave the neighbourhood. */
	assert_true(answer->trial.cost_per_hour.real > best * 0.5);
}

static void a_combination_that_cannot_be_says_what_forbids_it(void **state)
{
	const struct plan_answer *answer;

	(void)state;
	begin(IDEAL "storage: {device: {bandwidth: 1 MB/s, iops: 1, price: "
		    "{per_iops_month: 1}}}\n",
	      "au>=0.9");
	knob("storage.device.bandwidth=100 MB/s..800 MB/s:3");
	knob("storage.device.iops=1000..9000:3");
	answer = together();
	assert_false(answer->reached);
	assert_string_equal(answer->trial.binding, "device bandwidth");
}

static void a_grid_too_large_is_refused(void **state)
{
	struct plan_answer answer;

	(void)state;
	begin(IDEAL "storage: {device: {bandwidth: 1 MB/s, price: "
		    "{per_mb_s_month: 1}}}\n",
	      "au>=0.9");
	knob("storage.device.bandwidth=100 MB/s..800 MB/s:4000");
	knob("storage.queue_depth=1..16000:4000");
	assert_int_equal(plan_together(&plan, &answer, &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "more than 65536 points"));
}

/* ---- values ---- */

static void values_are_told_in_four_digits_on_the_side_that_meets(void **state)
{
	const struct plan_answer *answer;
	char text[64];

	(void)state;
	begin(IDEAL "storage: {device: {bandwidth: 1 MB/s}}\n", "au>=0.87654");
	knob("storage.device.bandwidth=10 MB/s..10 GB/s");
	answer = alone();
	assert_true(answer->trial.met);
	assert_true(fmod(answer->point.values[0], 1e5) == 0);
	plan_knob_text(&knobs[0], answer->point.values[0], text, sizeof(text));
	assert_non_null(strstr(text, " kB/s"));
	plan_knob_human(&knobs[0], answer->point.values[0], text, sizeof(text));
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
	begin(IDEAL "storage: {device: {bandwidth: 1 MB/s}}\n", "au>=0.9");
	knob("storage.device.bandwidth=10 MB/s..10 GB/s");
	experiment.watch.go_on = ask_once;
	experiment.watch.context = &asked;
	scenario.limit.steps = 100000;
	assert_int_equal(plan_alone(&plan, 0, &answer, &fault), -EINTR);
	assert_false(answer.known);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, finish)
	const struct CMUnitTest tests[] = {
		TEST(an_utilisation_takes_as_much_of_the_demand),
		TEST(a_link_keeps_its_bandwidth_by_the_demand),
		TEST(four_unet3d_h100_stay_on_nfs_at_100_gbit),
		TEST(whole_workers_are_exact),
		TEST(a_goal_that_the_lowest_value_meets_says_so),
		TEST(what_forbids_a_goal_is_named),
		TEST(the_most_may_be_the_end_of_the_range),
		TEST(a_goal_that_only_the_middle_meets_is_found),
		TEST(a_value_that_cannot_be_is_a_miss),
		TEST(needs_that_do_not_replace_each_other_are_each_the_least),
		TEST(what_replaces_the_other_is_taken_where_it_is_cheaper),
		TEST(no_point_of_the_grid_is_cheaper),
		TEST(a_combination_that_cannot_be_says_what_forbids_it),
		TEST(a_grid_too_large_is_refused),
		TEST(values_are_told_in_four_digits_on_the_side_that_meets),
		TEST(a_search_that_is_ended_has_no_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
