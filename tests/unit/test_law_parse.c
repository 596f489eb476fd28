/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/law/law.h"

static struct law law;

static int parse(const char *text, struct fault *fault)
{
	*fault = (struct fault){ 0 };
	return law_parse(&law, "mine.csv", text, strlen(text), fault);
}

/* The text is refused at this line, in words that hold all of these. */
static void expect_refusal(const char *text, int line, const char *first,
			   const char *second)
{
	struct fault fault;

	assert_int_equal(parse(text, &fault), -EINVAL);
	if (fault.line != line || !strstr(fault.text, first) ||
	    !strstr(fault.text, second))
		fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
	assert_string_equal(fault.file, "mine.csv");
}

static void the_least_law_is_two_columns(void **state)
{
	struct fault fault;

	(void)state;
	assert_int_equal(parse("factor,fresh\n1,8e6\n2,4.4e6\n", &fault), 0);
	assert_int_equal(law.kind, LAW_USER);
	assert_int_equal(law.point_count, 2);
	assert_true(law.points[1].any_place);
	assert_true(law.points[1].factor == 2);
	assert_true(law.points[1].fresh == 4.4e6);
	assert_string_equal(law.name, "mine.csv");
}

static void the_head_names_and_marks_a_law(void **state)
{
	struct fault fault;

	(void)state;
	assert_int_equal(parse("# name: night run\n# just a remark\n"
			       "# kind: measured\n# source: me\n"
			       "# conditions: at night: cold\n"
			       "strategy, batch, factor, fresh\r\n\r\n"
			       "none, 64, 1, 100\r\nbatch, 64, 2, 80\r\n",
			       &fault),
			 0);
	assert_string_equal(law.name, "night run");
	assert_int_equal(law.kind, LAW_MEASURED);
	assert_string_equal(law.conditions, "at night: cold");
	assert_int_equal(law.points[1].place, ECHO_BATCH);
	assert_int_equal(law.points[1].batch, 64);
}

static void a_factor_below_one_is_refused(void **state)
{
	(void)state;
	expect_refusal("factor,fresh\n1,10\n0.5,20\n", 3, "factor", "0.5");
	expect_refusal("factor,fresh\n1,10\n-2,20\n", 3, "factor", "-2");
}

static void factors_that_do_not_rise_are_refused(void **state)
{
	(void)state;
	expect_refusal("factor,fresh\n1,10\n4,5\n2,6\n", 4, "does not rise",
		       "line 3");
	expect_refusal("factor,fresh\n1,10\n2,5\n2,6\n", 4, "does not rise",
		       "line 3");
	expect_refusal("factor,fresh\n1,10\n1,11\n", 3, "does not rise",
		       "line 2");
}

static void what_is_not_a_number_is_refused(void **state)
{
	(void)state;
	expect_refusal("factor,fresh\n1,nan\n", 2, "fresh", "nan");
	expect_refusal("factor,fresh\n1,inf\n", 2, "fresh", "inf");
	expect_refusal("factor,fresh\nNaN,10\n", 2, "factor", "NaN");
	expect_refusal("factor,fresh\n1,ten\n", 2, "fresh", "ten");
	expect_refusal("factor,fresh\n1,10 20\n", 2, "fresh", "10 20");
	expect_refusal("factor,fresh\n1,\n", 2, "fresh", "\"\"");
	expect_refusal("factor,fresh\n1,0\n", 2, "fresh", "\"0\"");
	expect_refusal("batch,factor,fresh\n1.5,1,10\n", 2, "batch", "whole");
}

static void a_law_without_a_baseline_is_refused(void **state)
{
	(void)state;
	expect_refusal("factor,fresh\n2,10\n4,6\n", 2, "no baseline", "1");
	expect_refusal("batch,factor,fresh\n64,1,9\n128,2,5\n", 3,
		       "no baseline", "batch");
	expect_refusal("factor,fresh\n", 0, "no rows", "baseline");
	expect_refusal("", 0, "no rows", "baseline");
}

