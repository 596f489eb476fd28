/* SPDX-License-Identifier: MIT */
/*
 * Expected numbers are those of Choi et al. (arXiv 1907.05550v3, figures 3 to
 * 7) and of Muennighoff et al. (arXiv 2305.16264), not our own.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/law/law.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static struct law law;

static void parse(const char *text)
{
	struct fault fault = { 0 };

	assert_int_equal(
		law_parse(&law, "mine.csv", text, strlen(text), &fault), 0);
}

static struct law_answer ask(const struct law *of, struct law_query query)
{
	struct law_answer answer;

	law_ask(of, &query, &answer);
	return answer;
}

static void expect_near(double found, double expected, double slack)
{
	if (!(fabs(found - expected) <= slack))
		fail_msg("found %.6g, expected %.6g +- %g", found, expected,
			 slack);
}

static const struct law *find(const char *name)
{
	const struct law *found = law_find(name);

	assert_non_null(found);
	return found;
}

static struct law_query echo(enum echo_place place, double factor,
			     uint64_t batch, uint64_t shuffle, double lag)
{
	return (struct law_query){ .place = place,
				   .asked = factor,
				   .factor = factor,
				   .batch = batch,
				   .shuffle_examples = shuffle,
				   .shuffle_batches = 1,
				   .lag_steps = lag };
}

static void a_measured_point_comes_out_as_it_is(void **state)
{
	struct law_answer answer;

	(void)state;
	answer = ask(find("choi2019-resnet50-imagenet"),
		     echo(ECHO_EXAMPLE_BEFORE_AUGMENT, 2, 1024, 100000, 97));
	assert_int_equal(answer.source, GAIN_TABLE);
	expect_near(answer.gain, 8.254e7 / 4.250e7, 1e-9);
	/* Whisker to whisker. */
	expect_near(answer.gain_min, 7.58e7 / 4.97e7, 1e-9);
	expect_near(answer.gain_max, 8.81e7 / 3.74e7, 1e-9);
	expect_near(answer.fresh, 4.250e7, 1);
	expect_near(answer.fresh_min, 3.74e7, 1);
	expect_near(answer.fresh_max, 4.97e7, 1);
	assert_string_equal(answer.warning, "");
}

/* Figure 6: the value of the second use by batch size. */
static void the_second_use_is_worth_what_figure_6_says(void **state)
{
	static const struct {
		const char *law;
		uint64_t batch;
		uint64_t shuffle;
		double repeated_batch, after, before;
	} rows[] = {
		{ "choi2019-transformer-lm1b", 64, 1000000, .02, .77, .77 },
		{ "choi2019-transformer-lm1b", 256, 1000000, .16, .84, .84 },
		{ "choi2019-transformer-lm1b", 1024, 1000000, .46, .94, .94 },
		{ "choi2019-transformer-lm1b", 4096, 1000000, .65, .77, .77 },
		{ "choi2019-resnet50-imagenet", 256, 100000, -.05, .17, .83 },
		{ "choi2019-resnet50-imagenet", 1024, 100000, -.05, .21, .94 },
		{ "choi2019-resnet50-imagenet", 4096, 100000, .04, .20, .88 },
		{ "choi2019-resnet50-imagenet", 16384, 100000, .18, .29, .59 },
	};
	struct law_answer answer;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		answer = ask(find(rows[i].law),
			     echo(ECHO_BATCH, 2, rows[i].batch, rows[i].shuffle,
				  0));
		expect_near(answer.gain - 1, rows[i].repeated_batch, 0.006);
		answer = ask(find(rows[i].law),
			     echo(ECHO_EXAMPLE_AFTER_AUGMENT, 2, rows[i].batch,
				  rows[i].shuffle, 50));
		expect_near(answer.gain - 1, rows[i].after, 0.006);
		answer = ask(find(rows[i].law),
			     echo(ECHO_EXAMPLE_BEFORE_AUGMENT, 2, rows[i].batch,
				  rows[i].shuffle, 50));
		expect_near(answer.gain - 1, rows[i].before, 0.006);
		assert_int_equal(answer.source, GAIN_TABLE);
	}
}

