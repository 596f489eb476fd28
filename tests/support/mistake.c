/* SPDX-License-Identifier: MIT */
#include "tests/support/mistake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "traces/scenario.h"

void mistake_check(const struct mistake *mistake, const char *file,
		   const struct fault *fault)
{
	assert_string_equal(fault->text, mistake->says);
	assert_string_equal(fault->file, file);
	assert_int_equal(fault->line, mistake->line);
}

void mistake_files(const struct mistake *mistakes, size_t count)
{
	static struct scenario scenario;
	size_t i;

	for (i = 0; i < count; i++) {
		const char *text = mistakes[i].text;
		struct fault fault = { 0 };

		assert_int_equal(scenario_parse(&scenario, "a.yaml", text,
						strlen(text), NULL, 0, &fault),
				 -EINVAL);
		mistake_check(&mistakes[i], "a.yaml", &fault);
	}
}

void mistake_overrides(const struct mistake *mistakes, size_t count)
{
	static struct scenario scenario;
	size_t i;

	for (i = 0; i < count; i++) {
		bool whole = mistakes[i].line == MISTAKE_WHOLE;
		struct mistake mistake = mistakes[i];
		struct fault fault = { 0 };

		mistake.line = 0;
		assert_int_equal(scenario_parse(&scenario, "a.yaml",
						MISTAKE_LEAST,
						strlen(MISTAKE_LEAST),
						&mistake.text, 1, &fault),
				 -EINVAL);
		mistake_check(&mistake, whole ? "a.yaml" : "--set", &fault);
	}
}
