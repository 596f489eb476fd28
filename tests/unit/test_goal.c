/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/goal.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static struct result result;

/* au is 0.9; 1,000,000 bytes in a second. */
static int setup(void **state)
{
	(void)state;
	memset(&result, 0, sizeof(result));
	result.figures.elapsed_ns = 1000000000;
	result.figures.accelerator_ns = 1000;
	result.figures.busy_ns = 900;
	result.figures.storage.bytes = 1000000;
	return 0;
}

static bool met(const char *text)
{
	struct fault fault = { 0 };
	struct goal goal;

	assert_int_equal(goal_parse(&goal, text, &fault), 0);
	return goal_met(&goal, &result);
}

static void a_goal_is_met_at_its_very_bound(void **state)
{
	(void)state;
	assert_true(met("au>=0.9"));
	assert_true(met("au<=0.9"));
	assert_false(met("au>=0.9000001"));
	assert_false(met("au<=0.8999999"));
}

static void bounds_may_carry_the_unit_of_their_metric(void **state)
{
	(void)state;
	assert_true(met("storage.bytes>=1000000"));
	assert_true(met("storage.bytes>=1 MB"));
	assert_false(met("storage.bytes>=1 MiB"));
	assert_true(met("storage.bytes_per_s<=1 MB/s"));
	assert_true(met("elapsed_s<=1000 ms"));
	assert_false(met("elapsed_s<=999ms"));
}

/* As people write them. */
static void a_share_may_be_in_percent_and_have_room(void **state)
{
	struct fault fault = { 0 };
	struct goal goal;

	(void)state;
	assert_true(met("au>=90%"));
	assert_false(met("au>=90.1 %"));
	assert_true(met("au >= 0.9"));
	assert_true(met("storage.bytes <= 1 MB"));
	assert_int_equal(goal_parse(&goal, "storage.bytes>=90%", &fault),
			 -EINVAL);
	fault = (struct fault){ 0 };
	assert_int_equal(goal_parse(&goal, "au>=%", &fault), -EINVAL);
	fault = (struct fault){ 0 };
	assert_int_equal(goal_parse(&goal, "AU>=0.9", &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "did you mean \"au\"?"));
}

static void a_figure_that_is_not_known_meets_no_goal(void **state)
{
	(void)state;
	assert_false(met("gain>=0"));
	assert_false(met("gain<=1000"));
}

static void figures_of_live_runs_meet_goals_in_live_runs_only(void **state)
{
	(void)state;
	assert_false(met("throttle.late>=0"));
	assert_false(met("storage.device_bytes<=1 GB"));
	result.live = true;
	assert_true(met("throttle.late>=0"));
	assert_true(met("storage.device_bytes<=1 GB"));
}

static void what_is_no_goal_is_refused_with_a_reason(void **state)
{
	static const struct {
		const char *text;
		const char *reason;
	} rows[] = {
		{ "", "METRIC>=X" },
		{ "au", "METRIC>=X" },
		{ "au>0.9", "METRIC>=X" },
		{ ">=0.9", "METRIC>=X" },
		{ "au>=", "not a number" },
		{ "au>=high", "not a number" },
		{ "au>=1 s", "not a number" },
		{ "storage.bytes>=1 s", "not a number in B" },
		{ "idle_fracton>=1", "did you mean \"idle_fraction\"" },
		{ "mode>=1", "is not a number" },
		{ "stages>=1", "is not a number" },
	};
	struct fault fault;
	struct goal goal;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		fault = (struct fault){ 0 };
		assert_int_equal(goal_parse(&goal, rows[i].text, &fault),
				 -EINVAL);
		assert_non_null(strstr(fault.text, rows[i].reason));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_goal_is_met_at_its_very_bound, setup),
		cmocka_unit_test_setup(
			bounds_may_carry_the_unit_of_their_metric, setup),
		cmocka_unit_test_setup(a_share_may_be_in_percent_and_have_room,
				       setup),
		cmocka_unit_test_setup(a_figure_that_is_not_known_meets_no_goal,
				       setup),
		cmocka_unit_test_setup(
			figures_of_live_runs_meet_goals_in_live_runs_only,
			setup),
		cmocka_unit_test(what_is_no_goal_is_refused_with_a_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