/* Figure 7: more shuffling helps a repeat. */
static void a_larger_shuffle_is_worth_what_figure_7_says(void **state)
{
	static const struct {
		uint64_t shuffle_batches;
		double value;
	} rows[] = { { 1, .46 }, { 10, .53 }, { 100, .74 } };
	const struct law *lm1b = find("choi2019-transformer-lm1b");
	struct law_query query;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		query = echo(ECHO_BATCH, 2, 1024, 1000000, 0);
		query.shuffle_batches = rows[i].shuffle_batches;
		expect_near(ask(lm1b, query).gain - 1, rows[i].value, 0.006);
	}
	expect_near(ask(lm1b,
			echo(ECHO_EXAMPLE_BEFORE_AUGMENT, 2, 1024, 100000, 97))
				    .gain -
			    1,
		    .66, 0.006);
	expect_near(ask(lm1b, echo(ECHO_EXAMPLE_BEFORE_AUGMENT, 2, 1024,
				   10000000, 9765))
				    .gain -
			    1,
		    .96, 0.006);
}

/* Figure 5: at batch 1024 the best factor lies below 8. */
static void a_large_factor_can_be_worse_than_a_smaller_one(void **state)
{
	const struct law *lm1b = find("choi2019-transformer-lm1b");
	static const struct {
		double factor, small, large;
	} rows[] = { { 2, 1.94, 1.77 },
		     { 4, 3.20, 3.44 },
		     { 8, 2.88, 5.24 },
		     { 16, 2.55, 5.72 } };
	struct law_answer answer;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		answer = ask(lm1b, echo(ECHO_EXAMPLE_BEFORE_AUGMENT,
					rows[i].factor, 1024, 1000000, 500));
		expect_near(answer.gain, rows[i].small, 0.006);
		answer = ask(lm1b, echo(ECHO_EXAMPLE_BEFORE_AUGMENT,
					rows[i].factor, 4096, 1000000, 200));
		expect_near(answer.gain, rows[i].large, 0.006);
		assert_int_equal(answer.source, GAIN_TABLE);
	}
}

static void between_two_points_lies_the_straight_line(void **state)
{
	struct law_answer answer;

	(void)state;
	answer = ask(find("choi2019-resnet50-imagenet-cloud"),
		     echo(ECHO_EXAMPLE_BEFORE_AUGMENT, 2.5, 1024, 100000, 80));
	assert_int_equal(answer.source, GAIN_INTERPOLATED);
	expect_near(answer.gain, (7.885e7 / 4.147e7 + 7.885e7 / 2.895e7) / 2,
		    1e-9);
	/* From no echo at all, too. */
	answer = ask(find("choi2019-resnet50-imagenet"),
		     echo(ECHO_EXAMPLE_BEFORE_AUGMENT, 1.5, 1024, 100000, 97));
	assert_int_equal(answer.source, GAIN_INTERPOLATED);
	expect_near(answer.gain, (1 + 8.254e7 / 4.250e7) / 2, 1e-9);
	assert_string_equal(answer.warning, "");
}

static void a_realised_factor_next_to_the_asked_one_is_it(void **state)
{
	struct law_query query = echo(ECHO_BATCH, 2, 1024, 100000, 0);

	(void)state;
	query.factor = 1.99;
	assert_int_equal(ask(find("choi2019-resnet50-imagenet"), query).source,
			 GAIN_TABLE);
	query.factor = 1.9;
	assert_int_equal(ask(find("choi2019-resnet50-imagenet"), query).source,
			 GAIN_INTERPOLATED);
}

static void repeats_when_starved_are_never_of_the_table(void **state)
{
	struct law_query query = echo(ECHO_BATCH, 2, 1024, 100000, 0);

	(void)state;
	query.asked = 0;
	query.factor = 1.99;
	assert_int_equal(ask(find("choi2019-resnet50-imagenet"), query).source,
			 GAIN_INTERPOLATED);
}

