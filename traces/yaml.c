/* SPDX-License-Identifier: MIT */
#include "traces/yaml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "sim/check.h"

/* Two bytes of an escape ("\L") or of UTF-16 stand for up to three. */
#define GROWTH_MAX 2

struct yaml_tree {
	struct yaml_value *values;
	size_t value_count;
	size_t value_limit;
	char *texts;
	size_t text_used;
	size_t text_limit;
};

/* A map or list that is still open. */
struct level {
	struct yaml_value *holder;
	struct yaml_value *last; /* member so far */
	const char *key;	 /* of a map, when its value is due */
	size_t count;
};

struct builder {
	struct yaml_tree *tree;
	const struct yaml_source *source;
	struct fault *fault;
	struct level levels[YAML_DEPTH_MAX];
	size_t depth;
	bool ended;
};

#define builder_fault(builder, line, ...)                                      \
	fault_set((builder)->fault, (builder)->source->name,                   \
		  (builder)->source->numbered ? (line) : 0, __VA_ARGS__)

static int memory_fault(struct builder *builder)
{
	builder_fault(builder, 0, "not enough memory to read it");
	return -ENOMEM;
}

static int line_of(const yaml_event_t *event)
{
	return (int)event->start_mark.line + 1;
}

static const char *keep_text(struct yaml_tree *tree, const char *text,
			     size_t size)
{
	char *kept = tree->texts + tree->text_used;

	CHECK(size < tree->text_limit - tree->text_used);
	memcpy(kept, text, size);
	kept[size] = '\0';
	tree->text_used += size + 1;
	return kept;
}

/* Is the key new in its map? */
static int check_key(struct builder *builder, const struct level *level,
		     const char *key, int line)
{
	const struct yaml_value *member = level->holder->child;

	if (level->count >= YAML_MAP_KEYS_MAX) {
		builder_fault(builder, line,
			      "more than %d keys in one map; expected fewer",
			      YAML_MAP_KEYS_MAX);
		return -EINVAL;
	}
	while (member && strcmp(member->key, key) != 0)
		member = member->next;
	if (!member)
		return 0;
	builder_fault(builder, line,
		      "key \"%.64s\" is given twice, first in line %d; "
		      "expected each key once",
		      key, member->line);
	return -EINVAL;
}

/* Makes a value and hangs it into the open map or list. */
static int add_value(struct builder *builder, enum yaml_kind kind,
		     const char *text, int line, struct yaml_value **out)
{
	struct yaml_tree *tree = builder->tree;
	struct level *level = builder->levels + builder->depth - 1;
	struct yaml_value *value = tree->values + tree->value_count;

	if (tree->value_count >= tree->value_limit) {
		builder_fault(builder, line,
			      "more than %u values; expected fewer",
			      YAML_VALUES_MAX);
		return -EINVAL;
	}
	tree->value_count++;
	*value = (struct yaml_value){
		.kind = kind,
		.line = line,
		.key = "",
		.text = text,
	};
	*out = value;
	if (!builder->depth)
		return 0;
	if (level->holder->kind == YAML_MAP)
		value->key = level->key;
	if (level->last)
		level->last->next = value;
	else
		level->holder->child = value;
	level->last = value;
	level->key = NULL;
	level->count++;
	return 0;
}

static bool key_is_due(const struct builder *builder)
{
	const struct level *level = builder->levels + builder->depth - 1;

	return builder->depth && level->holder->kind == YAML_MAP && !level->key;
}

static int add_scalar(struct builder *builder, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t size = event->data.scalar.length;
	bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	struct level *level = builder->levels + builder->depth - 1;
	struct yaml_value *value;

	if (memchr(text, '\0', size)) {
		builder_fault(builder, line_of(event),
			      "a text holds a zero byte; expected none");
		return -EINVAL;
	}
	text = keep_text(builder->tree, text, size);
	if (key_is_due(builder)) {
		level->key = text;
		return check_key(builder, level, text, line_of(event));
	}
	return add_value(builder, plain && !size ? YAML_EMPTY : YAML_SCALAR,
			 text, line_of(event), &value);
}

static int begin_level(struct builder *builder, enum yaml_kind kind,
		       const yaml_event_t *event)
{
	struct yaml_value *value;
	int error;

	if (key_is_due(builder)) {
		builder_fault(builder, line_of(event),
			      "a map or list stands where a key is expected");
		return -EINVAL;
	}
	if (builder->depth == YAML_DEPTH_MAX) {
		builder_fault(builder, line_of(event),
			      "more than %d levels of maps and lists; "
			      "expected fewer",
			      YAML_DEPTH_MAX);
		return -EINVAL;
	}
	error = add_value(builder, kind, "", line_of(event), &value);
	if (error)
		return error;
	builder->levels[builder->depth++] = (struct level){ .holder = value };
	return 0;
}

static int begin_document(struct builder *builder, const yaml_event_t *event)
{
	if (!builder->tree->value_count)
		return 0;
	builder_fault(builder, line_of(event),
		      "a second document begins; expected only one");
	return -EINVAL;
}

