/* SPDX-License-Identifier: MIT */
/* Documents built, written and read back, and what is refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/document/document.h"
#include "analysis/print/print.h"
#include "analysis/version.h"
#include "tests/support/printed.h"

/* A document with these members of its data and these views. */
#define DOCUMENT(data, views)                                                  \
	"{\"echosim\": \"" ECHOSIM_VERSION "\", " data ", \"document\": "      \
	"{\"title\": \"t\", \"about\": \"a\", \"views\": [" views "]}}"
#define TABLE(columns)                                                         \
	"{\"view\": \"table\", \"path\": \"runs\", \"columns\": [" columns "]" \
	"}"
#define AU "{\"path\": \"au\", \"kind\": \"real\", \"unit\": \"%\"}"

static struct node *parsed(const char *text)
{
	struct fault fault = { 0 };
	struct node *root;

	assert_int_equal(node_parse(&root, text, strlen(text), &fault), 0);
	return root;
}

static void a_value_is_known_as_what_it_is_and_as_nothing_else(void **state)
{
	struct node *root = parsed("{\"a\": {\"count\": 3, \"real\": 0.5, "
				   "\"text\": \"x\", \"yes\": true, "
				   "\"none\": null}, \"list\": [1, 2]}");

	(void)state;
	assert_int_equal(
		node_value(node_at(root, "a.count"), METRIC_COUNT).count, 3);
	assert_true(node_value(node_at(root, "a.count"), METRIC_REAL).real ==
		    3);
	assert_true(node_real(root, "a.real") == 0.5);
	assert_false(node_value(node_at(root, "a.real"), METRIC_COUNT).known);
	assert_string_equal(node_text(root, "a.text"), "x");
	assert_null(node_text(root, "a.real"));
	assert_true(node_value(node_at(root, "a.yes"), METRIC_BOOL).real == 1);
	assert_null(node_at(root, "a.none"));
	assert_null(node_at(root, "a.text.deeper"));
	assert_int_equal(node_count(node_at(root, "list")), 2);
	assert_int_equal(node_count(node_at(root, "a")), 0);
	assert_null(node_item(node_at(root, "list"), 2));
	assert_true(node_real(root, "list.1") == 2);
	assert_null(node_at(root, "list.7"));
	assert_null(node_at(root, "list.x"));
	assert_null(node_at(NULL, "a"));
	assert_false(node_value(NULL, METRIC_REAL).known);
	node_free(root);
}

static void a_document_with_little_in_it_is_one(void **state)
{
	const char text[] =
		DOCUMENT("\"runs\": [{\"au\": null}, 7, null]", TABLE(AU));
	struct document *document;
	struct fault fault = { 0 };

	(void)state;
	assert_int_equal(document_parse(&document, text, strlen(text), &fault),
			 0);
	assert_string_equal(document_title(document), "t");
	assert_int_equal(document_view_count(document), 1);
	assert_string_equal(document_view_at(document, 0)->columns[0].path,
			    "au");
	document_free(document);
}

static const struct view_column shown[] = {
	{ .path = "name",
	  .kind = METRIC_TEXT,
	  .unit = "",
	  .heading = "two\nlines",
	  .audience = SEEN_BY_PEOPLE,
	  .warning = "bad;worse",
	  .help = "What it is." },
	COLUMN_FOR(SEEN_IN_CSV, "n", METRIC_COUNT, "B", NULL),
};

static const enum view_shade shades[] = { SHADE_FETCH, SHADE_OTHER };

/* One of every kind of view, each with every member that a view can have. */
static struct document *full_document(void)
{
	struct document *document = document_new();
	struct node *item;
	int kind;

	document_name(document, "title", "about");
	item = document_item(document,
			     document_list(document, document_data(document),
					   "rows"));
	document_set(document, item, "name", METRIC_TEXT, value_text("one"));
	document_set(document, item, "n", METRIC_COUNT, value_count(1));
	document_note(document, "notes", "note %d", 1);
	document_note(document, "notes", "note %d", 1);
	for (kind = 0; kind < VIEW_KIND_COUNT; kind++)
		document_view(document,
			      &(struct view){ .kind = (enum view_kind)kind,
					      .id = "id",
					      .title = "title",
					      .about = "about",
					      .path = "rows",
					      .where = "name",
					      .is = "one",
					      .label = "name",
					      .best = "rank",
					      .columns = shown,
					      .column_count = 2,
					      .chart = { .kind = CHART_STACKED,
							 .x = "n",
							 .y = "n",
							 .text = "name",
							 .marks = "rows",
							 .x_title = "x",
							 .x_unit = "s",
							 .y_title = "y",
							 .y_unit = "%",
							 .x_log = true,
							 .shades = shades } });
	document_fact(document, "fact", METRIC_REAL, "s", value_real(0.5));
	document_chief(document, "id");
	return document;
}

/* Every printer makes the same of a document and of what was read back. */
static void what_is_read_back_is_the_same_document(void **state)
{
	struct fault fault = { 0 };
	struct document *again;
	char *json, *one, *other;
	size_t i;

	(void)state;
	json = printed(full_document(), "json");
	for (i = 0; i < printer_count; i++) {
		assert_int_equal(
			document_parse(&again, json, strlen(json), &fault), 0);
		one = printed(full_document(), printer_table[i].name);
		other = printed(again, printer_table[i].name);
		assert_string_equal(one, other);
		free(one);
		free(other);
	}
	free(json);
}