static void other_conditions_are_for_the_model(void **state)
{
	struct law_answer answer, more;

	(void)state;
	answer = ask(find("choi2019-transformer-lm1b"),
		     echo(ECHO_BATCH, 2, 512, 1000000, 0));
	assert_int_equal(answer.source, GAIN_MODEL);
	/* Between what was measured at 256 and at 1024. */
	assert_true(answer.gain > 1.16 && answer.gain < 1.46);
	assert_true(answer.gain_min < answer.gain);
	assert_true(answer.gain_max > answer.gain);
	assert_string_equal(answer.warning, "");
	/* The baseline too. */
	assert_true(answer.fresh * answer.gain > 8.346e6);
	assert_true(answer.fresh * answer.gain < 1.556e7);
	/* The longer between two uses, the better. */
	more = ask(find("choi2019-transformer-lm1b"),
		   echo(ECHO_BATCH, 2, 512, 1000000, 99));
	assert_true(more.gain > answer.gain);
	more = ask(find("choi2019-transformer-lm1b"),
		   echo(ECHO_EXAMPLE_BEFORE_AUGMENT, 2, 512, 50000, 97));
	assert_true(more.gain > answer.gain);
}

static void beyond_the_measured_there_is_a_warning_with_the_range(void **state)
{
	const struct law *imagenet = find("choi2019-resnet50-imagenet");
	struct law_answer answer;

	(void)state;
	answer = ask(imagenet,
		     echo(ECHO_EXAMPLE_BEFORE_AUGMENT, 4, 1024, 100000, 60));
	assert_int_equal(answer.source, GAIN_MODEL);
	assert_non_null(strstr(answer.warning, "factor 4"));
	assert_non_null(strstr(answer.warning, "1..2"));
	/* The model goes on from the last point. */
	assert_true(answer.gain > 1.94);
	answer = ask(imagenet, echo(ECHO_BATCH, 2, 65536, 100000, 0));
	assert_non_null(strstr(answer.warning, "batch 65536"));
	assert_non_null(strstr(answer.warning, "256..16384"));
	answer = ask(imagenet, echo(ECHO_NONE, 1, 64, 100000, 0));
	assert_non_null(strstr(answer.warning, "batch 64"));
	assert_true(answer.gain == 1);
	expect_near(answer.fresh, 8.013e7, 1);
}

/* D'/U of the paper's law at 2, 4, 8, 16 and 44 epochs. */
static void the_envelope_is_that_of_whole_epochs(void **state)
{
	static const double rows[][2] = { { 2, 1.97 },
					  { 4, 3.73 },
					  { 8, 6.62 },
					  { 16, 10.58 },
					  { 44, 15.45 } };
	struct law_answer answer;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		answer = ask(find("muennighoff2023-envelope"),
			     echo(ECHO_EXAMPLE_BEFORE_AUGMENT, rows[i][0], 512,
				  1000, 1000));
		expect_near(answer.gain, rows[i][1], 0.006);
		assert_non_null(strstr(answer.warning, "upper envelope"));
		assert_true(answer.fresh == 0);
	}
}

static void expect_bounded(const struct law *of, struct law_query query)
{
	double gain = law_model_gain(of, &query);

	assert_true(gain > 0);
	assert_true(gain <= query.factor);
	assert_true(gain <= law_envelope_gain(LAW_REUSE_LIMIT, query.factor));
}

static void the_model_stays_below_the_envelope_and_the_factor(void **state)
{
	struct law_query query;
	size_t i, j;

	(void)state;
	for (i = 0; i < law_count(); i++) {
		if (law_at(i)->kind == LAW_ENVELOPE)
			continue;
		for (j = 0; j < 20 * 20; j++) {
			query = echo(ECHO_EXAMPLE_BEFORE_AUGMENT,
				     pow(1.3, (double)(j % 20)), 1 << (i % 20),
				     0, pow(2, (double)(j / 20)) - 1);
			expect_bounded(law_at(i), query);
		}
	}
}

static void the_model_misses_its_points_by_what_is_stated(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < law_count(); i++)
		assert_true(law_at(i)->model.rms < 0.07);
	assert_true(find("choi2019-transformer-lm1b")->model.rms > 0.03);
}

