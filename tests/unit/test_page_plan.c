/* SPDX-License-Identifier: MIT */
/* The page of a plan, and what tables of pages leave out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/page/page.h"
#include "analysis/page/table.h"
#include "analysis/version.h"

#define HOSTILE "</script><script>alert(1)</script><b onclick='x'>"

#define PLAN(word, rows)                                                       \
	"{\"echosim\": \"" ECHOSIM_VERSION "\", \"complete\": true, "          \
	"\"goal\": {\"metric\": \"au\", \"bound\": 0.9, "                      \
	"\"text\": \"" word "\"}, \"now\": {\"figure\": 0.45, "                \
	"\"reached\": false, \"binding\": \"" word "\"}, "                     \
	"\"advice\": \"" word "\", \"plan\": [" rows "]}"

#define ROW(way, key, unit, rest)                                              \
	"{\"way\": \"" way "\", \"key\": \"" key "\", \"unit\": \"" unit       \
	"\", \"figure\": 0.91, \"binding\": \"decode\", " rest "}"

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
	return page;
}

static void has(const char *page, const char *part)
{
	if (!strstr(page, part))
		fail_msg("%s is not in the page", part);
}

static void has_not(const char *page, const char *part)
{
	if (strstr(page, part))
		fail_msg("%s is in the page", part);
}

static void a_plan_has_its_answers_in_units_that_people_read(void **state)
{
	char *page = page_from(PLAN(
		"au>=0.9",
		ROW("alone", "storage.device.bandwidth", "B/s",
		    "\"reached\": true, \"advised\": true, "
		    "\"now\": 131072000, "
		    "\"value\": 264500000") ", " ROW("alone",
						     "storage.device.iops", "",
						     "\"reached\": false, "
						     "\"now\": 3000")));

	(void)state;
	has(page, "<dd>au&gt;=0.9</dd><dd class=\"about\">not met as it is");
	has(page, "<dt>au, as it is</dt><dd>0.4500</dd>");
	has(page, "<p class=\"advice\">au&gt;=0.9</p>");
	has(page, "<tr class=\"best\"><th scope=\"row\">"
		  "storage.device.bandwidth</th><td>131.1 MB/s</td>"
		  "<td>264.5 MB/s</td>");
	has(page, "<tr><th scope=\"row\">storage.device.iops</th>"
		  "<td>3000</td><td>not in its range</td>");
	has(page, "the figures are those of its upper end");
	has(page, "[\"as it is\", \"device.bandwidth 264.5 MB/s\", "
		  "\"device.iops at most\"]");
	has(page, "{\"x\": 0.9, \"text\": \"goal\"}");
	/* Nothing costs anything, and units are not a column. */
	has_not(page, "cost an hour");
	has_not(page, ">unit<");
	free(page);
}

static void a_priced_plan_says_what_it_costs(void **state)
{
	char *page = page_from(
		"{\"echosim\": \"" ECHOSIM_VERSION "\", \"complete\": true, "
		"\"goal\": {\"metric\": \"au\", \"text\": \"au>=0.9\"}, "
		"\"now\": {\"cost\": 19.21, \"cost_per_epoch\": 5.988, "
		"\"currency\": \"USD\", \"cost_lacks\": \"hosts\"}, "
		"\"plan\": [" ROW("together", "a.b.c", "",
				  "\"reached\": true, \"value\": 7, "
				  "\"cost\": 19.17, "
				  "\"cost_per_epoch\": 2.961") "]}");

	(void)state;
	has(page, "<dt>Cost an hour, USD</dt><dd>19.21</dd>"
		  "<dd class=\"about\">5.988 an epoch");
	has(page, "for want of prices: hosts</li>");
	has(page, "cost an epoch");
	has(page, "<td class=\"number\">2.961</td>");
	has(page, "[\"as it is\", \"together\"]");
	free(page);
}

static void a_hostile_plan_is_shown_and_not_run(void **state)
{
	char *page = page_from(
		PLAN(HOSTILE, ROW(HOSTILE, "k", "", "\"note\": 1") ", " ROW(
				      "alone", HOSTILE, HOSTILE,
				      "\"reached\": true, \"now\": \"x\", "
				      "\"value\": [], "
				      "\"note\": \"" HOSTILE
				      "\"") ", 7, null, [], "
					    "{\"way\": \"most\"}"));

	(void)state;
	has_not(page, "<b onclick");
	has_not(page, "<script>alert");
	free(page);
}

static struct metric_value holed_cell(const void *context, size_t row,
				      size_t column)
{
	(void)context;
	if (column == 1)
		return value_unknown();
	if (column == 2)
		return value_text("");
	return column == 3 && !row ? value_unknown() : value_text("word");
}

static void columns_that_are_empty_throughout_are_left_out(void **state)
{
	const struct grid_column columns[] = {
		{ "name", METRIC_TEXT, "", NULL, FOR_ALL },
		{ "unknown", METRIC_REAL, "", NULL, FOR_ALL },
		{ "blank", METRIC_TEXT, "", NULL, FOR_ALL },
		{ "holed", METRIC_TEXT, "", NULL, FOR_ALL },
	};
	const struct grid grid = { .columns = columns,
				   .column_count = 4,
				   .row_count = 2,
				   .cell = holed_cell };
	char *page = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&page, &size);

	(void)state;
	page_table(out, &grid, "", SIZE_MAX);
	fclose(out);
	has_not(page, "unknown");
	has_not(page, "blank");
	has_not(page, "caption");
	has(page, "<th scope=\"row\">word</th><td>–</td></tr>");
	has(page, "<th scope=\"row\">word</th><td>word</td></tr>");
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_plan_has_its_answers_in_units_that_people_read),
		cmocka_unit_test(a_priced_plan_says_what_it_costs),
		cmocka_unit_test(a_hostile_plan_is_shown_and_not_run),
		cmocka_unit_test(
			columns_that_are_empty_throughout_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
