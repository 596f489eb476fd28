/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/learn/measure.h"

static struct learn_table table;

static struct learn_outcome found(double fresh, uint32_t rate)
{
	return (struct learn_outcome){ .done = true,
				       .reached = fresh > 0,
				       .fresh = fresh,
				       .rate = rate,
				       .mean_factor = 2,
				       .mean_lag_steps = 5,
				       .duplicates = 0.5 };
}

static void a_row_is_mean_and_spread_of_its_searches(void **state)
{
	struct learn_measure row = {
		.condition = { ECHO_BATCH, 2, 64, 512, 1 },
	};
	struct learn_outcome outcomes[] = {
		found(100, 2), found(300, 3), found(200, 3), { .done = false }
	};

	(void)state;
	learn_sum_up(&row, outcomes, 4);
	assert_int_equal(row.searches, 3);
	assert_int_equal(row.reached, 3);
	assert_true(row.fresh == 200);
	assert_true(row.fresh_min == 100);
	assert_true(row.fresh_max == 300);
	assert_true(row.rate == learn_rate(64, 3));
	assert_false(row.at_edge);
	assert_true(row.mean_lag_steps == 5);
	assert_int_equal(row.condition.batch, 64);
}

static void a_winner_at_the_end_of_the_grid_is_told(void **state)
{
	struct learn_measure row = { .condition.batch = 32 };
	struct learn_outcome outcomes[] = { found(100, 2),
					    found(300, LEARN_RATES - 1) };

	(void)state;
	learn_sum_up(&row, outcomes, 2);
	assert_true(row.at_edge);
}

static void set_row(size_t index, struct learn_condition condition,
		    double fresh)
{
	struct learn_measure *row = &table.rows[index];

	*row = (struct learn_measure){ .condition = condition,
				       .searches = 2,
				       .reached = 2,
				       .fresh = fresh,
				       .fresh_min = fresh * 0.9,
				       .fresh_max = fresh * 1.1,
				       .mean_factor = condition.factor };
}

static void fill_table(void)
{
	table.count = 4;
	set_row(0, (struct learn_condition){ ECHO_NONE, 1, 32, 512, 1 }, 1000);
	set_row(1, (struct learn_condition){ ECHO_BATCH, 2, 32, 512, 1 }, 800);
	set_row(2, (struct learn_condition){ ECHO_BATCH, 2, 32, 512, 16 }, 500);
	set_row(3, (struct learn_condition){ ECHO_BATCH, 2, 64, 512, 1 }, 700);
	assert_int_equal(learn_fill_gains(&table), 0);
}

static void a_gain_is_against_the_baseline_of_its_batch(void **state)
{
	(void)state;
	fill_table();
	assert_true(fabs(table.rows[1].worth.gain - 1.25) < 1e-9);
	assert_true(fabs(table.rows[1].worth.gain_min - 900 / 880.0) < 1e-9);
	assert_true(fabs(table.rows[2].worth.gain - 2) < 1e-9);
	/* Batch 64 has none. */
	assert_true(table.rows[3].worth.gain == 0);
}

static void a_row_with_a_failed_search_has_no_gain(void **state)
{
	(void)state;
	fill_table();
	table.rows[1].reached = 1;
	memset(&table.rows[1].worth, 0, sizeof(table.rows[1].worth));
	assert_int_equal(learn_fill_gains(&table), 0);
	assert_true(table.rows[1].worth.gain == 0);
}

/* A row of searches that found these, by seed. */
static void set_searches(size_t index, struct learn_condition condition,
			 const double *fresh, uint32_t count)
{
	struct learn_outcome outcomes[LEARN_SEARCHES_MAX];

	for (uint32_t i = 0; i < count; i++)
		outcomes[i] = found(fresh[i], 2);
	table.rows[index] = (struct learn_measure){ .condition = condition };
	learn_sum_up(&table.rows[index], outcomes, count);
	table.count = index + 1;
	table.searches = count;
}

static const struct learn_condition none = { ECHO_NONE, 1, 32, 512, 1 };
static const struct learn_condition twice = { ECHO_BATCH, 2, 32, 512, 1 };
static const struct learn_condition often = { ECHO_BATCH, 4, 32, 512, 1 };

/* The residuals of a ratio estimate, by hand: of 1 and 3 against 1 and 1 the
 * ratio is 2, they are -1 and 1, their deviation is sqrt(2), and of the mean
 * of two 1. What a seed does to both rows alike is no error. */
