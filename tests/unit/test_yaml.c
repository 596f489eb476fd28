/* SPDX-License-Identifier: MIT */
/* YAML as a bounded tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/yaml.h"

static const struct yaml_source source = { "test.yaml", true };

static struct yaml_tree *open_tree(const char *text)
{
	struct fault fault = { 0 };
	struct yaml_tree *tree;

	if (yaml_open(&tree, &source, text, strlen(text), &fault))
		fail_msg("refused: %s", fault.text);
	return tree;
}

static void refuses(const char *text, size_t size, int line, const char *says)
{
	struct fault fault = { 0 };
	struct yaml_tree *tree;

	assert_int_equal(yaml_open(&tree, &source, text, size, &fault),
			 -EINVAL);
	assert_string_equal(fault.text, says);
	assert_int_equal(fault.line, line);
	assert_string_equal(fault.file, "test.yaml");
}

static void a_map_keeps_keys_values_and_lines(void **state)
{
	struct yaml_tree *tree = open_tree("a: 1\n"
					   "\n"
					   "b: {c: 2 ms, d: [x, y]}\n"
					   "'e f': \"g\\th\"\n");
	const struct yaml_value *root = yaml_root(tree);
	const struct yaml_value *a = root->child;
	const struct yaml_value *b = a->next;
	const struct yaml_value *e = b->next;
	const struct yaml_value *d = b->child->next;

	(void)state;
	assert_int_equal(root->kind, YAML_MAP);
	assert_string_equal(a->key, "a");
	assert_string_equal(a->text, "1");
	assert_int_equal(a->kind, YAML_SCALAR);
	assert_int_equal(a->line, 1);
	assert_int_equal(b->kind, YAML_MAP);
	assert_int_equal(b->line, 3);
	assert_string_equal(b->child->key, "c");
	assert_string_equal(b->child->text, "2 ms");
	assert_int_equal(d->kind, YAML_LIST);
	assert_string_equal(d->key, "d");
	assert_string_equal(d->child->text, "x");
	assert_string_equal(d->child->key, "");
	assert_string_equal(d->child->next->text, "y");
	assert_null(d->child->next->next);
	assert_null(d->next);
	assert_string_equal(e->key, "e f");
	assert_string_equal(e->text, "g\th");
	assert_null(e->next);
	yaml_close(tree);
}

static void nothing_written_is_told_from_an_empty_text(void **state)
{
	struct yaml_tree *tree = open_tree("a:\nb: ''\n");
	const struct yaml_value *a = yaml_root(tree)->child;

	(void)state;
	assert_int_equal(a->kind, YAML_EMPTY);
	assert_int_equal(a->next->kind, YAML_SCALAR);
	assert_string_equal(a->next->text, "");
	yaml_close(tree);
}

static void an_empty_text_is_an_empty_root(void **state)
{
	static const char *const texts[] = { "", "\n\n", "# only this\n",
					     "---\n", "---\n...\n" };
	struct yaml_tree *tree;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		tree = open_tree(texts[i]);
		assert_int_equal(yaml_root(tree)->kind, YAML_EMPTY);
		assert_null(yaml_root(tree)->child);
		yaml_close(tree);
	}
}

static void a_root_may_be_a_scalar_or_a_list(void **state)
{
	struct yaml_tree *tree = open_tree("8 ms");

	(void)state;
	assert_int_equal(yaml_root(tree)->kind, YAML_SCALAR);
	assert_string_equal(yaml_root(tree)->text, "8 ms");
	yaml_close(tree);
	tree = open_tree("[]");
	assert_int_equal(yaml_root(tree)->kind, YAML_LIST);
	assert_null(yaml_root(tree)->child);
	yaml_close(tree);
}

static void a_key_given_twice_is_refused(void **state)
{
	static const char text[] = "a: 1\nb: 2\na: 3\n";

	(void)state;
	refuses(text, strlen(text), 3,
		"key \"a\" is given twice, first in line 1; expected each key "
		"once");
}

/* Only once for each map: elsewhere the same name is another key. */
static void a_key_may_come_again_in_another_map(void **state)
{
	(void)state;
	yaml_close(open_tree("a: {x: 1}\nb: {x: 2}\nx: 3\n"));
}

