/* SPDX-License-Identifier: MIT */
/* Results read back: what is there, and what is refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/page/document.h"
#include "analysis/version.h"

#define HEAD "{\"echosim\": \"" ECHOSIM_VERSION "\", \"runs\": "
#define RUN "\"mode\": \"sim\", \"strategy\": {\"place\": \"none\"}"

static struct node *parsed(const char *text)
{
	struct fault fault = { 0 };
	struct node *root;

	assert_int_equal(document_parse(&root, text, strlen(text), &fault), 0);
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
	assert_null(node_at(NULL, "a"));
	assert_false(node_value(NULL, METRIC_REAL).known);
	node_free(root);
}

static void a_result_with_little_in_it_is_one(void **state)
{
	struct node *root = parsed(HEAD "[{" RUN ", \"au\": null}]}");
	struct fault fault = { 0 };

	(void)state;
	assert_int_equal(document_check(root, &fault), 0);
	node_free(root);
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
	{ "{\"echosim\": \"0.99.0\", \"runs\": [{" RUN "}]}",
	  "made by echosim 0.99.0" },
	{ "{\"echosim\": \"99.0.0\", \"runs\": [{" RUN "}]}",
	  "made by echosim 99.0.0" },
	{ HEAD "[]}", "no runs" },
	{ HEAD "{}}", "no runs" },
	{ HEAD "[1]}", "runs[0].mode; expected a text" },
	{ HEAD "[{" RUN "}, {\"mode\": \"sim\"}]}",
	  "runs[1].strategy.place; expected a text" },
	{ HEAD "[{" RUN ", \"au\": \"high\"}]}",
	  "runs[0].au; expected a number" },
	{ HEAD "[{" RUN ", \"steps\": 1.5}]}",
	  "runs[0].steps; expected a whole number" },
	{ HEAD "[{" RUN ", \"complete\": 1}]}",
	  "runs[0].complete; expected true or false" },
	{ HEAD "[{" RUN ", \"stages\": [{\"name\": 7}]}]}",
	  "runs[0].name; expected a text" },
	{ HEAD "[{" RUN ", \"stages\": [{\"name\": \"read\", "
	       "\"workers\": \"many\"}]}]}",
	  "runs[0].workers; expected a whole number" },
};

static void what_is_no_result_is_refused_with_the_reason(void **state)
{
	struct fault fault;
	struct node *root;
	size_t i;
	int error;

	(void)state;
	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const char *text = refusals[i].text;

		fault = (struct fault){ .file = "result.json" };
		error = document_parse(&root, text, strlen(text), &fault);
		if (!error) {
			error = document_check(root, &fault);
			node_free(root);
		}
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
	assert_int_equal(document_parse(&root, text, depth, &fault), -EINVAL);
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
		cmocka_unit_test(a_result_with_little_in_it_is_one),
		cmocka_unit_test(what_is_no_result_is_refused_with_the_reason),
		cmocka_unit_test(a_tree_too_deep_is_refused),
		cmocka_unit_test(a_tree_is_written_as_it_was_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
