/* SPDX-License-Identifier: MIT */
/*
 * LMDB trusts the pages of a file and follows them through its memory map: a
 * damaged or truncated file makes it crash. So before a file is given to it,
 * every page that a walk over all keys will visit is checked here: that it is
 * a page of the right kind and depth, that its nodes lie inside it, that the
 * values lie inside the file, and for our own lists that the keys are the
 * 64-bit big-endian numbers 0, 1, 2, ... The payload pages of large values are
 * not read.
 *
 * The environments of others, with keys of any kind and databases by name, are
 * walked here alone: no byte of them is handed to LMDB. Memory is a page for
 * each level of the tree.
 *
 * This knows the file format of LMDB 0.9 (data version 1, 64-bit,
 * little-endian), and is the only place that does.
 */
#ifndef STORAGE_PAGES_H
#define STORAGE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"

struct pages_facts {
	uint32_t page_bytes;
	uint64_t entries;
};

/* Checks the list in an open file of file_bytes; `name` is for the fault's
 * text. -EBADMSG when it is not sound. */
int pages_check(int fd, uint64_t file_bytes, const char *name,
		struct pages_facts *facts, struct fault *fault)
	__attribute__((warn_unused_result));

/* Bytes that tell an LMDB file from others, at its very start. */
#define PAGES_HEAD_BYTES 24
bool pages_recognise(const uint8_t head[PAGES_HEAD_BYTES])
	__attribute__((warn_unused_result));

struct pages_value {
	uint64_t offset_bytes; /* within the file */
	uint32_t bytes;
};

/* Is told of each value; other than 0 ends the walk with that. */
typedef int pages_visit(void *context, const struct pages_value *value);

/*
 * Goes through the values of an environment, in the order of their keys: of
 * its unnamed database or of the one called `database`. Sorted duplicates are
 * refused with -EINVAL; where there is no such database, or only named ones
 * and none was named, -ENOENT and a fault that lists them.
 */
int pages_walk(int fd, uint64_t file_bytes, const char *name,
	       const char *database, pages_visit *visit, void *context,
	       struct fault *fault) __attribute__((warn_unused_result));

/* Is told a database's name, which no zero ends. */
typedef void pages_tell(void *context, const char *name, size_t length);

/* Goes through the names of the databases. */
int pages_databases(int fd, uint64_t file_bytes, const char *name,
		    pages_tell *tell, void *context, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
