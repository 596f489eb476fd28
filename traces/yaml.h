/* SPDX-License-Identifier: MIT */
/*
 * A YAML text as a small tree. Of YAML only what a scenario needs: one
 * document of maps, lists and scalars. Anchors, aliases, tags and repeated
 * keys are refused, and size, depth and count have ceilings, so that a hostile
 * text costs a few megabytes and milliseconds at most. What a scalar means is
 * for its reader to say: here it is text.
 */
#ifndef TRACES_YAML_H
#define TRACES_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/fault.h"

#define YAML_TEXT_BYTES_MAX (1u << 20)
#define YAML_VALUES_MAX (1u << 16)
#define YAML_DEPTH_MAX 16
#define YAML_MAP_KEYS_MAX 1024

enum yaml_kind {
	YAML_EMPTY, /* nothing was written: "key:" or an empty text */
	YAML_SCALAR,
	YAML_MAP,
	YAML_LIST,
};

struct yaml_value {
	enum yaml_kind kind;
	int line;		  /* 1-based */
	const char *key;	  /* in a map; "" otherwise */
	const char *text;	  /* of a scalar; "" otherwise */
	struct yaml_value *child; /* first member of a map or list */
	struct yaml_value *next;  /* within its map or list */
};

struct yaml_tree;

/* Where a text came from, for faults: a named file with lines, or a single
 * line such as an option's, where line numbers say nothing. */
struct yaml_source {
	const char *name;
	bool numbered;
};

/* Writes a text between the double quotes that its writer puts: bytes that are
 * no plain ASCII become '?'. */
void yaml_write_text(FILE *out, const char *text);

/* -EINVAL and a fault with the line when the text is not such YAML; -ENOMEM.
 * The tree keeps nothing of the text. */
int yaml_open(struct yaml_tree **out, const struct yaml_source *source,
	      const char *text, size_t size, struct fault *fault)
	__attribute__((warn_unused_result));
void yaml_close(struct yaml_tree *tree);

/* Valid while the tree is open. */
const struct yaml_value *yaml_root(const struct yaml_tree *tree);

#endif
