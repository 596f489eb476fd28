/* SPDX-License-Identifier: MIT */
#include "storage/pages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/bytes.h"
#include "storage/file.h"

#define META_MAGIC 0xBEEFC0DEu
#define META_VERSION 1u
#define META_FLAGS 0x08u /* nothing but what every file has */
/* What others' files may say beside that: a fixed address, no folder. */
#define META_FLAGS_OTHERS 0x4001u
#define META_BYTES 152u
#define PAGE_BYTES_MIN 512u
#define PAGE_BYTES_MAX 32768u
#define PAGE_HEADER_BYTES 16u
#define PAGE_BRANCH 0x01u
#define PAGE_LEAF 0x02u
#define PAGE_META 0x08u
#define NODE_HEADER_BYTES 8u
#define NODE_BIG 0x01u
#define NODE_DATABASE 0x02u
#define NODE_OTHER_KINDS 0x06u
/* Of a database: what its keys are, and sorted duplicates. */
#define TREE_REVERSE_KEYS 0x02u
#define TREE_DUPLICATES 0x04u
#define TREE_NUMBERS 0x08u
#define TREE_BYTES 48u
/* Room for the names of databases in a fault. */
#define NAMES_BYTES 240u
#define KEY_BYTES 8u
/* LMDB's own limit of a cursor. */
#define DEPTH_MAX 32u

/* A database: the root of its tree. */
struct tree {
	uint16_t flags;
	uint16_t depth;
	uint64_t entries;
	uint64_t root;
};

/* One of the two meta pages: the newer of them is the root of the file. */
struct meta {
	uint32_t page_bytes;
	uint16_t flags;
	struct tree main;
	uint64_t last_page;
	uint64_t transaction;
};

struct node;
struct page;
struct walk;

/* Is told of each entry of a leaf. */
typedef int walk_entry(struct walk *walk, const struct page *page,
		       const struct node *node);

/* Names of databases, as far as there is room. */
struct database_names {
	char text[NAMES_BYTES];
	size_t size;
	uint64_t count;
	uint64_t left_out;
};

struct walk {
	int fd;
	const char *name;
	struct fault *fault;
	struct meta meta;
	struct tree tree;
	walk_entry *entry;
	uint64_t entries;
	uint64_t pages_seen;
	uint8_t *pages; /* one per level */
	/* In the environments of others. */
	const char *database; /* looked for; NULL: the unnamed one */
	struct tree found;
	bool is_found;
	struct database_names names;
	uint64_t values;
	pages_visit *visit;
	void *context;
};

struct page {
	const uint8_t *bytes;
	uint64_t number;
	uint32_t nodes;
};

struct node {
	const uint8_t *bytes;
	uint32_t room; /* up to the end of the page */
	uint16_t flags;
	uint16_t key_bytes;
	uint32_t low; /* data size, or low half of a page number */
};

static int damaged(const struct walk *walk, uint64_t page, const char *what)
{
	fault_set(walk->fault, NULL, 0,
		  "%s: LMDB page %" PRIu64 " is damaged: %s", walk->name, page,
		  what);
	return -EBADMSG;
}

static struct tree read_tree(const uint8_t *from)
{
	return (struct tree){
		.flags = bytes_get_le16(from + 4),
		.depth = bytes_get_le16(from + 6),
		.entries = bytes_get_le64(from + 32),
		.root = bytes_get_le64(from + 40),
	};
}

bool pages_recognise(const uint8_t head[PAGES_HEAD_BYTES])
{
	return bytes_get_le16(head + 10) & PAGE_META &&
	       bytes_get_le32(head + PAGE_HEADER_BYTES) == META_MAGIC;
}

static int read_meta(struct meta *out, const uint8_t *page)
{
	const uint8_t *meta = page + PAGE_HEADER_BYTES;

	if (!pages_recognise(page))
		return -EBADMSG;
	if (bytes_get_le32(meta + 4) != META_VERSION)
		return -ENOTSUP;
	out->page_bytes = bytes_get_le32(meta + 24);
	out->flags = bytes_get_le16(meta + 28);
	out->main = read_tree(meta + 72);
	out->last_page = bytes_get_le64(meta + 120);
	out->transaction = bytes_get_le64(meta + 128);
	return 0;
}

static bool is_page_bytes(uint32_t bytes)
{
	return bytes >= PAGE_BYTES_MIN && bytes <= PAGE_BYTES_MAX &&
	       (bytes & (bytes - 1)) == 0;
}

