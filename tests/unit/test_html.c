/* SPDX-License-Identifier: MIT */
/* Texts from anywhere, within a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/page/html.h"

#define CLOSING "</script><script>alert(1)</script><!--"

static char written[512];

static FILE *open_written(void)
{
	FILE *out = fmemopen(written, sizeof(written), "w");

	written[0] = '\0';
	assert_non_null(out);
	return out;
}

static const char *text_of(const char *text)
{
	FILE *out = open_written();

	html_text(out, text);
	fclose(out);
	return written;
}

static const char *json_text_of(const char *text)
{
	FILE *out = open_written();

	html_json_text(out, text);
	fclose(out);
	return written;
}

static void a_text_is_shown_and_never_a_tag(void **state)
{
	(void)state;
	assert_string_equal(text_of("<b>&\"'"), "&lt;b&gt;&amp;&quot;&#39;");
	assert_null(strchr(text_of(CLOSING), '<'));
	assert_string_equal(text_of("µ, batch:2"), "µ, batch:2");
	assert_string_equal(text_of(""), "");
}

static void a_string_in_a_script_cannot_end_it(void **state)
{
	(void)state;
	assert_null(strchr(json_text_of(CLOSING), '<'));
	assert_string_equal(json_text_of("a<b"), "\"a\\u003cb\"");
}

static void a_string_in_a_script_stays_json(void **state)
{
	(void)state;
	assert_string_equal(json_text_of("say \"a\\b\"\n\x01"),
			    "\"say \\\"a\\\\b\\\"\\u000a\\u0001\"");
}

static void json_in_a_script_cannot_end_it(void **state)
{
	const char json[] = "{\"name\": \"" CLOSING "\"}";
	FILE *out = open_written();

	(void)state;
	html_json(out, json, strlen(json));
	fclose(out);
	assert_null(strchr(written, '<'));
	assert_non_null(strstr(written, "\\u003c/script>"));
}

static void what_is_not_known_is_null(void **state)
{
	FILE *out = open_written();

	(void)state;
	html_json_value(out, value_unknown());
	html_json_value(out, value_real(0.25));
	fclose(out);
	assert_string_equal(written, "null0.25");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_shown_and_never_a_tag),
		cmocka_unit_test(a_string_in_a_script_cannot_end_it),
		cmocka_unit_test(a_string_in_a_script_stays_json),
		cmocka_unit_test(json_in_a_script_cannot_end_it),
		cmocka_unit_test(what_is_not_known_is_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
