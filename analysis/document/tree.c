/* SPDX-License-Identifier: MIT */
#include "analysis/document/write.h"

#include "analysis/value.h"

#define INDENT 2

static void write_indent(FILE *out, int depth)
{
	fprintf(out, "\n%*s", depth * INDENT, "");
}

/* A string, number, bool or null; jansson escapes. */
static void write_leaf(FILE *out, const json_t *leaf)
{
	size_t flags = JSON_ENCODE_ANY;

	if (json_is_real(leaf))
		flags |= JSON_REAL_PRECISION(
			value_digits(json_real_value(leaf)));
	json_dumpf(leaf, out, flags);
}

static void write_object(FILE *out, const json_t *object, int depth)
{
	const char *key, *comma = "";
	json_t *item, *name;

	fputc('{', out);
	json_object_foreach((json_t *)object, key, item)
	{
		name = json_string(key);
		fputs(comma, out);
		write_indent(out, depth + 1);
		write_leaf(out, name);
		json_decref(name);
		fputs(": ", out);
		json_write_tree(out, item, depth + 1);
		comma = ",";
	}
	write_indent(out, depth);
	fputc('}', out);
}

/* Rows of numbers are read across. */
static void write_array(FILE *out, const json_t *array, int depth)
{
	bool numbers = json_is_number(json_array_get(array, 0));
	const char *comma = "";
	json_t *item;
	size_t i;

	fputc('[', out);
	json_array_foreach(array, i, item)
	{
		fputs(comma, out);
		if (!numbers)
			write_indent(out, depth + 1);
		json_write_tree(out, item, depth + 1);
		comma = numbers ? ", " : ",";
	}
	if (!numbers)
		write_indent(out, depth);
	fputc(']', out);
}

void json_write_tree(FILE *out, const json_t *tree, int depth)
{
	if (json_is_object(tree) && json_object_size(tree))
		write_object(out, tree, depth);
	else if (json_is_array(tree) && json_array_size(tree))
		write_array(out, tree, depth);
	else
		write_leaf(out, tree);
}