static void features_that_are_not_needed_are_refused(void **state)
{
	static const struct {
		const char *text;
		int line;
		const char *says;
	} cases[] = {
		{ "a: &x 1\n", 1,
		  "an anchor (&) or alias (*) is used; expected plain values" },
		{ "a: 1\nb: &x {c: 1}\n", 2,
		  "an anchor (&) or alias (*) is used; expected plain values" },
		{ "a: &x [1]\n", 1,
		  "an anchor (&) or alias (*) is used; expected plain values" },
		{ "a: *x\n", 1,
		  "an anchor (&) or alias (*) is used; expected plain values" },
		{ "a: !!int 1\n", 1,
		  "a tag (!) is used; expected plain values" },
		{ "a: !x {b: 1}\n", 1,
		  "a tag (!) is used; expected plain values" },
		{ "a: ! [b]\n", 1, "a tag (!) is used; expected plain values" },
		{ "a: 1\n---\nb: 2\n", 2,
		  "a second document begins; expected only one" },
		{ "? {a: 1}\n: 2\n", 1,
		  "a map or list stands where a key is expected" },
		{ "? [a]\n: 2\n", 1,
		  "a map or list stands where a key is expected" },
		{ "a: \"b\\0c\"\n", 1,
		  "a text holds a zero byte; expected none" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refuses(cases[i].text, strlen(cases[i].text), cases[i].line,
			cases[i].says);
}

static void broken_yaml_says_where(void **state)
{
	(void)state;
	refuses("a: 1\nb: [1, 2\n", 13, 3,
		"not YAML: did not find expected ',' or ']'");
	refuses("a: 1\n\tb: 2\n", 11, 2,
		"not YAML: found a tab character that violates indentation");
	refuses("a: \xff\n", 5, 1, "not YAML: invalid leading UTF-8 octet");
}

/* Depth counts the root. */
static void depth_has_a_ceiling(void **state)
{
	char text[64] = "";

	(void)state;
	memset(text, '[', YAML_DEPTH_MAX);
	memset(text + YAML_DEPTH_MAX, ']', YAML_DEPTH_MAX);
	yaml_close(open_tree(text));
	memset(text, '[', YAML_DEPTH_MAX + 1);
	refuses(text, strlen(text), 1,
		"more than 16 levels of maps and lists; expected fewer");
}

/* "[a,a,a]" is the list and a value per two bytes. */
static void the_number_of_values_has_a_ceiling(void **state)
{
	size_t size = 2 * (YAML_VALUES_MAX - 1) + 1;
	char *text = malloc(size + 2);
	struct fault fault = { 0 };
	struct yaml_tree *tree;
	size_t i;

	(void)state;
	for (i = 0; i < size + 2; i++)
		text[i] = i % 2 ? 'a' : ',';
	text[0] = '[';
	text[size - 1] = ']';
	assert_int_equal(yaml_open(&tree, &source, text, size, &fault), 0);
	yaml_close(tree);
	memcpy(text + size - 1, ",a]", 3);
	refuses(text, size + 2, 1, "more than 65536 values; expected fewer");
	free(text);
}

static void keys_of_a_map_have_a_ceiling(void **state)
{
	static char text[16 * (YAML_MAP_KEYS_MAX + 2)];
	size_t used = 0;
	int i;

	(void)state;
	for (i = 0; i < YAML_MAP_KEYS_MAX; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "k%d: 1\n", i);
	yaml_close(open_tree(text));
	snprintf(text + used, sizeof(text) - used, "more: 1\n");
	refuses(text, strlen(text), YAML_MAP_KEYS_MAX + 1,
		"more than 1024 keys in one map; expected fewer");
}

static void the_size_has_a_ceiling(void **state)
{
	char *text = malloc(YAML_TEXT_BYTES_MAX + 1);
	struct fault fault = { 0 };
	struct yaml_tree *tree;

	(void)state;
	memset(text, '#', YAML_TEXT_BYTES_MAX + 1);
	assert_int_equal(yaml_open(&tree, &source, text, YAML_TEXT_BYTES_MAX,
				   &fault),
			 0);
	yaml_close(tree);
	refuses(text, YAML_TEXT_BYTES_MAX + 1, 0,
		"longer than 1 MiB; expected a shorter text");
	free(text);
}

/* Escapes and other encodings may make a text longer than it was. */
static void growing_texts_have_room(void **state)
{
	size_t size = YAML_TEXT_BYTES_MAX;
	char *text = malloc(size + 2);
	struct fault fault = { 0 };
	struct yaml_tree *tree;
	size_t i;

	(void)state;
	memset(text, '"', size + 2);
	for (i = 1; i + 1 < size; i += 2)
		memcpy(text + i, "\\L", 2); /* three bytes of UTF-8 */
	assert_int_equal(yaml_open(&tree, &source, text, size, &fault), 0);
	assert_int_equal(strlen(yaml_root(tree)->text), (size - 2) / 2 * 3);
	yaml_close(tree);
	/* UTF-16 with U+2028 inside quotes, two bytes each. */
	memcpy(text, "\xff\xfe\"", 4);
	for (i = 4; i + 2 < size; i += 2)
		memcpy(text + i, "\x28\x20", 2);
	memcpy(text + size - 2, "\"", 2);
	assert_int_equal(yaml_open(&tree, &source, text, size, &fault), 0);
	yaml_close(tree);
	free(text);
}

static void a_source_without_lines_has_line_zero(void **state)
{
	static const struct yaml_source option = { "--set", false };
	struct fault fault = { 0 };
	struct yaml_tree *tree;

	(void)state;
	assert_int_equal(yaml_open(&tree, &option, "[", 1, &fault), -EINVAL);
	assert_int_equal(fault.line, 0);
	assert_string_equal(fault.file, "--set");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_keeps_keys_values_and_lines),
		cmocka_unit_test(nothing_written_is_told_from_an_empty_text),
		cmocka_unit_test(an_empty_text_is_an_empty_root),
		cmocka_unit_test(a_root_may_be_a_scalar_or_a_list),
		cmocka_unit_test(a_key_given_twice_is_refused),
		cmocka_unit_test(a_key_may_come_again_in_another_map),
		cmocka_unit_test(features_that_are_not_needed_are_refused),
		cmocka_unit_test(broken_yaml_says_where),
		cmocka_unit_test(depth_has_a_ceiling),
		cmocka_unit_test(the_number_of_values_has_a_ceiling),
		cmocka_unit_test(keys_of_a_map_have_a_ceiling),
		cmocka_unit_test(the_size_has_a_ceiling),
		cmocka_unit_test(growing_texts_have_room),
		cmocka_unit_test(a_source_without_lines_has_line_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
