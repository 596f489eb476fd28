/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/learn/learn.h"
#include "analysis/learn/mlp.h"
#include "traces/scenario.h"

static struct learn_data digits, teacher;
static const atomic_bool go_on;

static int open_sets(void **state)
{
	struct fault fault = { 0 };

	(void)state;
	return mlp_load(&fault) || learn_data_open(&digits, LEARN_DIGITS) ||
	       learn_data_open(&teacher, LEARN_TEACHER);
}

static int close_sets(void **state)
{
	(void)state;
	learn_data_close(&digits);
	learn_data_close(&teacher);
	return 0;
}

/* As the documentation of the set has it: 1,797 images, these many a class. */
static void the_digits_are_all_there(void **state)
{
	static const uint32_t published[] = { 178, 182, 177, 183, 181,
					      182, 181, 179, 174, 180 };
	uint32_t counts[10] = { 0 };
	double sum = 0;

	(void)state;
	assert_int_equal(digits.examples + digits.held_count, 1797);
	for (uint64_t i = 0; i < 1797; i++)
		counts[digits.classes_of[i]]++;
	for (int i = 0; i < 10; i++)
		assert_int_equal(counts[i], published[i]);
	for (uint64_t i = 0; i < 1797 * 64; i++) {
		assert_true(digits.pixels[i] >= 0 && digits.pixels[i] <= 1);
		sum += (double)digits.pixels[i] * 16;
	}
	/* The mean pixel of the published set is 4.884. */
	assert_true(fabs(sum / (1797 * 64) - 4.884) < 0.001);
}

static void a_view_is_the_same_whenever_it_is_asked_for(void **state)
{
	float one[64], other[64];
	uint32_t class;

	(void)state;
	class = learn_data_view(&digits, 1, 3, 77, 0, one);
	learn_data_view(&digits, 1, 4, 77, 0, other);
	assert_memory_not_equal(one, other, sizeof(one));
	learn_data_view(&digits, 1, 3, 77, 1, other);
	assert_memory_not_equal(one, other, sizeof(one));
	learn_data_view(&digits, 2, 3, 77, 0, other);
	assert_memory_not_equal(one, other, sizeof(one));
	assert_int_equal(learn_data_view(&digits, 1, 3, 77, 0, other), class);
	assert_memory_equal(one, other, sizeof(one));
}

/* The mean of many views is a blurred image: close to the image itself. */
static void views_stay_near_their_image(void **state)
{
	const float *image = digits.pixels + 100 * 64;
	double mean[64] = { 0 }, far = 0;
	float x[64];

	(void)state;
	for (uint32_t view = 0; view < 1000; view++) {
		learn_data_view(&digits, 1, 0, 100, view, x);
		for (int i = 0; i < 64; i++)
			mean[i] += (double)x[i] / 1000;
	}
	for (int i = 0; i < 64; i++)
		far += fabs(mean[i] - (double)image[i]) / 64;
	assert_true(far < 0.2);
}

static void every_class_of_the_teacher_is_taught(void **state)
{
	uint32_t counts[8] = { 0 };
	float x[32], first[32];

	(void)state;
	for (uint64_t i = 0; i < 2000; i++)
		counts[learn_data_view(&teacher, 1, 0, i, 0, x)]++;
	for (uint32_t i = 0; i < teacher.classes; i++)
		assert_true(counts[i] > 100);
	/* Fresh for ever: another epoch has other points. */
	learn_data_view(&teacher, 1, 0, 5, 0, first);
	learn_data_view(&teacher, 1, 1, 5, 0, x);
	assert_memory_not_equal(x, first, sizeof(x));
}

static struct learn_outcome search(const struct learn_data *data,
				   struct learn_condition condition,
				   uint64_t seed)
{
	struct learn_outcome outcome;

	assert_int_equal(learn_search(data, &condition, seed, &go_on, &outcome),
			 0);
	assert_true(outcome.done);
	return outcome;
}

static void a_search_repeats_to_the_bit(void **state)
{
	const struct learn_condition condition = { ECHO_BATCH, 2, 32, 512, 1 };
	struct learn_outcome one = search(&digits, condition, 1);
	struct learn_outcome other = search(&digits, condition, 1);

	(void)state;
	assert_true(one.reached);
	assert_true(one.fresh == other.fresh);
	assert_int_equal(one.rate, other.rate);
	other = search(&digits, condition, 2);
	assert_true(one.fresh != other.fresh);
}

