/* SPDX-License-Identifier: MIT */
/*
 * The walk through the tree of an LMDB file, for those who look at its
 * entries: our own lists (storage/dataset/pages.c) and the environments of
 * others (storage/dataset/pages_others.c).
 */
#ifndef STORAGE_PAGES_TREE_H
#define STORAGE_PAGES_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fault.h"
#include "storage/dataset/pages.h"

#define PAGES_NODE_HEADER_BYTES 8u
/* Flags of a node: its value is on pages of its own; the root of a database;
 * this or sorted duplicates. */
#define PAGES_NODE_BIG 0x01u
#define PAGES_NODE_DATABASE 0x02u
#define PAGES_NODE_OTHER_KINDS 0x06u

/* A database: the root of its tree. */
struct pages_tree {
	uint16_t flags;
	uint16_t depth;
	uint64_t entries;
	uint64_t root;
};

/* One of the two meta pages: the newer of them is the root of the file. */
struct meta {
	uint32_t page_bytes;
	uint16_t flags;
	struct pages_tree main;
	uint64_t last_page;
	uint64_t transaction;
};

struct node;
struct page;
struct pages_walk;

/* Is told of each entry of a leaf. */
typedef int pages_entry(struct pages_walk *walk, const struct page *page,
			const struct node *node);

struct pages_walk {
	int fd;
	const char *name;
	struct fault *fault;
	struct meta meta;
	struct pages_tree tree;
	pages_entry *entry;
	uint64_t entries;
	uint64_t pages_seen;
	uint8_t *pages; /* one per level */
	void *context;	/* of who is told of the entries */
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

/* Reads the meta pages and makes room for a walk; flags_too: what they may say
 * beside the usual. walk->pages is to be freed, also after an error. */
int pages_start(struct pages_walk *walk, uint64_t file_bytes,
		uint16_t flags_too) __attribute__((warn_unused_result));

/* Tells `entry` of each entry of the tree. */
int pages_walk_tree(struct pages_walk *walk, const struct pages_tree *tree,
		    pages_entry *entry) __attribute__((warn_unused_result));

/* Where the value of a leaf's entry lies, once that is found sound. */
int pages_find_value(struct pages_walk *walk, const struct page *page,
		     const struct node *node, struct pages_value *value)
	__attribute__((warn_unused_result));

#define PAGES_TREE_BYTES 48u
struct pages_tree pages_read_tree(const uint8_t from[PAGES_TREE_BYTES]);

/* Says that a page is damaged: -EBADMSG. */
int pages_damaged(const struct pages_walk *walk, uint64_t page,
		  const char *what);

#endif
