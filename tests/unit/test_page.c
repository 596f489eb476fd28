/* SPDX-License-Identifier: MIT */
/* A page of a result: what is in it, and what must not be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/metric.h"
#include "analysis/page/page.h"
#include "analysis/page/texts.h"
#include "analysis/version.h"

#define HOSTILE "</script><script>alert(1)</script><b onclick='x'>&\\\""

/* A result as a file could have it, every text of it hostile. */
#define RESULT(name, detail)                                                   \
	"{\"echosim\": \"" ECHOSIM_VERSION "\", \"scenario\": {\"name\": "     \
	"\"" name "\"}, \"runs\": [{\"mode\": \"sim\", \"strategy\": "         \
	"{\"place\": \"" name "\", \"factor\": 2, \"policy\": \"fixed\"}, "    \
	"\"au\": 0.123456, \"useful_au\": 0.5, \"efficiency\": 0.5, "          \
	"\"rank\": \"best\", \"stalls\": {\"fetch\": 0.25}, "                  \
	"\"bottleneck\": {\"resource\": \"" name "\"}, "                       \
	"\"stages\": [{\"name\": \"" name "\", \"utilisation\": 0.75}]"        \
	", \"detail\": " detail "}], \"notes\": [\"" name "\"], "              \
	"\"host\": {\"command\": \"" name "\"}}"

#define ROWS(name, values)                                                     \
	"[{\"name\": \"" name "\", \"what\": \"" name "\", \"most\": 4, "      \
	"\"mean\": " values "}]"

#define DETAIL(name, from, to, values, steps)                                  \
	"{\"latency\": [{\"share\": 0.5, \"s\": 0.001}], \"stretches\": "      \
	"[{\"name\": \"" name "\", \"from_s\": " from ", \"to_s\": " to        \
	", \"cut\": true, \"rows\": " ROWS(name, values) ", \"steps\": " steps \
							 "}]}"

static char *page_from(const char *text)
{
	struct fault fault = { 0 };
	struct node *root;
	char *page = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&page, &size);

	assert_int_equal(document_parse(&root, text, strlen(text), &fault), 0);
	assert_int_equal(document_check(root, &fault), 0);
	assert_int_equal(page_write(out, root), 0);
	fclose(out);
	node_free(root);
	assert_int_equal(strlen(page), size);
	return page;
}

static size_t count_of(const char *text, const char *part)
{
	size_t count = 0;

	while ((text = strstr(text, part)) != NULL) {
		count++;
		text += strlen(part);
	}
	return count;
}

static void whatever_a_file_says_is_shown_and_not_run(void **state)
{
	char *page =
		page_from(RESULT(HOSTILE, DETAIL(HOSTILE, "0", "2", "[1, 2]",
						 "[[[0, 0, 1, 2]]]")));
	char *plain =
		page_from(RESULT("plain", DETAIL("plain", "0", "2", "[1, 2]",
						 "[[[0, 0, 1, 2]]]")));

	(void)state;
	assert_null(strstr(page, "<script>alert"));
	assert_null(strstr(page, "<b onclick"));
	assert_non_null(strstr(page, "&lt;/script&gt;&lt;script&gt;alert(1)"));
	/* Not one element more than with plain words. */
	assert_int_equal(count_of(page, "<script"), count_of(plain, "<script"));
	assert_int_equal(count_of(page, "</script>"),
			 count_of(plain, "</script>"));
	free(page);
	free(plain);
}

static void a_page_carries_all_it_needs_and_fetches_nothing(void **state)
{
	char *page = page_from(RESULT("plain", "null"));
	size_t i;

	(void)state;
	assert_int_equal(page_texts.count, 3);
	for (i = 0; i < page_texts.count; i++) {
		assert_non_null(strstr(page, page_texts.files[i].text));
		/* It lies in a script or a style, and must not end that. */
		assert_null(strstr(page_texts.files[i].text, "</"));
		assert_null(strstr(page_texts.files[i].text, "<!--"));
		assert_null(
			strstr(page_texts.files[i].text, "sourceMappingURL"));
	}
	assert_non_null(strstr(page, "Chart.js v3"));
	assert_null(strstr(page, " src="));
	assert_null(strstr(page, "href=\"http"));
	assert_null(strstr(page, "@import"));
	assert_null(strstr(page, "url("));
	assert_non_null(strstr(page, "default-src 'none'"));
	free(page);
}

static void every_figure_is_in_the_page(void **state)
{
	char *page = page_from(RESULT("plain", "null"));
	char cell[160];
	size_t i;

	(void)state;
	for (i = 0; i < metric_count; i++) {
		if (metric_table[i].kind == METRIC_PART ||
		    metric_table[i].live_only)
			continue;
		snprintf(cell, sizeof(cell), ">%s</th>", metric_table[i].name);
		assert_non_null(strstr(page, cell));
	}
	free(page);
}

static void numbers_are_as_they_shall_be_read(void **state)
{
	char *page = page_from(RESULT("plain", "null"));

	(void)state;
	/* In the tile, in the table, and for the chart. */
	assert_non_null(strstr(page, "<dd>12.3 %</dd>"));
	assert_non_null(strstr(page, "<td class=\"number\">12.3</td>"));
	assert_non_null(
		strstr(page, "{\"value\": 12.3456, \"text\": \"12.3\"}"));
	/* What is not known. */
	assert_non_null(
		strstr(page, "{\"value\": null, \"text\": \"not known\"}"));
	assert_non_null(strstr(page, "<tr class=\"best\">"));
	free(page);
}

