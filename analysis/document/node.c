/* SPDX-License-Identifier: MIT */
#include "analysis/document/node.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/document/write.h"
#include "sim/check.h"
#include "sim/printable.h"

#define NAME_MAX_BYTES 128

/* A node is jansson's value under a name of ours. */
static struct node *as_node(json_t *json)
{
	return (struct node *)json;
}

static json_t *as_json(const struct node *node)
{
	return (json_t *)node;
}

int node_parse(struct node **root, const char *text, size_t size,
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
			  "not JSON: %s; expected what --format json wrote",
			  error.text);
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

void node_write(FILE *out, const struct node *node)
{
	json_write_tree(out, as_json(node), 0);
}

/* ---- making ---- */

struct node *node_new_object(void)
{
	return as_node(json_object());
}

void node_free(struct node *root)
{
	json_decref(as_json(root));
}

struct node *node_hold(struct node *tree)
{
	return as_node(json_incref(as_json(tree)));
}

/* Text that came from a person may be anything. */
static json_t *json_of_text(const char *text)
{
	json_t *json = json_string(text);
	char *copy, *end;
	size_t bytes;
	bool shown;

	if (json)
		return json;
	copy = end = strdup(text);
	for (; copy && *text; text += bytes) {
		bytes = printable_next(text, &shown);
		if (!shown && (unsigned char)*text >= 0x80) {
			*end++ = '?';
			continue;
		}
		memcpy(end, text, bytes);
		end += bytes;
	}
	if (copy)
		*end = '\0';
	json = copy ? json_string(copy) : NULL;
	free(copy);
	return json;
}

static json_t *json_of_value(enum metric_kind kind, struct metric_value value)
{
	char text[VALUE_TEXT_MAX];

	if (!value.known)
		return json_null();
	switch (kind) {
	case METRIC_BOOL:
		return json_boolean(value.real != 0);
	case METRIC_COUNT:
		return json_integer((json_int_t)value.count);
	case METRIC_REAL:
		return json_real(value.real);
	case METRIC_DIGEST:
		return json_string(
			value_exact(kind, value, text, sizeof(text)));
	default:
		return json_of_text(value.text);
	}
}

/* The object that a path's last name belongs to, made on the way; *name is
 * that name. */
static json_t *make_way(json_t *object, const char *path, const char **name)
{
	char step[NAME_MAX_BYTES];
	const char *dot;
	json_t *inner;

	while ((dot = strchr(path, '.')) != NULL) {
		CHECK((size_t)(dot - path) < sizeof(step));
		snprintf(step, sizeof(step), "%.*s", (int)(dot - path), path);
		inner = json_object_get(object, step);
		if (!inner) {
			inner = json_object();
			if (json_object_set_new(object, step, inner))
				return NULL;
		}
		object = inner;
		path = dot + 1;
	}
	*name = path;
	return object;
}

int node_set(struct node *object, const char *path, enum metric_kind kind,
	     struct metric_value value)
{
	const char *name = path;
	json_t *owner = make_way(as_json(object), path, &name);

	return json_object_set_new(owner, name, json_of_value(kind, value)) ?
		       -ENOMEM :
		       0;
}

int node_set_member(struct node *object, const char *name,
		    enum metric_kind kind, struct metric_value value)
{
	return json_object_set_new(as_json(object), name,
				   json_of_value(kind, value)) ?
		       -ENOMEM :
		       0;
}

static struct node *make_at(struct node *object, const char *path,
			    json_t *(*make)(void))
{
	const char *name = path;
	json_t *owner = make_way(as_json(object), path, &name);
	json_t *there = json_object_get(owner, name);

	if (there)
		return as_node(there);
	there = make();
	return json_object_set_new(owner, name, there) ? NULL : as_node(there);
}

struct node *node_make_object(struct node *object, const char *path)
{
	return make_at(object, path, json_object);
}

