/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "sim/printable.h"

/* The encodings are those of the Unicode standard, table 3-7. */
static const struct {
	const char *text, *shown;
} cases[] = {
	{ "", "" },
	{ "plain ~ words", "plain ~ words" },
	{ "Zu\u0308rich \u20ac \U0001F600", "Zu\u0308rich \u20ac \U0001F600" },
	{ "\033[31mred\033[m", "?[31mred?[m" },
	{ "one\ntwo\r\tthree\177", "one?two??three?" },
	/* CSI and OSC as single characters: of Unicode, and as bytes alone. */
	{ "a\302\2332Jb\302\237", "a?2Jb?" },
	{ "a\2332Jb", "a?2Jb" },
	{ "\302\240", "\302\240" },
	/* Cut short, too long for what they say, beyond the last. */
	{ "\342\202", "??" },
	{ "\300\233", "??" },
	{ "\365\200\200\200", "????" },
	{ "\342\202\033", "???" },
};

static void nothing_that_a_terminal_obeys_is_shown(void **state)
{
	char text[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text), "%s", cases[i].text);
		printable(text);
		assert_string_equal(text, cases[i].shown);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_that_a_terminal_obeys_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
