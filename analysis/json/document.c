/* SPDX-License-Identifier: MIT */
#include "analysis/page/document.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "analysis/json/write.h"
#include "sim/check.h"

#define KEY_MAX 128

/* A node is jansson's value under a name of ours. */
static struct node *as_node(json_t *json)
{
	return (struct node *)json;
}

static const json_t *as_json(const struct node *node)
{
	return (const json_t *)node;
}

int document_parse(struct node **root, const char *text, size_t size,
		   struct fault *fault)
{
	json_error_t error;
	json_t *json;

	if (json_is_dense(text, size)) {
		fault_set(fault, fault->file, 0,
			  "not a result; its tree would need more than 1 GiB");
		return -EINVAL;
	}
	json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
	if (!json) {
		if (json_error_code(&error) == json_error_out_of_memory)
			return -ENOMEM;
		fault_set(fault, fault->file, error.line > 0 ? error.line : 0,
			  "not JSON: %s", error.text);
		return -EINVAL;
	}
	if (!json_is_object(json)) {
		json_decref(json);
		fault_set(fault, fault->file, 0,
			  "not a result; expected a JSON object");
		return -EINVAL;
	}
	*root = as_node(json);
	return 0;
}

void node_free(struct node *root)
{
	json_decref((json_t *)root);
}

const struct node *node_at(const struct node *object, const char *path)
{
	const json_t *json = as_json(object);
	char key[KEY_MAX];
	size_t length;

	for (;;) {
		length = strcspn(path, ".");
		CHECK(length < sizeof(key));
		memcpy(key, path, length);
		key[length] = '\0';
		json = json_object_get(json, key);
		if (!json || json_is_null(json))
			return NULL;
		if (!path[length])
			return (const struct node *)json;
		path += length + 1;
	}
}

const struct node *node_member(const struct node *object, const char *key)
{
	const json_t *json = json_object_get(as_json(object), key);

	return json && !json_is_null(json) ? (const struct node *)json : NULL;
}

void node_each(const struct node *object,
	       void (*visit)(void *context, const char *key,
			     const struct node *value),
	       void *context)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value)
	{
		if (!json_is_null(value))
			visit(context, key, as_node(value));
	}
}

size_t node_count(const struct node *array)
{
	return json_array_size(as_json(array));
}

const struct node *node_item(const struct node *array, size_t index)
{
	return (const struct node *)json_array_get(as_json(array), index);
}

bool node_is_object(const struct node *node)
{
	return node && json_is_object(as_json(node));
}

struct metric_value node_value(const struct node *node, enum metric_kind kind)
{
	const json_t *json = as_json(node);

	if (!json)
		return value_unknown();
	switch (kind) {
	case METRIC_BOOL:
		return json_is_boolean(json) ? value_bool(json_is_true(json)) :
					       value_unknown();
	case METRIC_COUNT:
		return json_is_integer(json) && json_integer_value(json) >= 0 ?
			       value_count((uint64_t)json_integer_value(json)) :
			       value_unknown();
	case METRIC_REAL:
		return json_is_number(json) ?
			       value_real(json_number_value(json)) :
			       value_unknown();
	case METRIC_TEXT:
		return value_text(json_string_value(json));
	case METRIC_DIGEST:
		return value_of_digest(json_string_value(json));
	default:
		return value_unknown();
	}
}

const char *node_text(const struct node *object, const char *path)
{
	return node_value(node_at(object, path), METRIC_TEXT).text;
}

double node_real(const struct node *object, const char *path)
{
	return node_value(node_at(object, path), METRIC_REAL).real;
}

void node_write(FILE *out, const struct node *node)
{
	json_write_tree(out, as_json(node), 0);
}