static int check_meta(struct walk *walk, uint64_t file_bytes)
{
	const struct meta *meta = &walk->meta;
	uint64_t pages = file_bytes / meta->page_bytes;

	if (meta->last_page >= pages) {
		fault_set(walk->fault, NULL, 0,
			  "%s: truncated: LMDB counts %" PRIu64 " pages of %u "
			  "bytes, the file has %" PRIu64,
			  walk->name, meta->last_page + 1, meta->page_bytes,
			  pages);
		return -EBADMSG;
	}
	return 0;
}

static int check_root(const struct walk *walk)
{
	const struct tree *tree = &walk->tree;

	if (tree->depth > DEPTH_MAX)
		return damaged(walk, 0, "tree too deep");
	if (tree->depth == 0 && (tree->entries || tree->root != UINT64_MAX))
		return damaged(walk, 0, "entries without a tree");
	return 0;
}

static int load_meta(struct walk *walk, uint64_t file_bytes, uint16_t flags_too)
{
	uint8_t bytes[META_BYTES];
	struct meta second;
	int error;

	error = file_read_at(walk->fd, bytes, sizeof(bytes), 0);
	if (!error)
		error = read_meta(&walk->meta, bytes);
	if (!error && !is_page_bytes(walk->meta.page_bytes))
		error = -EBADMSG;
	if (!error)
		error = file_read_at(walk->fd, bytes, sizeof(bytes),
				     walk->meta.page_bytes);
	if (!error)
		error = read_meta(&second, bytes);
	if (!error && second.page_bytes != walk->meta.page_bytes)
		error = -EBADMSG;
	if (!error && (walk->meta.flags & ~flags_too) != META_FLAGS)
		error = -ENOTSUP;
	if (error == -ENODATA)
		error = -EBADMSG;
	if (error) {
		fault_set(walk->fault, NULL, 0,
			  "%s: not a sound LMDB 0.9 data file: its meta pages "
			  "are "
			  "not as they should be",
			  walk->name);
		return error;
	}
	if (second.transaction > walk->meta.transaction)
		walk->meta = second;
	return check_meta(walk, file_bytes);
}

/* Reads a page of the tree and checks its header and node pointers. */
static int load_page(struct walk *walk, struct page *page, uint64_t number,
		     uint32_t level)
{
	const uint32_t page_bytes = walk->meta.page_bytes;
	uint8_t *bytes = walk->pages + (size_t)level * page_bytes;
	const bool leaf = level + 1 == walk->tree.depth;
	uint32_t lower;
	uint32_t upper;
	int error;

	if (number < 2 || number > walk->meta.last_page)
		return damaged(walk, number, "no such page");
	if (walk->pages_seen++ > walk->meta.last_page)
		return damaged(walk, number, "met more than once");
	error = file_read_at(walk->fd, bytes, page_bytes, number * page_bytes);
	if (error)
		return damaged(walk, number, "cannot be read");
	if (bytes_get_le64(bytes) != number)
		return damaged(walk, number, "has another page's number");
	if (bytes_get_le16(bytes + 10) != (leaf ? PAGE_LEAF : PAGE_BRANCH))
		return damaged(walk, number, "of the wrong kind");
	lower = bytes_get_le16(bytes + 12);
	upper = bytes_get_le16(bytes + 14);
	if (lower < PAGE_HEADER_BYTES || lower % 2 || lower > upper ||
	    upper > page_bytes)
		return damaged(walk, number, "its bounds are impossible");
	page->bytes = bytes;
	page->number = number;
	page->nodes = (lower - PAGE_HEADER_BYTES) / 2;
	/* LMDB aborts on a branch with a single child. */
	if (page->nodes < (leaf ? 1u : 2u))
		return damaged(walk, number, "too few entries");
	return 0;
}

static int load_node(struct walk *walk, const struct page *page, uint32_t index,
		     struct node *node)
{
	const uint32_t page_bytes = walk->meta.page_bytes;
	const uint8_t *pointers = page->bytes + PAGE_HEADER_BYTES;
	uint32_t lower = bytes_get_le16(page->bytes + 12);
	uint32_t at = bytes_get_le16(pointers + (size_t)index * 2);

	if (at < lower || at % 2 || at + NODE_HEADER_BYTES > page_bytes)
		return damaged(walk, page->number, "entry outside of it");
	node->bytes = page->bytes + at;
	node->room = page_bytes - at - NODE_HEADER_BYTES;
	node->low = bytes_get_le32(node->bytes);
	node->flags = bytes_get_le16(node->bytes + 4);
	node->key_bytes = bytes_get_le16(node->bytes + 6);
	if (node->key_bytes > node->room)
		return damaged(walk, page->number, "key outside of it");
	return 0;
}

