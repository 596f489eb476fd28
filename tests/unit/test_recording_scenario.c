/* SPDX-License-Identifier: MIT */
/* The scenario of a recording, as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/mistake.h"
#include "traces/recording/scenario.h"

static void a_strategy_is_told_as_it_is_asked_for(void **state)
{
	static const char *const asked[] = {
		"none",
		"batch:2",
		"example-before-augment:1.5",
		"example-after-augment:3",
		"batch:when-starved:4",
	};
	static struct scenario scenario;
	struct fault fault = { 0 };
	char told[64], *text;
	struct echo echo;
	size_t i, size;

	(void)state;
	assert_int_equal(scenario_parse(&scenario, "least", MISTAKE_LEAST,
					strlen(MISTAKE_LEAST), NULL, 0, &fault),
			 0);
	for (i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		assert_int_equal(scenario_parse_echo(asked[i], &echo, &fault),
				 0);
		text = recording_describe(&scenario, &echo, NULL, &size);
		assert_non_null(text);
		assert_string_equal(
			recording_strategy(text, told, sizeof(told)), asked[i]);
		free(text);
	}
}

static void what_has_no_strategy_tells_none(void **state)
{
	char told[64];

	(void)state;
	assert_string_equal(recording_strategy("", told, sizeof(told)), "");
	assert_string_equal(recording_strategy("{\n\"echosim\": \"import\"\n}",
					       told, sizeof(told)),
			    "");
	assert_string_equal(
		recording_strategy("{\n\"echo.place\": \"batch\"\n}", told, 4),
		"bat");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_strategy_is_told_as_it_is_asked_for),
		cmocka_unit_test(what_has_no_strategy_tells_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