static void the_error_of_a_gain_is_that_of_its_pairs(void **state)
{
	static const double apart[] = { 100, 300 }, alike[] = { 100, 100 },
			    half[] = { 50, 150 };

	(void)state;
	set_searches(0, none, apart, 2);
	set_searches(1, twice, alike, 2);
	set_searches(2, often, half, 2);
	assert_int_equal(learn_fill_gains(&table), 0);
	assert_true(table.rows[0].gain_error == 0);
	assert_true(fabs(table.rows[1].worth.gain - 2) < 1e-12);
	assert_true(fabs(table.rows[1].gain_error - 1) < 1e-12);
	assert_true(fabs(table.rows[2].worth.gain - 2) < 1e-12);
	assert_true(table.rows[2].gain_error < 1e-12);
}

static void one_search_has_no_error(void **state)
{
	static const double base[] = { 100 }, echoed[] = { 50 };

	(void)state;
	set_searches(0, none, base, 1);
	set_searches(1, twice, echoed, 1);
	assert_int_equal(learn_fill_gains(&table), 0);
	assert_true(table.rows[1].worth.gain == 2);
	assert_true(table.rows[1].gain_error == 0);
	assert_false(table.rows[1].tie);
}

/* Against the factor before it: e = 2 ties with no echo, for the pairs go
 * either way; e = 4 is better than e = 2 by half, every time. */
static void neighbours_within_two_errors_tie(void **state)
{
	static const double base[] = { 100, 120, 110, 90 };
	static const double two[] = { 110, 105, 115, 80 };
	static const double four[] = { 73, 70, 77, 53 };

	(void)state;
	set_searches(0, none, base, 4);
	set_searches(1, twice, two, 4);
	set_searches(2, often, four, 4);
	assert_int_equal(learn_fill_gains(&table), 0);
	assert_true(table.rows[1].tie);
	assert_false(table.rows[2].tie);
}

static bool law_has(const char *words)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool has;

	assert_non_null(out);
	learn_write_law(out, &table);
	fclose(out);
	has = strstr(text, words) != NULL;
	free(text);
	return has;
}

/* Of rows without a gain there is no law to be made; of some of them there
 * is, and it is marked. */
static void what_is_not_whole_is_marked(void **state)
{
	static const double base[] = { 100, 300 }, two[] = { 100, 100 };

	(void)state;
	set_searches(0, none, base, 2);
	set_searches(1, twice, two, 2);
	set_searches(2, often, two, 0);
	table.searches = 2;
	table.count = 1;
	assert_int_equal(learn_fill_gains(&table), 0);
	assert_false(learn_says_something(&table));
	table.count = 2;
	assert_int_equal(learn_fill_gains(&table), 0);
	assert_true(learn_says_something(&table));
	assert_false(law_has("complete"));
	assert_true(law_has("gain_standard_error"));
	assert_true(law_has(",2,1,2,"));
	table.count = 3;
	assert_int_equal(learn_fill_gains(&table), 0);
	assert_true(law_has("# complete: false\n"));
}

/* What learn writes, compare reads. */
static void its_law_file_is_a_law(void **state)
{
	const struct law_query query = { .place = ECHO_BATCH,
					 .asked = 2,
					 .factor = 2,
					 .batch = 32,
					 .shuffle_examples = 512,
					 .shuffle_batches = 16 };
	struct law_answer answer;
	struct fault fault = { 0 };
	static struct law law;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_non_null(out);
	fill_table();
	learn_write_law(out, &table);
	fclose(out);
	if (law_parse(&law, "learned.csv", text, size, &fault))
		fail_msg("%d: %s\n%s", fault.line, fault.text, text);
	free(text);
	assert_int_equal(law.kind, LAW_MEASURED);
	assert_int_equal(law.point_count, 3);
	law_ask(&law, &query, &answer);
	assert_int_equal(answer.source, GAIN_MEASURED);
	assert_true(fabs(answer.gain - 2) < 1e-4);
	assert_string_equal(answer.warning, "");
}

static void the_usual_plan_is_a_law_too(void **state)
{
	size_t i;

	(void)state;
	memset(&table, 0, sizeof(table));
	learn_plan(&table);
	assert_true(table.count > 15 && table.count < LEARN_CONDITIONS_MAX);
	for (i = 0; i < table.count; i++)
		set_row(i, table.rows[i].condition, 1000);
	assert_int_equal(learn_fill_gains(&table), 0);
	for (i = 0; i < table.count; i++)
		assert_true(table.rows[i].worth.gain > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_mean_and_spread_of_its_searches),
		cmocka_unit_test(a_winner_at_the_end_of_the_grid_is_told),
		cmocka_unit_test(a_gain_is_against_the_baseline_of_its_batch),
		cmocka_unit_test(a_row_with_a_failed_search_has_no_gain),
		cmocka_unit_test(the_error_of_a_gain_is_that_of_its_pairs),
		cmocka_unit_test(one_search_has_no_error),
		cmocka_unit_test(neighbours_within_two_errors_tie),
		cmocka_unit_test(what_is_not_whole_is_marked),
		cmocka_unit_test(its_law_file_is_a_law),
		cmocka_unit_test(the_usual_plan_is_a_law_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