/* The value of a leaf's node lies in the page, or on whole pages of its own
 * that all exist. */
static int check_value(struct walk *walk, const struct page *page,
		       const struct node *node, struct pages_value *value)
{
	const uint32_t page_bytes = walk->meta.page_bytes;
	const uint32_t room = node->room - node->key_bytes;
	const uint8_t *at = node->bytes + NODE_HEADER_BYTES + node->key_bytes;
	uint64_t pages;
	uint64_t first;

	value->bytes = node->low;
	value->offset_bytes =
		page->number * page_bytes + (uint64_t)(at - page->bytes);
	if (!(node->flags & NODE_BIG)) {
		if (node->low > room)
			return damaged(walk, page->number,
				       "value outside of it");
		return 0;
	}
	if (room < sizeof(first))
		return damaged(walk, page->number, "value outside of it");
	first = bytes_get_le64(at);
	pages = ((uint64_t)node->low + PAGE_HEADER_BYTES + page_bytes - 1) /
		page_bytes;
	if (first < 2 || first > walk->meta.last_page ||
	    pages > walk->meta.last_page - first + 1)
		return damaged(walk, page->number, "value outside of the file");
	value->offset_bytes = first * page_bytes + PAGE_HEADER_BYTES;
	return 0;
}

/* Of our own lists. */
static int check_numbered(struct walk *walk, const struct page *page,
			  const struct node *node)
{
	struct pages_value value;

	if (node->key_bytes != KEY_BYTES ||
	    bytes_get_be64(node->bytes + NODE_HEADER_BYTES) != walk->entries)
		return damaged(walk, page->number,
			       "its keys are not 0, 1, 2, ...");
	if (node->flags & NODE_OTHER_KINDS)
		return damaged(walk, page->number, "value of another kind");
	return check_value(walk, page, node, &value);
}

static int check_leaf(struct walk *walk, const struct page *page)
{
	struct node node;
	int error;

	for (uint32_t index = 0; index < page->nodes; index++) {
		error = load_node(walk, page, index, &node);
		if (!error)
			error = walk->entry(walk, page, &node);
		if (error)
			return error;
		walk->entries++;
	}
	return 0;
}

/* Recursion ends at the tree's depth, at most DEPTH_MAX; and no more pages are
 * met than the file has, whatever leads back to where it came from. */
static int check_tree(struct walk *walk, uint64_t number, uint32_t level)
{
	struct page page;
	struct node node;
	int error;

	error = load_page(walk, &page, number, level);
	if (error)
		return error;
	if (level + 1 == walk->tree.depth)
		return check_leaf(walk, &page);
	for (uint32_t index = 0; index < page.nodes; index++) {
		error = load_node(walk, &page, index, &node);
		if (error)
			return error;
		/* A child's number has 48 bits: size and flags fields. */
		error = check_tree(walk, node.low | (uint64_t)node.flags << 32,
				   level + 1);
		if (error)
			return error;
	}
	return 0;
}

static int walk_tree(struct walk *walk, const struct tree *tree,
		     walk_entry *entry)
{
	int error;

	walk->tree = *tree;
	walk->entry = entry;
	walk->entries = 0;
	walk->pages_seen = 0;
	error = check_root(walk);
	if (!error && tree->depth)
		error = check_tree(walk, tree->root, 0);
	if (!error && walk->entries != tree->entries)
		error = damaged(walk, 0, "it counts other entries");
	return error;
}

static int start(struct walk *walk, uint64_t file_bytes, uint16_t flags_too)
{
	int error;

	error = load_meta(walk, file_bytes, flags_too);
	if (error)
		return error;
	walk->pages = malloc((size_t)walk->meta.page_bytes * DEPTH_MAX);
	return walk->pages ? 0 : -ENOMEM;
}

int pages_check(int fd, uint64_t file_bytes, const char *name,
		struct pages_facts *facts, struct fault *fault)
{
	struct walk walk = { .fd = fd, .name = name, .fault = fault };
	int error;

	error = start(&walk, file_bytes, 0);
	if (!error && walk.meta.main.flags)
		error = damaged(&walk, 0, "keys of another kind");
	if (!error)
		error = walk_tree(&walk, &walk.meta.main, check_numbered);
	free(walk.pages);
	facts->page_bytes = walk.meta.page_bytes;
	facts->entries = walk.entries;
	return error;
}

