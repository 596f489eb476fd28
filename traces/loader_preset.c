/* SPDX-License-Identifier: MIT */
#include "traces/loader_preset.h"

#include <errno.h>
#include <string.h>

#include "traces/loader.h"
#include "traces/loaders.h"
#include "traces/member.h"
#include "traces/nearest.h"
#include "traces/section.h"

#define LOADER_KEY "pipeline.loader"
#define LIKE "like"
#define LIKE_KEY LOADER_KEY "." LIKE
#define QUOTED_MAX 64

/* Presets that are like presets. */
#define DEPTH_MAX 4

bool loader_reads(const char *key, const struct yaml_value *value)
{
	return strcmp(key, LIKE_KEY) == 0 ||
	       (strcmp(key, LOADER_KEY) == 0 && value->kind != YAML_EMPTY &&
		value->kind != YAML_LIST);
}

/* ---- what is known of a loader ---- */

/* The text of a fact by its name; NULL: a key of pipeline.loader. */
static char *fact(struct loader_facts *facts, const char *name, size_t *size)
{
	const struct {
		const char *name;
		char *text;
		size_t size;
	} rows[] = {
#define FACT(member) { #member, facts->member, sizeof(facts->member) }
		FACT(description),
		FACT(source),
		FACT(as_of),
		FACT(differs),
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].name, name) != 0)
			continue;
		*size = rows[i].size;
		return rows[i].text;
	}
	return NULL;
}

static int read_fact(const struct reader *reader,
		     const struct yaml_value *value, char *text, size_t size)
{
	if (value->kind != YAML_SCALAR || strlen(value->text) >= size)
		return value_refuse(
			reader, value->key, value,
			"a text, no longer than others of its kind");
	memcpy(text, value->text, strlen(value->text) + 1);
	return 0;
}

/* ---- a map, its `like` first ---- */

static int read_map(const struct reader *reader, struct scenario *scenario,
		    const struct yaml_value *map, struct loader_facts *facts)
{
	const struct yaml_value *value;
	size_t size;
	char *text;
	int error = 0;

	for (value = map->child; value && !error; value = value->next)
		if (strcmp(value->key, LIKE) == 0)
			error = section_read_member(reader, scenario,
						    LOADER_KEY, value);
	for (value = map->child; value && !error; value = value->next) {
		if (strcmp(value->key, LIKE) == 0)
			continue;
		text = facts ? fact(facts, value->key, &size) : NULL;
		error = text ? read_fact(reader, value, text, size) :
			       section_read_member(reader, scenario, LOADER_KEY,
						   value);
	}
	return error;
}

static int read_preset(const struct embedded_file *entry,
		       struct scenario *scenario, struct loader_facts *facts,
		       int depth, struct fault *fault)
{
	const struct reader reader = { { entry->name, true }, fault, depth };
	struct loader_facts ignored;
	struct yaml_tree *tree;
	int error = yaml_open(&tree, &reader.source, entry->text, entry->size,
			      fault);

	if (error)
		return error;
	error = read_map(&reader, scenario, yaml_root(tree),
			 facts ? facts : &ignored);
	yaml_close(tree);
	return error;
}

int loader_preset_read(const struct embedded_file *entry,
		       struct scenario *scenario, struct loader_facts *facts,
		       struct fault *fault)
{
	if (facts)
		memset(facts, 0, sizeof(*facts));
	return read_preset(entry, scenario, facts, 0, fault);
}

/* ---- a preset by its name ---- */

static int refuse_name(const struct reader *reader, const char *key,
		       const struct yaml_value *value)
{
	char quoted[QUOTED_MAX], near[NEAREST_OFFERS_MAX];

	value_quote(value->text, quoted, sizeof(quoted));
	if (nearest_offers(value->text, &loaders, near, sizeof(near))[0])
		value_fault(reader, value,
			    "%s: unknown loader %s; did you mean %s?", key,
			    quoted, near);
	else
		value_fault(reader, value,
			    "%s: unknown loader %s; expected a name of "
			    "`echosim list loaders`",
			    key, quoted);
	return -EINVAL;
}

static int read_named(const struct reader *reader, struct scenario *scenario,
		      const char *key, const struct yaml_value *value)
{
	const struct embedded_file *entry =
		embedded_find(&loaders, value->text);
	bool given[SCENARIO_FIELDS_MAX];
	struct fault fault = { 0 };
	int error;

	if (!entry)
		return refuse_name(reader, key, value);
	if (reader->depth == DEPTH_MAX)
		return value_refuse(reader, key, value,
				    "a loader that is not like itself");
	/* What a preset says is not what the person gave. */
	memcpy(given, scenario->given, sizeof(given));
	loader_forget(scenario);
	error = read_preset(entry, scenario, NULL, reader->depth + 1, &fault);
	memcpy(scenario->given, given, sizeof(given));
	if (error)
		value_pass_on(reader, value, entry->name, &fault);
	return error;
}

static int read_like(const struct reader *reader, struct scenario *scenario,
		     const char *key, const struct yaml_value *value)
{
	const struct field *field = field_find(LIKE_KEY);
	/* Does it fit the member? */
	int error = member_read(reader, field, key, value, scenario);

	if (!error)
		error = read_named(reader, scenario, key, value);
	if (error)
		return error;
	if (!reader->source.numbered)
		loader_leave_out(scenario);
	/* Not what that one is like. */
	return member_read(reader, field, key, value, scenario);
}

int loader_read(const struct reader *reader, struct scenario *scenario,
		const char *key, const struct yaml_value *value)
{
	if (strcmp(key, LOADER_KEY) == 0 && value->kind == YAML_MAP)
		return read_map(reader, scenario, value, NULL);
	return read_like(reader, scenario, key, value);
}
