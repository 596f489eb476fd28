/* SPDX-License-Identifier: MIT */
/* What did the person mean? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "traces/nearest.h"

static size_t slips(const char *one, const char *other)
{
	return nearest_slips(one, strlen(one), other, strlen(other));
}

static void slips_are_counted(void **state)
{
	(void)state;
	assert_int_equal(slips("", ""), 0);
	assert_int_equal(slips("rate", "rate"), 0);
	assert_int_equal(slips("", "rate"), 4);
	assert_int_equal(slips("rate", ""), 4);
	assert_int_equal(slips("rat", "rate"), 1);
	assert_int_equal(slips("ratte", "rate"), 1);
	assert_int_equal(slips("rats", "rate"), 1);
	/* Two letters swapped are one slip, not two. */
	assert_int_equal(slips("rtae", "rate"), 1);
	/* Another manner of writing is none. */
	assert_int_equal(slips("Batch-Size", "batch_size"), 0);
	/* Textbook values of the (restricted) distance. */
	assert_int_equal(slips("kitten", "sitting"), 3);
	assert_int_equal(slips("saturday", "sunday"), 3);
	assert_int_equal(slips("ca", "abc"), 3);
}

static void slips_are_the_same_both_ways(void **state)
{
	static const char *const words[] = {
		"workers", "worekrs", "time", "", "item", "batch_size"
	};
	size_t count = sizeof(words) / sizeof(words[0]);
	size_t i, j;

	(void)state;
	for (i = 0; i < count; i++)
		for (j = 0; j < count; j++)
			assert_int_equal(slips(words[i], words[j]),
					 slips(words[j], words[i]));
}

static void an_endless_word_is_far_from_everything(void **state)
{
	char endless[1000];

	(void)state;
	memset(endless, 'a', sizeof(endless) - 1);
	endless[sizeof(endless) - 1] = '\0';
	assert_true(slips(endless, "rate") > NEAREST_WORD_MAX);
	assert_true(slips("rate", endless) > NEAREST_WORD_MAX);
}

static void the_nearest_name_is_found(void **state)
{
	static const char *const names[] = { "bandwidth", "iops", "latency",
					     "io_unit", NULL };
	static const char *const shorts[] = { "max", NULL };

	(void)state;
	assert_string_equal(nearest_name("bandwith", names), "bandwidth");
	assert_string_equal(nearest_name("iosp", names), "iops");
	assert_string_equal(nearest_name("lattency", names), "latency");
	assert_string_equal(nearest_name("mx", shorts), "max");
	assert_string_equal(nearest_name("band", names), "bandwidth");
	assert_string_equal(nearest_name("io_", names), "io_unit");
	assert_null(nearest_name("ba", names));
	assert_null(nearest_name("price", names));
	assert_null(nearest_name("", names));
}

static void of_equally_near_names_the_first_is_taken(void **state)
{
	static const char *const names[] = { "p90", "p99", NULL };

	(void)state;
	assert_string_equal(nearest_name("p95", names), "p90");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slips_are_counted),
		cmocka_unit_test(slips_are_the_same_both_ways),
		cmocka_unit_test(an_endless_word_is_far_from_everything),
		cmocka_unit_test(the_nearest_name_is_found),
		cmocka_unit_test(of_equally_near_names_the_first_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