/* Details that no run has: drawn within bounds, or left out. */
static const struct odd {
	const char *detail;
	bool drawn;
} odd[] = {
	{ DETAIL("x", "0", "2", "[1, 2, 3]", "[[[0, 0, 1, 2]]]"), true },
	{ DETAIL("x", "0", "2", "[1e300, -5, \"a\", null]", "[]"), true },
	{ DETAIL("x", "0", "2", "[1]", "[[[0], 7, [], \"a\"], 3, [[1, 9e99]]]"),
	  true },
	{ DETAIL("x", "1e9", "1000000001", "[1]", "[]"), true },
	{ DETAIL("x", "0", "2", "[]", "{}"), true },
	{ DETAIL("x", "2", "2", "[1]", "[]"), false },
	{ DETAIL("x", "3", "2", "[1]", "[]"), false },
	{ DETAIL("x", "-1", "2", "[1]", "[]"), false },
	{ DETAIL("x", "0", "1e300", "[1]", "[]"), false },
	{ DETAIL("x", "0", "1e-30", "[1]", "[]"), false },
	{ DETAIL("x", "\"a\"", "[]", "[1]", "[]"), false },
	{ "{\"stretches\": [1, \"a\", {}], \"levels\": 3, \"latency\": {}}",
	  false },
	{ "7", false },
};

static void odd_details_are_drawn_within_bounds_or_not_at_all(void **state)
{
	char text[4096];
	char *page;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		snprintf(text, sizeof(text), RESULT("plain", "%s"),
			 odd[i].detail);
		page = page_from(text);
		if (!strstr(page, "<figure class=\"bands\">") == odd[i].drawn)
			print_message("%s\n", odd[i].detail);
		assert_true(!strstr(page, "<figure class=\"bands\">") !=
			    odd[i].drawn);
		assert_null(strstr(page, "nan"));
		assert_null(strstr(page, "inf\""));
		free(page);
	}
}

static void a_sweep_has_a_curve_for_every_way_to_fix_the_rest(void **state)
{
#define POINT(count, echo, au)                                                 \
	"{\"at\": {\"accelerator.count\": " count ", \"echo\": \"" echo "\"}," \
	" \"run\": {\"mode\": \"sim\", \"strategy\": {\"place\": \"none\"}, "  \
	"\"au\": " au "}}"
	char *page =
		page_from(
			"{\"echosim\": \"" ECHOSIM_VERSION
			"\", \"axes\": [{\"key\": "
			"\"accelerator.count\", \"unit\": \"\"}, {\"key\": "
			"\"echo\", "
			"\"unit\": \"\"}], \"points\": [" POINT("1", "none", "0.9") ", " POINT(
				"1", "batch:2",
				"1") ", " POINT("2", "none",
						"0.45") ", " POINT("2",
								   "batch:2",
								   "0"
								   "."
								   "9") "], "
									"\"knee"
									"s\": "
									"[{"
									"\"key"
									"\": "
									"\"acce"
									"lerato"
									"r."
									"count"
									"\", "
									"\"valu"
									"e\": "
									"2}]}");

	(void)state;
	assert_int_equal(count_of(page, "\"name\": \"echo=none\""), 1);
	assert_int_equal(count_of(page, "\"name\": \"echo=batch:2\""), 1);
	assert_non_null(
		strstr(page, "{\"x\": 2, \"y\": 45, \"text\": \"2: 45.0 %\"}"));
	assert_non_null(strstr(page, "{\"x\": 2, \"text\": \"knee\"}"));
	assert_non_null(strstr(page, "accelerator.count=1, echo=none"));
	free(page);
}

/* An echo of 8 keeps accelerators busy with what was read long ago. */
static void without_a_law_no_strategy_is_first_for_its_au(void **state)
{
#define STRATEGY(echo, place, au, fresh, law)                                  \
	"{\"at\": {\"echo\": \"" echo "\"}, \"run\": {\"mode\": \"sim\", "     \
	"\"strategy\": {\"place\": \"" place "\"}, \"au\": " au                \
	", \"fresh_examples_per_s\": " fresh law "}}"
#define STRATEGIES(of_none, of_batch)                                          \
	"{\"echosim\": \"" ECHOSIM_VERSION                                     \
	"\", \"axes\": [{\"key\": \"echo\", \"unit\": \"\"}], \"points\": "    \
	"[" STRATEGY("none", "none", "0.3", "100", of_none) ", " STRATEGY(     \
		"batch:8", "batch", "1", "50", of_batch) "]}"
	char *page = page_from(STRATEGIES("", ""));

	(void)state;
	assert_non_null(strstr(page, "<dd>echo=none</dd>"));
	assert_null(strstr(page, "<dd>echo=batch:8</dd>"));
	assert_non_null(strstr(page, "useful AU is not known"));
	free(page);
	/* With one, what is useful decides. */
	page = page_from(
		STRATEGIES(", \"efficiency\": 1, \"useful_au\": 0.3",
			   ", \"efficiency\": 0.9, \"useful_au\": 0.9"));
	assert_non_null(strstr(page, "<dd>echo=batch:8</dd>"));
	assert_null(strstr(page, "useful AU is not known"));
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_a_file_says_is_shown_and_not_run),
		cmocka_unit_test(
			a_page_carries_all_it_needs_and_fetches_nothing),
		cmocka_unit_test(every_figure_is_in_the_page),
		cmocka_unit_test(numbers_are_as_they_shall_be_read),
		cmocka_unit_test(
			odd_details_are_drawn_within_bounds_or_not_at_all),
		cmocka_unit_test(
			a_sweep_has_a_curve_for_every_way_to_fix_the_rest),
		cmocka_unit_test(without_a_law_no_strategy_is_first_for_its_au),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
