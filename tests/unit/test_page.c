/* SPDX-License-Identifier: MIT */
/* A page of a document: what is in it, and what must not be. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/document/document.h"
#include "analysis/page/texts.h"
#include "analysis/version.h"
#include "tests/support/printed.h"

#define HOSTILE "</script><script>alert(1)</script><b onclick='x'>&\\\""

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
	struct document *document;

	if (document_parse(&document, text, strlen(text), &fault))
		fail_msg("%s", fault.text);
	return printed(document, "html");
}

/* The page of a document whose only view is of these details. */
static char *page_of_details(const char *detail)
{
	char text[4096];

	snprintf(text, sizeof(text),
		 "{\"echosim\": \"" ECHOSIM_VERSION "\", \"detail\": %s, "
		 "\"document\": {\"views\": [{\"view\": \"chart\", \"path\": "
		 "\"detail\", \"chart\": {\"kind\": \"bands\"}}]}}",
		 detail);
	return page_from(text);
}

static void add_row(struct document *document, struct node *rows,
		    const char *word, double au, const char *rank)
{
	struct node *item = document_item(document, rows);

	document_set(document, item, "name", METRIC_TEXT, value_text(word));
	document_set(document, item, "au", METRIC_REAL, value_real(au));
	document_set(document, item, "rank", METRIC_TEXT, value_text(rank));
}

/* Every kind of view and of chart, every text of them the word. */
static char *page_with(const char *word)
{
	const struct view_column columns[] = {
		{ .path = "name",
		  .kind = METRIC_TEXT,
		  .unit = "",
		  .heading = word,
		  .help = word },
		COLUMN("au", METRIC_REAL, "%", word),
	};
	struct document *document = document_new();
	struct node *rows =
		document_list(document, document_data(document), "rows");
	struct view view = { .id = "id",
			     .title = word,
			     .about = word,
			     .label = "name",
			     .best = "rank",
			     .columns = columns,
			     .column_count = 2,
			     .chart = { .x = "au",
					.y = "au",
					.text = "name",
					.x_title = word,
					.y_title = word,
					.y_unit = "%" } };
	int kind;

	document_name(document, word, word);
	add_row(document, rows, word, 0.123456, "best");
	add_row(document, rows, word, NAN, "");
	document_note(document, "notes", "%s", word);
	for (kind = 0; kind < VIEW_KIND_COUNT; kind++) {
		view.kind = (enum view_kind)kind;
		view.path = kind == VIEW_FACTS || kind == VIEW_TILES ?
				    "rows.0" :
			    kind == VIEW_NOTES ? "notes" :
						 "rows";
		document_view(document, &view);
	}
	view.kind = VIEW_CHART;
	for (kind = 0; kind < VIEW_CHART_KIND_COUNT; kind++) {
		view.chart.kind = (enum view_chart_kind)kind;
		document_view(document, &view);
	}
	return printed(document, "html");
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
	char *page = page_with(HOSTILE);
	char *plain = page_with("plain");

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
	char *page = page_with("plain");
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

static void numbers_are_as_they_shall_be_read(void **state)
{
	char *page = page_with("plain");

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
	assert_non_null(strstr(page, "\"text\": \"0.1235: 12.3 %, plain\""));
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
	char *page;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		page = page_of_details(odd[i].detail);
		if (!strstr(page, "<figure class=\"bands\">") == odd[i].drawn)
			print_message("%s\n", odd[i].detail);
		assert_true(!strstr(page, "<figure class=\"bands\">") !=
			    odd[i].drawn);
		assert_null(strstr(page, "nan"));
		assert_null(strstr(page, "inf\""));
		free(page);
	}
}

static void columns_that_are_empty_throughout_are_left_out(void **state)
{
	char *page = page_from(
		"{\"echosim\": \"" ECHOSIM_VERSION "\", \"rows\": [{\"name\": "
		"\"word\", \"blank\": \"\"}, {\"name\": \"word\", \"holed\": "
		"\"word\"}], \"document\": {\"views\": [{\"view\": \"table\", "
		"\"path\": \"rows\", \"columns\": [{\"path\": \"name\"}, "
		"{\"path\": \"absent\", \"kind\": \"real\"}, {\"path\": "
		"\"blank\"}, {\"path\": \"holed\"}]}]}}");
	const char *table = strstr(page, "<table>");
	const char head[] = "<table>\n<thead><tr><th scope=\"col\">name</th>"
			    "<th scope=\"col\">holed</th></tr>";

	(void)state;
	assert_non_null(table);
	assert_int_equal(strncmp(table, head, strlen(head)), 0);
	assert_non_null(
		strstr(table, "<th scope=\"row\">word</th><td>–</td></tr>"));
	assert_non_null(
		strstr(table, "<th scope=\"row\">word</th><td>word</td></tr>"));
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_a_file_says_is_shown_and_not_run),
		cmocka_unit_test(
			a_page_carries_all_it_needs_and_fetches_nothing),
		cmocka_unit_test(numbers_are_as_they_shall_be_read),
		cmocka_unit_test(
			odd_details_are_drawn_within_bounds_or_not_at_all),
		cmocka_unit_test(
			columns_that_are_empty_throughout_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