static void columns_are_known_and_whole(void **state)
{
	(void)state;
	expect_refusal("factor,frehs\n1,10\n", 1, "frehs", "\"fresh\"");
	expect_refusal("factor,strategy\n1,none\n", 1, "no column", "fresh");
	expect_refusal("fresh,batch\n1,2\n", 1, "no column", "factor");
	expect_refusal("factor,fresh,fresh\n1,2,3\n", 1, "fresh", "twice");
	expect_refusal("factor,fresh\n1,10,7\n", 2, "3 cells", "expected 2");
	expect_refusal("factor,fresh\n1\n", 2, "1 cells", "expected 2");
}

static void a_strategy_must_be_one(void **state)
{
	(void)state;
	expect_refusal("strategy,factor,fresh\nbacth,2,10\n", 2, "bacth",
		       "\"batch\"");
	expect_refusal("strategy,factor,fresh\nnone,2,10\n", 2, "none",
		       "expected 1");
}

static void the_spread_holds_the_mean(void **state)
{
	(void)state;
	expect_refusal("factor,fresh,fresh_min,fresh_max\n1,10,11,12\n", 2,
		       "outside", "fresh_min");
	expect_refusal("factor,fresh,fresh_min,fresh_max\n1,10,8,9\n", 2,
		       "outside", "fresh_max");
}

static void a_model_is_whole_and_possible(void **state)
{
	(void)state;
	expect_refusal("# model: speed=3\nfactor,fresh\n1,10\n", 1, "speed=3",
		       "power");
	expect_refusal("# model: power=x\nfactor,fresh\n1,10\n", 1, "power=x",
		       "power");
	expect_refusal("# model: batch_half=10\nfactor,fresh\n1,10\n", 0,
		       "lag_half", "power");
	expect_refusal("# kind: holy\nfactor,fresh\n1,10\n", 1, "holy",
		       "measured");
}

static void binary_and_endless_lines_are_refused(void **state)
{
	static char text[4096];
	struct fault fault = { 0 };

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(law_parse(&law, "x", text, sizeof(text), &fault),
			 -EINVAL);
	memset(text, 0, sizeof(text));
	assert_int_equal(law_parse(&law, "x", text, sizeof(text), &fault),
			 -EINVAL);
}

static void there_is_an_end_to_rows(void **state)
{
	static char text[LAW_POINTS_MAX * 32];
	size_t used = 0;
	int i;

	(void)state;
	used += (size_t)snprintf(text, sizeof(text), "factor,fresh\n1,9\n");
	for (i = 1; i <= LAW_POINTS_MAX; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%d.%03d,5\n", 1 + i / 1000, i % 1000);
	expect_refusal(text, LAW_POINTS_MAX + 2, "more than", "rows");
}

static void every_built_in_law_is_one_and_found_by_name(void **state)
{
	size_t i;

	(void)state;
	assert_true(law_count() >= 7);
	for (i = 0; i < law_count(); i++) {
		assert_ptr_equal(law_find(law_at(i)->name), law_at(i));
		assert_true(law_at(i)->source[0]);
		assert_true(law_at(i)->conditions[0]);
	}
	assert_null(law_find("choi2019-resnet50-imagnet"));
	assert_string_equal(law_nearest("choi2019-resnet50-imagnet"),
			    "choi2019-resnet50-imagenet");
	assert_null(law_nearest("moon"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_law_is_two_columns),
		cmocka_unit_test(the_head_names_and_marks_a_law),
		cmocka_unit_test(a_factor_below_one_is_refused),
		cmocka_unit_test(factors_that_do_not_rise_are_refused),
		cmocka_unit_test(what_is_not_a_number_is_refused),
		cmocka_unit_test(a_law_without_a_baseline_is_refused),
		cmocka_unit_test(columns_are_known_and_whole),
		cmocka_unit_test(a_strategy_must_be_one),
		cmocka_unit_test(the_spread_holds_the_mean),
		cmocka_unit_test(a_model_is_whole_and_possible),
		cmocka_unit_test(binary_and_endless_lines_are_refused),
		cmocka_unit_test(there_is_an_end_to_rows),
		cmocka_unit_test(every_built_in_law_is_one_and_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
