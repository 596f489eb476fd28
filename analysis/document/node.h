/* SPDX-License-Identifier: MIT */
/*
 * A node: a value in a tree as JSON has it: an object of named nodes, a list
 * of nodes, a text, a number, true or false, or null for what is not known.
 * Results are such trees; they are made here, or read back from a file that
 * may come from anywhere. So a node may be of any kind: whoever asks for what
 * a node is not gets nothing, never a crash.
 *
 * A path names a node below another, "storage.latency_s.p50", "runs.0.au": at
 * each step a member whose name is all that is left of the path, else one
 * whose name goes up to the next dot, or the item of a list by its number or by
 * its member "name".
 */
#ifndef ANALYSIS_DOCUMENT_NODE_H
#define ANALYSIS_DOCUMENT_NODE_H

#include <stdio.h>

#include "analysis/value.h"
#include "sim/fault.h"

struct node; /* opaque */

/* Parses a text; the root is freed with node_free(). -EINVAL for what is no
 * JSON object, with the line and what is wrong with it; -ENOMEM. */
int node_parse(struct node **root, const char *text, size_t size,
	       struct fault *fault) __attribute__((warn_unused_result));

/* The tree as JSON for people: members in the order they were set in, numbers
 * with the digits that they need. */
void node_write(FILE *out, const struct node *node);

/* ---- making; NULL, or a status that is not 0: no memory ---- */

struct node *node_new_object(void);
void node_free(struct node *root);

/* One more holder of a tree, who frees it too; the tree. */
struct node *node_hold(struct node *tree);

/* Sets the value at a path, making the objects on the way. A path's names are
 * those between its dots. Texts are copied; bytes that are no UTF-8 become
 * '?'. */
int node_set(struct node *object, const char *path, enum metric_kind kind,
	     struct metric_value value) __attribute__((warn_unused_result));

/* Sets the value of the member whose name is just that, dots and all. */
int node_set_member(struct node *object, const char *name,
		    enum metric_kind kind, struct metric_value value)
	__attribute__((warn_unused_result));

/* The object, or the list, at a path; an empty one is made where there is
 * none. Borrowed from the tree. */
struct node *node_make_object(struct node *object, const char *path);
struct node *node_make_list(struct node *object, const char *path);

/* The tree as a member of one more object: it lives until both are freed. */
int node_share(struct node *object, const char *name, struct node *tree)
	__attribute__((warn_unused_result));

/* Takes the member out of the object; the caller frees it. NULL: there was
 * none. */
struct node *node_remove(struct node *object, const char *name);

/* A new item at the end of a list: an object, a list, or a value. */
struct node *node_append_object(struct node *list);
struct node *node_append_list(struct node *list);
int node_append(struct node *list, enum metric_kind kind,
		struct metric_value value) __attribute__((warn_unused_result));

/* ---- reading; every function takes NULL for "none" ---- */

/* The node at a path; NULL when there is none, or when it is null. */
const struct node *node_at(const struct node *object, const char *path);

/* The member of an object by its name as it is, dots and all. */
const struct node *node_member(const struct node *object, const char *name);

/* Visits every member of an object that is not null, in their order. */
void node_each(const struct node *object,
	       void (*visit)(void *context, const char *name,
			     const struct node *value),
	       void *context);

/* Items of a list; 0 and NULL for what is no list. */
size_t node_count(const struct node *list);
const struct node *node_item(const struct node *list, size_t index);

bool node_is_object(const struct node *node);
bool node_is_list(const struct node *node);

bool node_equal(const struct node *one, const struct node *other);

/* The value, as one of this kind: not known when the node is of another.
 * Texts are borrowed. */
struct metric_value node_value(const struct node *node, enum metric_kind kind);

/* The kind that the value is of: METRIC_TEXT, METRIC_BOOL, METRIC_COUNT for a
 * whole number that is not negative, else METRIC_REAL. */
enum metric_kind node_kind(const struct node *node);

/* What lies at a path: text, or NULL; number, or 0. */
const char *node_text(const struct node *object, const char *path);
double node_real(const struct node *object, const char *path);

#endif