/* Anchors and tags hide in three kinds of event, aliases in a fourth. */
static int check_features(struct builder *builder, const yaml_event_t *event)
{
	const yaml_char_t *anchor = NULL;
	const yaml_char_t *tag = NULL;

	if (event->type == YAML_SCALAR_EVENT) {
		anchor = event->data.scalar.anchor;
		tag = event->data.scalar.tag;
	} else if (event->type == YAML_SEQUENCE_START_EVENT) {
		anchor = event->data.sequence_start.anchor;
		tag = event->data.sequence_start.tag;
	} else if (event->type == YAML_MAPPING_START_EVENT) {
		anchor = event->data.mapping_start.anchor;
		tag = event->data.mapping_start.tag;
	} else if (event->type == YAML_ALIAS_EVENT) {
		anchor = event->data.alias.anchor;
	}
	if (!anchor && !tag)
		return 0;
	builder_fault(builder, line_of(event), "%s; expected plain values",
		      anchor ? "an anchor (&) or alias (*) is used" :
			       "a tag (!) is used");
	return -EINVAL;
}

static int take_event(struct builder *builder, const yaml_event_t *event)
{
	int error = check_features(builder, event);

	if (error)
		return error;
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return add_scalar(builder, event);
	case YAML_MAPPING_START_EVENT:
		return begin_level(builder, YAML_MAP, event);
	case YAML_SEQUENCE_START_EVENT:
		return begin_level(builder, YAML_LIST, event);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		builder->depth--;
		return 0;
	case YAML_DOCUMENT_START_EVENT:
		return begin_document(builder, event);
	case YAML_STREAM_END_EVENT:
		builder->ended = true;
		return 0;
	default:
		return 0;
	}
}

static int syntax_fault(struct builder *builder, const yaml_parser_t *parser)
{
	bool reading = parser->error == YAML_READER_ERROR;
	/* The reader knows bytes only; it stops near the last mark. */
	size_t line = reading ? parser->mark.line : parser->problem_mark.line;

	if (parser->error == YAML_MEMORY_ERROR)
		return memory_fault(builder);
	builder_fault(builder, (int)line + 1, "not YAML: %s",
		      parser->problem ? parser->problem : "cannot be read");
	return -EINVAL;
}

static int build(struct builder *builder, yaml_parser_t *parser)
{
	yaml_event_t event;
	int error = 0;

	while (!error && !builder->ended) {
		if (!yaml_parser_parse(parser, &event))
			return syntax_fault(builder, parser);
		error = take_event(builder, &event);
		yaml_event_delete(&event);
	}
	return error;
}

static int parse(struct builder *builder, const char *text, size_t size)
{
	struct yaml_value *root;
	yaml_parser_t parser;
	int error;

	if (!yaml_parser_initialize(&parser))
		return memory_fault(builder);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text,
				     size);
	error = build(builder, &parser);
	yaml_parser_delete(&parser);
	if (error || builder->tree->value_count)
		return error;
	return add_value(builder, YAML_EMPTY, "", 1, &root);
}

static struct yaml_tree *tree_new(size_t text_bytes)
{
	struct yaml_tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return NULL;
	/* Every value takes a byte of text, but a few that are implied at its
	 * end and the root. */
	tree->value_limit = text_bytes + YAML_DEPTH_MAX;
	if (tree->value_limit > YAML_VALUES_MAX)
		tree->value_limit = YAML_VALUES_MAX;
	/* Each text is followed by a zero; there is a key per value. */
	tree->text_limit = GROWTH_MAX * text_bytes + 2 * tree->value_limit + 1;
	tree->values = calloc(tree->value_limit, sizeof(*tree->values));
	tree->texts = malloc(tree->text_limit);
	if (tree->values && tree->texts)
		return tree;
	yaml_close(tree);
	return NULL;
}

int yaml_open(struct yaml_tree **out, const struct yaml_source *source,
	      const char *text, size_t size, struct fault *fault)
{
	struct builder builder = { .source = source, .fault = fault };
	int error;

	if (size > YAML_TEXT_BYTES_MAX) {
		fault_set(fault, source->name, 0,
			  "longer than 1 MiB; expected a shorter text");
		return -EINVAL;
	}
	builder.tree = tree_new(size);
	if (!builder.tree)
		return memory_fault(&builder);
	error = parse(&builder, text, size);
	if (error)
		goto close_tree;
	*out = builder.tree;
	return 0;

close_tree:
	yaml_close(builder.tree);
	return error;
}

void yaml_close(struct yaml_tree *tree)
{
	if (!tree)
		return;
	free(tree->values);
	free(tree->texts);
	free(tree);
}

const struct yaml_value *yaml_root(const struct yaml_tree *tree)
{
	return &tree->values[0];
}

void yaml_write_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text < ' ' || *text > '~' ? '?' : *text, out);
	}
}