static void a_note_is_there_once(void **state)
{
	struct document *document = full_document();

	(void)state;
	assert_int_equal(
		node_count(node_at(document_data_of(document), "notes")), 1);
	document_free(document);
}

static void without_memory_nothing_is_built_and_all_is_refused(void **state)
{
	(void)state;
	document_name(NULL, "a", "b");
	document_set(NULL, NULL, "a", METRIC_TEXT, value_text("b"));
	document_view(NULL, &(struct view){ .kind = VIEW_TABLE });
	document_fact(NULL, "a", METRIC_TEXT, "", value_text("b"));
	assert_null(document_item(NULL, document_list(NULL, NULL, "a")));
	assert_string_equal(document_text(NULL, "%d", 1), "");
	assert_int_equal(document_status(NULL), -ENOMEM);
	document_free(NULL);
}

/* What is refused, and the words that say why. */
static const struct refusal {
	const char *text;
	const char *says;
} refusals[] = {
	{ "", "not JSON" },
	{ "{\"echosim\": \"0.1.0\", \"runs\": [{\"mode\"", "not JSON" },
	{ "[1, 2]", "expected a JSON object" },
	{ "{\"a\": 1, \"a\": 2}", "duplicate" },
	{ "{\"name\": \"\\u0000\"}", "not JSON" },
	{ "{}", "not a result of echosim" },
	{ "{\"echosim\": 1}", "not a result of echosim" },
	{ "{\"echosim\": \"soon\"}", "not a result of echosim" },
	{ "{\"echosim\": \"0.1.0.1\"}", "not a result of echosim" },
	{ "{\"echosim\": \"0.99.0\"}", "made by echosim 0.99.0" },
	{ "{\"echosim\": \"99.0.0\"}", "made by echosim 99.0.0" },
	{ "{\"echosim\": \"" ECHOSIM_VERSION "\"}", "no \"document.views\"" },
	{ DOCUMENT("\"a\": 1", "7"), "\"view\" of a view" },
	{ DOCUMENT("\"a\": 1", "{\"view\": \"poster\"}"),
	  "\"view\" of a view" },
	{ DOCUMENT("\"a\": 1", TABLE("{\"unit\": \"s\"}")),
	  "a column of a view without \"path\"" },
	{ DOCUMENT("\"a\": 1", "{\"view\": \"chart\", \"chart\": "
			       "{\"kind\": \"curves\"}}"),
	  "curves without \"x\" or \"y\"" },
	{ DOCUMENT("\"runs\": [{\"au\": \"high\"}]", TABLE(AU)),
	  "runs[0].au; expected a number" },
	{ DOCUMENT("\"runs\": [{\"n\": 1}, {\"n\": 1.5}]",
		   TABLE("{\"path\": \"n\", \"kind\": \"count\"}")),
	  "runs[1].n; expected a whole number" },
	{ DOCUMENT("\"runs\": [{\"n\": 1}]",
		   TABLE("{\"path\": \"n\", \"kind\": \"bool\"}")),
	  "runs[0].n; expected true or false" },
};

static void what_is_no_result_is_refused_with_the_reason(void **state)
{
	struct document *document;
	struct fault fault;
	size_t i;
	int error;

	(void)state;
	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const char *text = refusals[i].text;

		fault = (struct fault){ .file = "result.json" };
		error = document_parse(&document, text, strlen(text), &fault);
		if (!error)
			document_free(document);
		if (error != -EINVAL || !strstr(fault.text, refusals[i].says))
			print_message("%s: %d, \"%s\"\n", text, error,
				      fault.text);
		assert_int_equal(error, -EINVAL);
		assert_non_null(strstr(fault.text, refusals[i].says));
		assert_string_equal(fault.file, "result.json");
	}
}

static void a_tree_too_deep_is_refused(void **state)
{
	const size_t depth = 1000000;
	char *text = malloc(depth + 1);
	struct fault fault = { 0 };
	struct node *root;

	(void)state;
	memset(text, '[', depth);
	assert_int_equal(node_parse(&root, text, depth, &fault), -EINVAL);
	free(text);
}

static void a_tree_is_written_as_it_was_read(void **state)
{
	const char text[] = "{\n  \"z\": [1, 2.5],\n  \"a\": {\n"
			    "    \"t\\\"\": \"x\"\n  },\n  \"e\": []\n}";
	struct node *root = parsed(text);
	char written[256] = "";
	FILE *out = fmemopen(written, sizeof(written), "w");

	(void)state;
	node_write(out, root);
	fclose(out);
	assert_string_equal(written, text);
	node_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_value_is_known_as_what_it_is_and_as_nothing_else),
		cmocka_unit_test(a_document_with_little_in_it_is_one),
		cmocka_unit_test(what_is_read_back_is_the_same_document),
		cmocka_unit_test(a_note_is_there_once),
		cmocka_unit_test(
			without_memory_nothing_is_built_and_all_is_refused),
		cmocka_unit_test(what_is_no_result_is_refused_with_the_reason),
		cmocka_unit_test(a_tree_too_deep_is_refused),
		cmocka_unit_test(a_tree_is_written_as_it_was_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
