/* SPDX-License-Identifier: MIT */
/*
 * A result that was written as JSON and is read back: a tree of nodes. The
 * text may come from anywhere, so a node may be of any kind; whoever asks for
 * what a node is not gets nothing, never a crash. What a result must look
 * like is checked once, by document_check().
 */
#ifndef ANALYSIS_DOCUMENT_H
#define ANALYSIS_DOCUMENT_H

#include <stdio.h>

#include "analysis/value.h"
#include "sim/fault.h"

struct node; /* opaque */

/* Parses a text; the root is freed with node_free(). -EINVAL for what is no
 * JSON object, with the line and what is wrong with it; -ENOMEM. */
int document_parse(struct node **root, const char *text, size_t size,
		   struct fault *fault) __attribute__((warn_unused_result));
void node_free(struct node *root);

/* More than this is no result that anybody wants to look at. */
#define DOCUMENT_BYTES_MAX ((size_t)64 << 20)

/* Is it a result of this program, no newer than the program, with every
 * figure of the kind it should be? -EINVAL and the first thing that is not. */
int document_check(const struct node *root, struct fault *fault)
	__attribute__((warn_unused_result));

/* The node at a dotted path of keys, "storage.bytes"; NULL when there is
 * none, or when it is null. Every function takes NULL for "none". */
const struct node *node_at(const struct node *object, const char *path);

/* The member of an object by its key as it is, dots and all. */
const struct node *node_member(const struct node *object, const char *key);

/* Visits every member of an object that is not null, in their order. */
void node_each(const struct node *object,
	       void (*visit)(void *context, const char *key,
			     const struct node *value),
	       void *context);

/* Elements of an array; 0 and NULL for what is no array. */
size_t node_count(const struct node *array);
const struct node *node_item(const struct node *array, size_t index);

bool node_is_object(const struct node *node);

/* The value, as one of this kind: not known when the node is of another.
 * Texts are borrowed. */
struct metric_value node_value(const struct node *node, enum metric_kind kind);

/* The same of what lies at a path: text, or NULL; number, or 0. */
const char *node_text(const struct node *object, const char *path);
double node_real(const struct node *object, const char *path);

/* The tree as JSON for people, as results are written. */
void node_write(FILE *out, const struct node *node);

#endif