/* The engine counts, not the condition: e, lag and duplicates. */
static void it_says_what_the_engine_counted(void **state)
{
	struct learn_outcome outcome =
		search(&digits,
		       (struct learn_condition){ ECHO_BATCH, 3, 32, 64, 1 }, 1);

	(void)state;
	assert_true(fabs(outcome.mean_factor - 3) < 0.01);
	assert_true(outcome.mean_lag_steps == 1);
	assert_true(outcome.duplicates == 0);
	outcome = search(&digits,
			 (struct learn_condition){ ECHO_EXAMPLE_BEFORE_AUGMENT,
						   2, 32, 512, 1 },
			 1);
	/* 512 / 32 apart, less at the end of an epoch, when the buffer
	 * drains. */
	assert_true(outcome.mean_lag_steps > 10 && outcome.mean_lag_steps < 16);
}

/* With the shuffle as it is, copies augmented anew need no more fresh
 * examples than copies of the same pixels, in the mean over seeds. */
static void copies_augmented_anew_are_worth_more(void **state)
{
	double before = 0, after = 0, none = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		none += search(&digits,
			       (struct learn_condition){ ECHO_NONE, 1, 32, 512,
							 1 },
			       seed)
				.fresh;
		before += search(&digits,
				 (struct learn_condition){
					 ECHO_EXAMPLE_BEFORE_AUGMENT, 4, 32,
					 512, 1 },
				 seed)
				  .fresh;
		after += search(&digits,
				(struct learn_condition){
					ECHO_EXAMPLE_AFTER_AUGMENT, 4, 32, 512,
					1 },
				seed)
				 .fresh;
	}
	assert_true(before < after);
	assert_true(after < none);
}

/* What lies between two looks is below 2 % of all steps, or is a single step,
 * whatever a strategy reads between two of them. */
static void all_strategies_are_looked_at_alike(void **state)
{
	static const struct learn_condition conditions[] = {
		{ ECHO_NONE, 1, 32, 512, 1 },
		{ ECHO_BATCH, 4, 32, 512, 1 },
		{ ECHO_EXAMPLE_BEFORE_AUGMENT, 16, 32, 512, 1 },
		{ ECHO_NONE, 1, 512, 512, 1 },
		{ ECHO_BATCH, 2, 8, 512, 1 },
	};
	struct learn_outcome outcome;
	double between, steps;

	(void)state;
	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++) {
		outcome = search(&digits, conditions[i], 1);
		assert_true(outcome.reached);
		between = (double)outcome.steps_between_looks;
		steps = outcome.fresh * conditions[i].factor /
			conditions[i].batch;
		assert_true(fabs((double)outcome.steps / steps - 1) < 0.05);
		if (between > 1 && between > 0.02 * steps)
			fail_msg("%s:%g: looked after %g of %g steps",
				 echo_place_name(conditions[i].place),
				 conditions[i].factor, between, steps);
	}
}

static void a_stopped_search_is_not_done(void **state)
{
	const atomic_bool stop = true;
	const struct learn_condition condition = { ECHO_NONE, 1, 32, 512, 1 };
	struct learn_outcome outcome;

	(void)state;
	assert_int_equal(learn_search(&digits, &condition, 1, &stop, &outcome),
			 0);
	assert_false(outcome.done);
	assert_false(outcome.reached);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_digits_are_all_there),
		cmocka_unit_test(a_view_is_the_same_whenever_it_is_asked_for),
		cmocka_unit_test(views_stay_near_their_image),
		cmocka_unit_test(every_class_of_the_teacher_is_taught),
		cmocka_unit_test(a_search_repeats_to_the_bit),
		cmocka_unit_test(it_says_what_the_engine_counted),
		cmocka_unit_test(copies_augmented_anew_are_worth_more),
		cmocka_unit_test(all_strategies_are_looked_at_alike),
		cmocka_unit_test(a_stopped_search_is_not_done),
	};

	return cmocka_run_group_tests(tests, open_sets, close_sets);
}
