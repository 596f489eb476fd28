/* SPDX-License-Identifier: MIT */
/* The details of a run: rows over bins of time, against what is known of it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/detail.h"
#include "analysis/simulation.h"
#include "tests/support/runs.h"

static struct setting setting;
static struct figures figures;
static struct timeline *timeline;
static struct detail *detail;

/* One accelerator, batches of 10, steps of 1 s; storage of 5 examples a second:
 * two seconds a step, busy half of the time. Decode of 0.1 s. */
static int setup(void **state)
{
	struct pipeline *pipeline = &setting.pipeline;

	(void)state;
	memset(&setting, 0, sizeof(setting));
	*pipeline = plain_pipeline(100000, 1000);
	pipeline->accelerators.step_ns = seconds(1);
	pipeline->stages[STAGE_READ].workers = 2;
	pipeline->stages[STAGE_DECODE].time_ns = seconds(0.1);
	pipeline->limit = (struct run_limit){ .steps = 60 };
	pipeline->read_ahead_examples = pipeline_read_ahead_default(pipeline);
	setting.tiers.device = plain_device(5000);
	return 0;
}

static void run(uint64_t steps)
{
	struct simulation_watch watch = { .memory_max = SIZE_MAX };

	assert_int_equal(timeline_open(&timeline, steps), 0);
	watch.timeline = timeline;
	assert_int_equal(simulation_run(&setting, &watch, &figures), 0);
	assert_int_equal(detail_make(&detail, timeline, &setting.pipeline), 0);
}

static int teardown(void **state)
{
	(void)state;
	detail_free(detail);
	timeline_close(timeline);
	detail = NULL;
	timeline = NULL;
	return 0;
}

static const struct detail_row *row(const struct detail_stretch *stretch,
				    const char *name, const char *what)
{
	size_t i;

	for (i = 0; i < stretch->row_count; i++)
		if (!strcmp(stretch->rows[i].name, name) &&
		    !strcmp(stretch->rows[i].what, what))
			return &stretch->rows[i];
	fail_msg("no row %s, %s", name, what);
	return NULL;
}

static double mean_of(const struct detail_stretch *stretch, const char *name,
		      const char *what)
{
	const struct detail_row *of = row(stretch, name, what);
	double sum = 0;
	size_t i;

	for (i = 0; i < stretch->bins; i++)
		sum += of->mean[i];
	return sum / (double)stretch->bins;
}

static void the_steady_stretch_has_its_shares(void **state)
{
	const struct detail_stretch *steady;

	(void)state;
	run(10);
	assert_int_equal(detail->stretch_count, 2);
	steady = &detail->stretches[1];
	assert_string_equal(steady->name, "steady stretch");
	/* From the beginning of a step to the end of the tenth: 9 x 2 + 1. */
	assert_true(fabs(seconds_of(steady->end_ns - steady->start_ns) - 19) <
		    1e-6);
	assert_true(fabs(mean_of(steady, "accelerators", "busy") - 10 / 19.0) <
		    1e-6);
	assert_int_equal(steady->step_count, 10);
	/* Storage is never idle: both requests are under way all the time. */
	assert_true(fabs(mean_of(steady, "read", "in flight") - 2) < 0.01);
	/* Ten examples of 0.1 s in every two seconds; the last ones begin
	 * before the end. */
	assert_true(fabs(mean_of(steady, "decode", "busy") - 0.5) < 0.03);
	assert_true(row(steady, "read", "in flight")->most == 2);
	assert_true(row(steady, "accelerators", "busy")->most == 1);
}

static void no_bin_has_more_than_there_can_be(void **state)
{
	const struct detail_stretch *stretch;
	size_t i, j, bin;

	(void)state;
	run(10);
	for (i = 0; i < detail->stretch_count; i++) {
		stretch = &detail->stretches[i];
		/* All but batches, of which accelerators hold some. */
		for (j = 0; j + 1 < stretch->row_count; j++)
			for (bin = 0; bin < stretch->bins; bin++) {
				assert_true(stretch->rows[j].mean[bin] >= 0);
				assert_true(stretch->rows[j].mean[bin] <=
					    stretch->rows[j].most + 1e-9);
			}
	}
}

static void levels_cover_the_whole_run(void **state)
{
	const struct detail_stretch *levels;

	(void)state;
	run(10);
	levels = &detail->levels;
	assert_true(fabs(seconds_of(levels->end_ns) -
			 seconds_of(figures.run_ns)) < 0.5);
	assert_true(fabs(mean_of(levels, "accelerators", "busy") - 0.5) < 0.03);
	assert_true(fabs(mean_of(levels, "requests", "in flight") - 2) < 0.05);
	assert_true(mean_of(levels, "examples", "read ahead in all") <=
		    (double)setting.pipeline.read_ahead_examples);
}

static void steps_are_told_of_a_few_accelerators_only(void **state)
{
	size_t i;

	(void)state;
	setting.pipeline.accelerators.count = 40;
	setting.pipeline.read_ahead_examples =
		pipeline_read_ahead_default(&setting.pipeline);
	run(10);
	assert_int_equal(detail->stretches[0].step_count,
			 10 * DETAIL_ACCELERATORS_MAX);
	for (i = 0; i < detail->stretches[0].step_count; i++)
		assert_true(detail->stretches[0].steps[i].accelerator <
			    DETAIL_ACCELERATORS_MAX);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_steady_stretch_has_its_shares),
		TEST(no_bin_has_more_than_there_can_be),
		TEST(levels_cover_the_whole_run),
		TEST(steps_are_told_of_a_few_accelerators_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