/* --- The environments of others ------------------------------------------- */

static void add_name(struct database_names *names, const uint8_t *name,
		     size_t size)
{
	char *to = names->text + names->size;

	names->count++;
	if (names->size + size + sizeof(", ") > sizeof(names->text)) {
		names->left_out++;
		return;
	}
	to += sprintf(to, "%s", names->size ? ", " : "");
	for (size_t index = 0; index < size; index++)
		*to++ = name[index] >= ' ' && name[index] < 0x7f ?
				(char)name[index] :
				'?';
	*to = 0;
	names->size = (size_t)(to - names->text);
}

/* An entry of the unnamed database that is the root of a named one: the tree
 * is its value. */
static int note_database(struct walk *walk, const struct page *page,
			 const struct node *node)
{
	const uint8_t *key = node->bytes + NODE_HEADER_BYTES;

	if (node->flags != NODE_DATABASE || node->low != TREE_BYTES ||
	    node->low > (uint32_t)(node->room - node->key_bytes))
		return damaged(walk, page->number, "value of another kind");
	add_name(&walk->names, key, node->key_bytes);
	if (walk->database && strlen(walk->database) == node->key_bytes &&
	    memcmp(walk->database, key, node->key_bytes) == 0) {
		walk->found = read_tree(key + node->key_bytes);
		walk->is_found = true;
	}
	return 0;
}

static int find_database(struct walk *walk, const struct page *page,
			 const struct node *node)
{
	return node->flags & NODE_OTHER_KINDS ?
		       note_database(walk, page, node) :
		       0;
}

static int visit_value(struct walk *walk, const struct page *page,
		       const struct node *node)
{
	struct pages_value value;
	int error;

	if (walk->tree.flags & TREE_NUMBERS && node->key_bytes != 4 &&
	    node->key_bytes != 8)
		return damaged(walk, page->number, "key that is no number");
	if (node->flags & NODE_OTHER_KINDS && walk->database)
		return damaged(walk, page->number, "value of another kind");
	if (node->flags & NODE_OTHER_KINDS)
		return note_database(walk, page, node);
	error = check_value(walk, page, node, &value);
	if (error)
		return error;
	walk->values++;
	return walk->visit(walk->context, &value);
}

static int list_databases(const struct walk *walk, const char *what)
{
	char more[40] = "";

	if (walk->names.left_out)
		snprintf(more, sizeof(more), " and %" PRIu64 " more",
			 walk->names.left_out);
	fault_set(walk->fault, NULL, 0, "%s: %s; %s%s%s", walk->name, what,
		  walk->names.count ? "its databases are " :
				      "it has no named database",
		  walk->names.text, more);
	return -ENOENT;
}

static int choose_tree(struct walk *walk, struct tree *tree)
{
	char what[120];
	int error;

	*tree = walk->meta.main;
	if (walk->database) {
		error = walk_tree(walk, tree, find_database);
		if (error)
			return error;
		snprintf(what, sizeof(what), "has no database '%.80s'",
			 walk->database);
		if (!walk->is_found)
			return list_databases(walk, what);
		*tree = walk->found;
	}
	if (tree->flags & TREE_DUPLICATES) {
		fault_set(walk->fault, NULL, 0,
			  "%s: the database has sorted duplicates "
			  "(MDB_DUPSORT), several values to a key; only one "
			  "value to a key is read",
			  walk->name);
		return -ENOTSUP;
	}
	if (tree->flags & ~(TREE_REVERSE_KEYS | TREE_NUMBERS))
		return damaged(walk, 0, "a database of an unknown kind");
	return 0;
}

int pages_walk(int fd, uint64_t file_bytes, const char *name,
	       const char *database, pages_visit *visit, void *context,
	       struct fault *fault)
{
	struct walk walk = {
		.fd = fd,
		.name = name,
		.fault = fault,
		.database = database,
		.visit = visit,
		.context = context,
	};
	struct tree tree;
	int error;

	error = start(&walk, file_bytes, META_FLAGS_OTHERS);
	if (!error)
		error = choose_tree(&walk, &tree);
	if (!error)
		error = walk_tree(&walk, &tree, visit_value);
	if (!error && !walk.values && walk.names.count)
		error = list_databases(&walk, "holds nothing but named "
					      "databases: name one (--db)");
	free(walk.pages);
	return error;
}
