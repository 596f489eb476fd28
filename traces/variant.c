/* SPDX-License-Identifier: MIT */
#include "traces/variant.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/distribution_read.h"
#include "traces/loader.h"
#include "traces/scenario.h"
#include "traces/section.h"

#define ARGUMENT "--variant"
#define SECTION "variants"
#define FORM                                                                   \
	"NAME: {KEY: VALUE, ...} such as fast: {storage: {queue_depth: 64}}"
#define QUOTED_MAX 96

/* ---- reading ---- */

/* Does the map hold keys of a section, and is not a value itself? */
static bool is_section(const char *key, const struct yaml_value *value)
{
	return value->kind == YAML_MAP && field_is_section(key) &&
	       !field_find(key) && !distribution_is_map(value);
}

static bool has_key(const struct variant *variant, const char *key)
{
	uint32_t i;

	for (i = 0; i < variant->key_count; i++)
		if (!strcmp(variant->keys[i].key, key))
			return true;
	return false;
}

static int add_key(const struct reader *reader, struct variant *variant,
		   const char *key, const struct yaml_value *value)
{
	struct variant_key *keys;

	if (has_key(variant, key) || !strcmp(key, SECTION)) {
		value_fault(reader, value, "%s: %s; expected %s", key,
			    has_key(variant, key) ? "stands there twice" :
						    "a variant has none",
			    has_key(variant, key) ? "each key once" :
						    "keys of a scenario");
		return -EINVAL;
	}
	keys = reallocarray(variant->keys, variant->key_count + 1,
			    sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	variant->keys = keys;
	keys += variant->key_count++;
	snprintf(keys->key, sizeof(keys->key), "%s", key);
	keys->value = value;
	return 0;
}

/* Keys are looked up by their full names; sections dissolve into them. */
static int add_keys(const struct reader *reader, struct variant *variant,
		    const char *section, const struct yaml_value *map)
{
	char key[FIELD_KEY_MAX], quoted[QUOTED_MAX];
	const struct yaml_value *value;
	int error = 0;

	for (value = map->child; value && !error; value = value->next) {
		if (snprintf(key, sizeof(key), "%s%s%s", section,
			     *section ? "." : "",
			     value->key) >= (int)sizeof(key)) {
			value_fault(reader, value, "unknown key %s",
				    value_quote(value->key, quoted,
						sizeof(quoted)));
			return -EINVAL;
		}
		error = is_section(key, value) ?
				add_keys(reader, variant, key, value) :
				add_key(reader, variant, key, value);
	}
	return error;
}

static bool has_name(const struct variants *variants, const char *name)
{
	uint32_t i;

	for (i = 0; i < variants->count; i++)
		if (!strcmp(variants->items[i].name, name))
			return true;
	return false;
}

static int refuse_name(const struct reader *reader,
		       const struct yaml_value *named, const char *why)
{
	char quoted[QUOTED_MAX];

	value_fault(reader, named, SECTION ": %s: %s",
		    value_quote(named->key, quoted, sizeof(quoted)), why);
	return -EINVAL;
}

/* One variant: a member of a map. */
static int add_variant(struct variants *variants, const struct reader *reader,
		       const struct yaml_value *named)
{
	struct variant *variant = &variants->items[variants->count];

	if (has_name(variants, named->key))
		return refuse_name(reader, named,
				   "two variants have this name; expected one "
				   "of its own for each");
	if (!*named->key || !value_is_plain(named->key) ||
	    strlen(named->key) >= VARIANT_NAME_MAX)
		return refuse_name(reader, named,
				   "expected a name of 1 to 63 characters "
				   "without control characters");
	if (variants->count == VARIANTS_MAX)
		return refuse_name(reader, named,
				   "there are 64 already, which is the limit");
	if (named->kind != YAML_MAP && named->kind != YAML_EMPTY)
		return value_refuse(reader, named->key, named,
				    "keys and values of a scenario: " FORM);
	variants->count++;
	*variant = (struct variant){ .name = named->key,
				     .source = reader->source };
	return add_keys(reader, variant, "", named);
}

/* A map of variants, or a list of such maps. */
static int add_all(struct variants *variants, const struct reader *reader,
		   const struct yaml_value *value)
{
	const struct yaml_value *map, *named;
	int error;

	if ((value->kind != YAML_MAP && value->kind != YAML_LIST) ||
	    !value->child)
		return value_refuse(reader, SECTION, value,
				    "a map or a list of " FORM);
	map = value->kind == YAML_LIST ? value->child : value;
	for (; map; map = value->kind == YAML_LIST ? map->next : NULL) {
		if (map->kind != YAML_MAP)
			return value_refuse(reader, SECTION, map, FORM);
		for (named = map->child; named; named = named->next) {
			error = add_variant(variants, reader, named);
			if (error)
				return error;
		}
	}
	return 0;
}

/* Opens a text whose tree lives as long as the variants. */
static int open_tree(struct variants *variants, const struct reader *reader,
		     const char *text, size_t size,
		     const struct yaml_value **root)
{
	struct yaml_tree **tree = &variants->trees[variants->tree_count];
	int error;

	if (variants->tree_count == VARIANTS_MAX) {
		fault_set(reader->fault, reader->source.name, 0,
			  "at most %d of them", VARIANTS_MAX);
		return -EINVAL;
	}
	error = yaml_open(tree, &reader->source, text, size, reader->fault);
	if (error)
		return error;
	variants->tree_count++;
	*root = yaml_root(*tree);
	return 0;
}

int variants_of_file(struct variants *variants, const char *name,
		     const char *text, size_t size, struct fault *fault)
{
	const struct reader reader = { { name, true }, fault, 0 };
	const struct yaml_value *root, *value;
	int error = open_tree(variants, &reader, text, size, &root);

	if (error)
		return error;
	for (value = root->child; value; value = value->next)
		if (!strcmp(value->key, SECTION))
			return add_all(variants, &reader, value);
	return 0;
}

int variants_of_argument(struct variants *variants, const char *text,
			 struct fault *fault)
{
	const struct reader reader = { { ARGUMENT, false }, fault, 0 };
	const struct yaml_value *root;
	char quoted[QUOTED_MAX];
	int error = open_tree(variants, &reader, text, strlen(text), &root);

	if (error)
		return error;
	if (root->kind == YAML_MAP && !root->child->next)
		return add_variant(variants, &reader, root->child);
	fault_set(fault, ARGUMENT, 0, "found %s; expected " FORM,
		  value_quote(text, quoted, sizeof(quoted)));
	return -EINVAL;
}

void variants_release(struct variants *variants)
{
	while (variants->count)
		free(variants->items[--variants->count].keys);
	while (variants->tree_count)
		yaml_close(variants->trees[--variants->tree_count]);
}

/* ---- what one does ---- */

static bool comes_first(const char *key)
{
	return !strcmp(key, "pipeline.loader.like") ||
	       !strcmp(key, "pipeline.loader.kind");
}

static int apply_keys(const struct variant *variant, bool first,
		      struct scenario *scenario, struct fault *fault)
{
	const struct reader reader = { variant->source, fault, 0 };
	char key[FIELD_KEY_MAX];
	int error = 0;
	uint32_t i;

	for (i = 0; i < variant->key_count && !error; i++) {
		if (comes_first(variant->keys[i].key) != first)
			continue;
		memcpy(key, variant->keys[i].key, sizeof(key));
		error = section_set(&reader, scenario, key,
				    variant->keys[i].value);
	}
	return error;
}

/* Another loader takes the place of the scenario's, whose keys may mean nothing
 * to it; then come its own. */
int variant_apply(const struct variant *variant, struct scenario *scenario,
		  struct fault *fault)
{
	int error = apply_keys(variant, true, scenario, fault);

	if (error)
		return error;
	if (variant_gives(variant, "pipeline.loader.like") ||
	    variant_gives(variant, "pipeline.loader.kind"))
		loader_leave_out(scenario);
	return apply_keys(variant, false, scenario, fault);
}

bool variant_gives(const struct variant *variant, const char *key)
{
	size_t length = strlen(key);
	const char *own;
	uint32_t i;

	for (i = 0; variant && i < variant->key_count; i++) {
		own = variant->keys[i].key;
		if (!strncmp(own, key, length) &&
		    (!own[length] || own[length] == '.'))
			return true;
	}
	return false;
}

static void say_value(FILE *out, const struct yaml_value *value)
{
	bool map = value->kind == YAML_MAP;
	const struct yaml_value *member;

	if (value->kind == YAML_SCALAR)
		fputs(value->text, out);
	if (!map && value->kind != YAML_LIST)
		return;
	fputc(map ? '{' : '[', out);
	for (member = value->child; member; member = member->next) {
		if (map)
			fprintf(out, "%s: ", member->key);
		say_value(out, member);
		if (member->next)
			fputs(", ", out);
	}
	fputc(map ? '}' : ']', out);
}

const char *variant_say(const struct variant *variant, char *text, size_t size)
{
	FILE *out = fmemopen(text, size, "w");
	uint32_t i;

	text[0] = '\0';
	if (!out)
		return text;
	for (i = 0; i < variant->key_count; i++) {
		fprintf(out, "%s%s=", i ? ", " : "", variant->keys[i].key);
		say_value(out, variant->keys[i].value);
	}
	if (fclose(out))
		text[size - 1] = '\0';
	text[size - 1] = '\0';
	return text;
}

int variants_check(const struct reader *reader, const struct scenario *scenario,
		   const struct yaml_value *section)
{
	struct variants *variants = calloc(1, sizeof(*variants));
	struct scenario *changed = malloc(sizeof(*changed));
	int error = variants && changed ? 0 : -ENOMEM;
	uint32_t i;

	if (!error)
		error = add_all(variants, reader, section);
	for (i = 0; !error && i < variants->count; i++) {
		*changed = *scenario;
		error = variant_apply(&variants->items[i], changed,
				      reader->fault);
	}
	if (variants)
		variants_release(variants);
	free(variants);
	free(changed);
	return error;
}