static void ones_own_law_holds_for_every_echo(void **state)
{
	struct law_answer answer;

	(void)state;
	parse("factor,fresh\n1,9e6\n2,6e6\n4,5e6\n");
	answer = ask(&law, echo(ECHO_BATCH, 3, 77, 5, 0));
	assert_int_equal(answer.source, GAIN_USER);
	expect_near(answer.gain, (1.5 + 1.8) / 2, 1e-9);
	expect_near(answer.fresh, 9e6 / 1.65, 1);
	assert_string_equal(answer.warning, "");
	assert_true(answer.gain_min == 0);
	/* Beyond the last point a use is taken to be worth nothing. */
	answer = ask(&law, echo(ECHO_EXAMPLE_AFTER_AUGMENT, 6, 77, 5, 9));
	expect_near(answer.gain, 1.8, 1e-9);
	assert_non_null(strstr(answer.warning, "1..4"));
}

static void a_strategy_without_a_row_has_no_gain(void **state)
{
	struct law_answer answer;

	(void)state;
	parse("strategy,factor,fresh\nnone,1,9e6\nbatch,2,6e6\n");
	assert_int_equal(ask(&law, echo(ECHO_BATCH, 2, 8, 5, 0)).source,
			 GAIN_USER);
	answer = ask(&law, echo(ECHO_EXAMPLE_AFTER_AUGMENT, 2, 8, 5, 0));
	assert_int_equal(answer.source, GAIN_NONE);
	assert_true(answer.gain == 0 && answer.fresh == 0);
	assert_non_null(strstr(answer.warning, "example-after-augment"));
}

static void a_law_without_model_answers_from_its_nearest_series(void **state)
{
	struct law_answer answer;

	(void)state;
	parse("# kind: measured\n"
	      "strategy,batch,factor,fresh\n"
	      "none,32,1,1000\nbatch,32,2,900\n"
	      "none,256,1,3000\nbatch,256,2,2000\n");
	answer = ask(&law, echo(ECHO_BATCH, 2, 200, 5, 0));
	assert_int_equal(answer.source, GAIN_MEASURED);
	expect_near(answer.gain, 1.5, 1e-9);
	assert_non_null(strstr(answer.warning, "batch 256"));
	assert_non_null(strstr(answer.warning, "batch 200"));
}

static void decoding_anew_is_worth_what_augmenting_anew_is(void **state)
{
	(void)state;
	assert_true(ask(find("choi2019-ssd-coco"),
			echo(ECHO_EXAMPLE_BEFORE_DECODE, 2, 256, 10000, 39))
			    .gain ==
		    ask(find("choi2019-ssd-coco"),
			echo(ECHO_EXAMPLE_BEFORE_AUGMENT, 2, 256, 10000, 39))
			    .gain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_measured_point_comes_out_as_it_is),
		cmocka_unit_test(the_second_use_is_worth_what_figure_6_says),
		cmocka_unit_test(a_larger_shuffle_is_worth_what_figure_7_says),
		cmocka_unit_test(
			a_large_factor_can_be_worse_than_a_smaller_one),
		cmocka_unit_test(between_two_points_lies_the_straight_line),
		cmocka_unit_test(a_realised_factor_next_to_the_asked_one_is_it),
		cmocka_unit_test(repeats_when_starved_are_never_of_the_table),
		cmocka_unit_test(other_conditions_are_for_the_model),
		cmocka_unit_test(
			beyond_the_measured_there_is_a_warning_with_the_range),
		cmocka_unit_test(the_envelope_is_that_of_whole_epochs),
		cmocka_unit_test(
			the_model_stays_below_the_envelope_and_the_factor),
		cmocka_unit_test(the_model_misses_its_points_by_what_is_stated),
		cmocka_unit_test(ones_own_law_holds_for_every_echo),
		cmocka_unit_test(a_strategy_without_a_row_has_no_gain),
		cmocka_unit_test(
			a_law_without_model_answers_from_its_nearest_series),
		cmocka_unit_test(
			decoding_anew_is_worth_what_augmenting_anew_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
