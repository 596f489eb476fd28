/* SPDX-License-Identifier: MIT */
/* The environments of others: keys of any kind, databases by name. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/dataset/pages_tree.h"

/* What others' files may say beside that: a fixed address, no folder. */
#define META_FLAGS_OTHERS 0x4001u
/* Of a database: what its keys are, and sorted duplicates. */
#define TREE_REVERSE_KEYS 0x02u
#define TREE_DUPLICATES 0x04u
#define TREE_NUMBERS 0x08u
/* Room for the names of databases in a fault. */
#define NAMES_BYTES 240u

/* Names of databases, as far as there is room. */
struct database_names {
	char text[NAMES_BYTES];
	size_t size;
	uint64_t count;
	uint64_t left_out;
};

/* What is looked for, and what was found so far. */
struct others {
	const char *database; /* by name; NULL: the unnamed one */
	struct pages_tree found;
	bool is_found;
	struct database_names names;
	uint64_t values;
	pages_visit *visit;
	pages_tell *tell;
	void *context; /* of either */
};

static void add_name(struct database_names *names, const uint8_t *name,
		     size_t size)
{
	char *to = names->text + names->size;

	names->count++;
	if (names->size + size + sizeof(", ") > sizeof(names->text)) {
		names->left_out++;
		return;
	}
	if (names->size) {
		*to++ = ',';
		*to++ = ' ';
	}
	for (size_t index = 0; index < size; index++)
		*to++ = name[index] >= ' ' && name[index] < 0x7f ?
				(char)name[index] :
				'?';
	*to = 0;
	names->size = (size_t)(to - names->text);
}

/* An entry of the unnamed database that is the root of a named one: the tree
 * is its value. */
static int note_database(struct pages_walk *walk, const struct page *page,
			 const struct node *node)
{
	struct others *others = walk->context;
	const uint8_t *key = node->bytes + PAGES_NODE_HEADER_BYTES;

	if (node->flags != PAGES_NODE_DATABASE ||
	    node->low != PAGES_TREE_BYTES ||
	    node->low > (uint32_t)(node->room - node->key_bytes))
		return pages_damaged(walk, page->number,
				     "value of another kind");
	add_name(&others->names, key, node->key_bytes);
	if (others->tell)
		others->tell(others->context, (const char *)key,
			     node->key_bytes);
	if (others->database && strlen(others->database) == node->key_bytes &&
	    memcmp(others->database, key, node->key_bytes) == 0) {
		others->found = pages_read_tree(key + node->key_bytes);
		others->is_found = true;
	}
	return 0;
}

static int find_database(struct pages_walk *walk, const struct page *page,
			 const struct node *node)
{
	return node->flags & PAGES_NODE_OTHER_KINDS ?
		       note_database(walk, page, node) :
		       0;
}

static int visit_value(struct pages_walk *walk, const struct page *page,
		       const struct node *node)
{
	struct others *others = walk->context;
	struct pages_value value;
	int error;

	if (walk->tree.flags & TREE_NUMBERS && node->key_bytes != 4 &&
	    node->key_bytes != 8)
		return pages_damaged(walk, page->number,
				     "key that is no number");
	if (node->flags & PAGES_NODE_OTHER_KINDS && others->database)
		return pages_damaged(walk, page->number,
				     "value of another kind");
	if (node->flags & PAGES_NODE_OTHER_KINDS)
		return note_database(walk, page, node);
	error = pages_find_value(walk, page, node, &value);
	if (error)
		return error;
	others->values++;
	return others->visit(others->context, &value);
}

static int list_databases(const struct pages_walk *walk, const char *what)
{
	const struct others *others = walk->context;
	char more[40] = "";

	if (others->names.left_out)
		snprintf(more, sizeof(more), " and %" PRIu64 " more",
			 others->names.left_out);
	fault_set(walk->fault, NULL, 0, "%s: %s; %s%s%s", walk->name, what,
		  others->names.count ? "its databases are " :
					"it has no named database",
		  others->names.text, more);
	return -ENOENT;
}

static int choose_tree(struct pages_walk *walk, struct pages_tree *tree)
{
	const struct others *others = walk->context;
	char what[120];
	int error;

	*tree = walk->meta.main;
	if (others->database) {
		error = pages_walk_tree(walk, tree, find_database);
		if (error)
			return error;
		snprintf(what, sizeof(what), "has no database '%.80s'",
			 others->database);
		if (!others->is_found)
			return list_databases(walk, what);
		*tree = others->found;
	}
	if (tree->flags & TREE_DUPLICATES) {
		fault_set(walk->fault, NULL, 0,
			  "%s: the database has sorted duplicates "
			  "(MDB_DUPSORT), several values to a key; only one "
			  "value to a key is read",
			  walk->name);
		return -EINVAL;
	}
	if (tree->flags & ~(TREE_REVERSE_KEYS | TREE_NUMBERS))
		return pages_damaged(walk, 0, "a database of an unknown kind");
	return 0;
}

int pages_walk(int fd, uint64_t file_bytes, const char *name,
	       const char *database, pages_visit *visit, void *context,
	       struct fault *fault)
{
	struct others others = {
		.database = database,
		.visit = visit,
		.context = context,
	};
	struct pages_walk walk = {
		.fd = fd,
		.name = name,
		.fault = fault,
		.context = &others,
	};
	struct pages_tree tree;
	int error;

	error = pages_start(&walk, file_bytes, META_FLAGS_OTHERS);
	if (!error)
		error = choose_tree(&walk, &tree);
	if (!error)
		error = pages_walk_tree(&walk, &tree, visit_value);
	if (!error && !others.values && others.names.count)
		error = list_databases(&walk, "holds nothing but named "
					      "databases: name one (--db)");
	free(walk.pages);
	return error;
}

int pages_databases(int fd, uint64_t file_bytes, const char *name,
		    pages_tell *tell, void *context, struct fault *fault)
{
	struct others others = { .tell = tell, .context = context };
	struct pages_walk walk = {
		.fd = fd,
		.name = name,
		.fault = fault,
		.context = &others,
	};
	int error;

	error = pages_start(&walk, file_bytes, META_FLAGS_OTHERS);
	if (!error)
		error = pages_walk_tree(&walk, &walk.meta.main, find_database);
	free(walk.pages);
	return error;
}
