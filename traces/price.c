/* SPDX-License-Identifier: MIT */
#include "traces/price.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/section.h"
#include "traces/text_file.h"

#define PRICES_KEY "prices"

bool price_reads(const char *key, const struct yaml_value *value)
{
	return value->kind == YAML_SCALAR && !strcmp(key, PRICES_KEY);
}

static int parse(struct scenario *scenario, const char *path, const char *text,
		 size_t size, struct fault *fault)
{
	const struct reader reader = { { path, true }, fault, 1 };
	struct yaml_tree *tree;
	int error = yaml_open(&tree, &reader.source, text, size, fault);

	if (error)
		return error;
	error = section_read(&reader, scenario, PRICES_KEY, yaml_root(tree));
	yaml_close(tree);
	return error;
}

int price_read(const struct reader *reader, struct scenario *scenario,
	       const struct yaml_value *value)
{
	char *path = text_file_beside(reader->source.name, value->text);
	struct fault fault = { 0 };
	char *text = NULL;
	size_t size;
	int error = -ENOMEM;

	if (path)
		error = text_file_read(path, &text, &size);
	if (error) {
		value_fault(reader, value, PRICES_KEY ": %s cannot be read: %s",
			    path ? path : value->text, strerror(-error));
		goto free_path;
	}
	error = parse(scenario, path, text, size, &fault);
	/* The path does not outlive this: the mistake is said where the file
	 * is named. */
	if (error)
		value_pass_on(reader, value, path, &fault);
	free(text);
free_path:
	free(path);
	return error;
}