struct node *node_make_list(struct node *object, const char *path)
{
	return make_at(object, path, json_array);
}

int node_share(struct node *object, const char *name, struct node *tree)
{
	return json_object_set(as_json(object), name, as_json(tree)) ? -ENOMEM :
								       0;
}

struct node *node_remove(struct node *object, const char *name)
{
	json_t *member = json_object_get(as_json(object), name);

	json_incref(member);
	json_object_del(as_json(object), name);
	return as_node(member);
}

static struct node *append(struct node *list, json_t *item)
{
	return json_array_append_new(as_json(list), item) ? NULL :
							    as_node(item);
}

struct node *node_append_object(struct node *list)
{
	return append(list, json_object());
}

struct node *node_append_list(struct node *list)
{
	return append(list, json_array());
}

int node_append(struct node *list, enum metric_kind kind,
		struct metric_value value)
{
	return json_array_append_new(as_json(list),
				     json_of_value(kind, value)) ?
		       -ENOMEM :
		       0;
}

/* ---- reading ---- */

/* An item by its number, or by its member "name". */
static const json_t *item_named(const json_t *list, const char *name)
{
	const char *own;
	json_t *item;
	size_t i;
	char *end;
	unsigned long index = strtoul(name, &end, 10);

	if (*name >= '0' && *name <= '9' && !*end)
		return json_array_get(list, index);
	json_array_foreach(list, i, item)
	{
		own = json_string_value(json_object_get(item, "name"));
		if (own && !strcmp(own, name))
			return item;
	}
	return NULL;
}

const struct node *node_at(const struct node *object, const char *path)
{
	const json_t *json = as_json(object);
	const json_t *rest;
	char name[NAME_MAX_BYTES];
	size_t length;

	for (;;) {
		rest = json_object_get(json, path);
		if (rest)
			json = rest;
		length = rest ? strlen(path) : strcspn(path, ".");
		CHECK(rest || length < sizeof(name));
		if (!rest) {
			snprintf(name, sizeof(name), "%.*s", (int)length, path);
			json = json_is_array(json) ?
				       item_named(json, name) :
				       json_object_get(json, name);
		}
		if (!json || json_is_null(json))
			return NULL;
		if (!path[length])
			return (const struct node *)json;
		path += length + 1;
	}
}

const struct node *node_member(const struct node *object, const char *name)
{
	const json_t *json = json_object_get(as_json(object), name);

	return json && !json_is_null(json) ? (const struct node *)json : NULL;
}

void node_each(const struct node *object,
	       void (*visit)(void *context, const char *name,
			     const struct node *value),
	       void *context)
{
	const char *name;
	json_t *value;

	json_object_foreach(as_json(object), name, value)
	{
		if (!json_is_null(value))
			visit(context, name, as_node(value));
	}
}

size_t node_count(const struct node *list)
{
	return json_array_size(as_json(list));
}

const struct node *node_item(const struct node *list, size_t index)
{
	return as_node(json_array_get(as_json(list), index));
}

bool node_is_object(const struct node *node)
{
	return node && json_is_object(as_json(node));
}

bool node_is_list(const struct node *node)
{
	return node && json_is_array(as_json(node));
}

bool node_equal(const struct node *one, const struct node *other)
{
	return json_equal(as_json(one), as_json(other));
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

enum metric_kind node_kind(const struct node *node)
{
	if (node_value(node, METRIC_TEXT).known)
		return METRIC_TEXT;
	if (node_value(node, METRIC_BOOL).known)
		return METRIC_BOOL;
	return node_value(node, METRIC_COUNT).known ? METRIC_COUNT :
						      METRIC_REAL;
}

const char *node_text(const struct node *object, const char *path)
{
	return node_value(node_at(object, path), METRIC_TEXT).text;
}

double node_real(const struct node *object, const char *path)
{
	return node_value(node_at(object, path), METRIC_REAL).real;
}
