/* SPDX-License-Identifier: MIT */
#include "storage/dataset/pages_tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/bytes.h"
#include "storage/file.h"

#define META_MAGIC 0xBEEFC0DEu
#define META_VERSION 1u
#define META_FLAGS 0x08u /* nothing but what every file has */
#define META_BYTES 152u
#define PAGE_BYTES_MIN 512u
#define PAGE_BYTES_MAX 32768u
#define PAGE_HEADER_BYTES 16u
#define PAGE_BRANCH 0x01u
#define PAGE_LEAF 0x02u
#define PAGE_META 0x08u
#define PAGES_NODE_HEADER_BYTES 8u
#define PAGES_NODE_BIG 0x01u
#define PAGES_NODE_DATABASE 0x02u
#define PAGES_NODE_OTHER_KINDS 0x06u
#define PAGES_TREE_BYTES 48u
#define KEY_BYTES 8u
/* LMDB's own limit of a cursor. */
#define DEPTH_MAX 32u

int pages_damaged(const struct pages_walk *walk, uint64_t page,
		  const char *what)
{
	fault_set(walk->fault, NULL, 0,
		  "%s: LMDB page %" PRIu64 " is damaged: %s", walk->name, page,
		  what);
	return -EBADMSG;
}

struct pages_tree pages_read_tree(const uint8_t from[PAGES_TREE_BYTES])
{
	return (struct pages_tree){
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

/* Reads where bytes must be; what the disk refuses is no damage. */
static int read_whole(const struct pages_walk *walk, uint64_t page, void *to,
		      size_t size, uint64_t offset)
{
	int error = file_read_at(walk->fd, to, size, offset);

	if (error == -ENODATA)
		return pages_damaged(walk, page, "the file ends before it");
	if (error)
		fault_set(walk->fault, NULL, 0,
			  "%s: LMDB page %" PRIu64 " cannot be read: %s",
			  walk->name, page, strerror(-error));
	return error;
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
	out->main = pages_read_tree(meta + 72);
	out->last_page = bytes_get_le64(meta + 120);
	out->transaction = bytes_get_le64(meta + 128);
	return 0;
}

static bool is_page_bytes(uint32_t bytes)
{
	return bytes >= PAGE_BYTES_MIN && bytes <= PAGE_BYTES_MAX &&
	       (bytes & (bytes - 1)) == 0;
}

static int check_meta(struct pages_walk *walk, uint64_t file_bytes)
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

static int check_root(const struct pages_walk *walk)
{
	const struct pages_tree *tree = &walk->tree;

	if (tree->depth > DEPTH_MAX)
		return pages_damaged(walk, 0, "tree too deep");
	if (tree->depth == 0 && (tree->entries || tree->root != UINT64_MAX))
		return pages_damaged(walk, 0, "entries without a tree");
	return 0;
}

static int load_meta(struct pages_walk *walk, uint64_t file_bytes,
		     uint16_t flags_too)
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
	if (error && error != -EBADMSG && error != -ENOTSUP)
		fault_set(walk->fault, NULL, 0,
			  "%s: its meta pages cannot be read: %s", walk->name,
			  strerror(-error));
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
static int load_page(struct pages_walk *walk, struct page *page,
		     uint64_t number, uint32_t level)
{
	const uint32_t page_bytes = walk->meta.page_bytes;
	uint8_t *bytes = walk->pages + (size_t)level * page_bytes;
	const bool leaf = level + 1 == walk->tree.depth;
	uint32_t lower;
	uint32_t upper;
	int error;

	if (number < 2 || number > walk->meta.last_page)
		return pages_damaged(walk, number, "no such page");
	if (walk->pages_seen++ > walk->meta.last_page)
		return pages_damaged(walk, number, "met more than once");
	error = read_whole(walk, number, bytes, page_bytes,
			   number * page_bytes);
	if (error)
		return error;
	if (bytes_get_le64(bytes) != number)
		return pages_damaged(walk, number, "has another page's number");
	if (bytes_get_le16(bytes + 10) != (leaf ? PAGE_LEAF : PAGE_BRANCH))
		return pages_damaged(walk, number, "of the wrong kind");
	lower = bytes_get_le16(bytes + 12);
	upper = bytes_get_le16(bytes + 14);
	if (lower < PAGE_HEADER_BYTES || lower % 2 || lower > upper ||
	    upper > page_bytes)
		return pages_damaged(walk, number, "its bounds are impossible");
	page->bytes = bytes;
	page->number = number;
	page->nodes = (lower - PAGE_HEADER_BYTES) / 2;
	/* LMDB aborts on a branch with a single child. */
	if (page->nodes < (leaf ? 1u : 2u))
		return pages_damaged(walk, number, "too few entries");
	return 0;
}

static int load_node(struct pages_walk *walk, const struct page *page,
		     uint32_t index, struct node *node)
{
	const uint32_t page_bytes = walk->meta.page_bytes;
	const uint8_t *pointers = page->bytes + PAGE_HEADER_BYTES;
	uint32_t lower = bytes_get_le16(page->bytes + 12);
	uint32_t at = bytes_get_le16(pointers + (size_t)index * 2);

	if (at < lower || at % 2 || at + PAGES_NODE_HEADER_BYTES > page_bytes)
		return pages_damaged(walk, page->number, "entry outside of it");
	node->bytes = page->bytes + at;
	node->room = page_bytes - at - PAGES_NODE_HEADER_BYTES;
	node->low = bytes_get_le32(node->bytes);
	node->flags = bytes_get_le16(node->bytes + 4);
	node->key_bytes = bytes_get_le16(node->bytes + 6);
	if (node->key_bytes > node->room)
		return pages_damaged(walk, page->number, "key outside of it");
	return 0;
}

/* The value of a leaf's node lies in the page, or on whole pages of its own
 * that all exist. */
int pages_find_value(struct pages_walk *walk, const struct page *page,
		     const struct node *node, struct pages_value *value)
{
	const uint32_t page_bytes = walk->meta.page_bytes;
	const uint32_t room = node->room - node->key_bytes;
	const uint8_t *at =
		node->bytes + PAGES_NODE_HEADER_BYTES + node->key_bytes;
	uint64_t pages;
	uint64_t first;

	value->bytes = node->low;
	value->offset_bytes =
		page->number * page_bytes + (uint64_t)(at - page->bytes);
	if (!(node->flags & PAGES_NODE_BIG)) {
		if (node->low > room)
			return pages_damaged(walk, page->number,
					     "value outside of it");
		return 0;
	}
	if (room < sizeof(first))
		return pages_damaged(walk, page->number, "value outside of it");
	first = bytes_get_le64(at);
	pages = ((uint64_t)node->low + PAGE_HEADER_BYTES + page_bytes - 1) /
		page_bytes;
	if (first < 2 || first > walk->meta.last_page ||
	    pages > walk->meta.last_page - first + 1)
		return pages_damaged(walk, page->number,
				     "value outside of the file");
	value->offset_bytes = first * page_bytes + PAGE_HEADER_BYTES;
	return 0;
}

/* Of our own lists. */
static int check_numbered(struct pages_walk *walk, const struct page *page,
			  const struct node *node)
{
	struct pages_value value;

	if (node->key_bytes != KEY_BYTES ||
	    bytes_get_be64(node->bytes + PAGES_NODE_HEADER_BYTES) !=
		    walk->entries)
		return pages_damaged(walk, page->number,
				     "its keys are not 0, 1, 2, ...");
	if (node->flags & PAGES_NODE_OTHER_KINDS)
		return pages_damaged(walk, page->number,
				     "value of another kind");
	return pages_find_value(walk, page, node, &value);
}

static int check_leaf(struct pages_walk *walk, const struct page *page)
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
static int check_tree(struct pages_walk *walk, uint64_t number, uint32_t level)
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

int pages_walk_tree(struct pages_walk *walk, const struct pages_tree *tree,
		    pages_entry *entry)
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
		error = pages_damaged(walk, 0, "it counts other entries");
	return error;
}

int pages_start(struct pages_walk *walk, uint64_t file_bytes,
		uint16_t flags_too)
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
	struct pages_walk walk = { .fd = fd, .name = name, .fault = fault };
	int error;

	error = pages_start(&walk, file_bytes, 0);
	if (!error && walk.meta.main.flags)
		error = pages_damaged(&walk, 0, "keys of another kind");
	if (!error)
		error = pages_walk_tree(&walk, &walk.meta.main, check_numbered);
	free(walk.pages);
	facts->page_bytes = walk.meta.page_bytes;
	facts->entries = walk.entries;
	return error;
}
