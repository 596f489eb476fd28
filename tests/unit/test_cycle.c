/* SPDX-License-Identifier: MIT */
/* A cycle in a scenario: values in turn, by the number of what they are of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mistake.h"
#include "traces/scenario.h"

#define MOST 32768

static struct scenario scenario;

static void set(const char *assignment)
{
	struct fault fault = { 0 };

	if (scenario_set(&scenario, assignment, &fault))
		fail_msg("%s: %s", assignment, fault.text);
}

static int64_t drawn(const struct scenario *from, uint64_t number)
{
	static const struct random_stream any = { 7 };

	return distribution_draw_at(&from->stages[STAGE_DECODE].time_ns, any,
				    number);
}

static void a_cycle_is_its_values_in_turn(void **state)
{
	static const char text[] = MISTAKE_LEAST
		"pipeline: {decode: {time: {dist: cycle, values: "
		"[160 ms, 10 ms, 5 us]}}}\n";
	static struct scenario copy;
	struct fault fault = { 0 };

	(void)state;
	assert_int_equal(scenario_parse(&scenario, "a.yaml", text, strlen(text),
					NULL, 0, &fault),
			 0);
	copy = scenario;
	set("pipeline.decode.time={dist: cycle, values: [1 ms, 2 ms]}");
	assert_int_equal(drawn(&scenario, 0), 1000000);
	assert_int_equal(drawn(&scenario, 3), 2000000);
	set("pipeline.decode.time.values=[7 ms]");
	assert_int_equal(drawn(&scenario, 3), 7000000);

	assert_int_equal(drawn(&copy, 0), 160000000);
	assert_int_equal(drawn(&copy, 4), 10000000);
	assert_int_equal(drawn(&copy, 5), 5000);
	assert_true(distribution_mean(&copy.stages[STAGE_DECODE].time_ns) ==
		    170005000.0 / 3);
}

/* Reads a scenario with a cycle of so many values. */
static int read_many(int count, struct fault *fault)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int error;

	assert_non_null(out);
	fputs(MISTAKE_LEAST "pipeline: {decode: {time: {dist: cycle, values: [",
	      out);
	for (int i = 0; i < count; i++)
		fprintf(out, "%s%d ms", i ? "," : "", i % 10);
	fputs("]}}}\n", out);
	assert_int_equal(fclose(out), 0);
	error = scenario_parse(&scenario, "a.yaml", text, size, NULL, 0, fault);
	free(text);
	return error;
}

static void a_cycle_has_thousands_of_values_and_a_ceiling(void **state)
{
	struct fault fault = { 0 };

	(void)state;
	assert_int_equal(read_many(MOST, &fault), 0);
	assert_int_equal(drawn(&scenario, MOST - 1), (MOST - 1) % 10 * 1000000);
	assert_int_equal(drawn(&scenario, MOST), 0);
	assert_int_equal(read_many(MOST + 1, &fault), -EINVAL);
	assert_string_equal(fault.text, "pipeline.decode.time.values: expected "
					"a list of 1 to 32768 values");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cycle_is_its_values_in_turn),
		cmocka_unit_test(a_cycle_has_thousands_of_values_and_a_ceiling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
