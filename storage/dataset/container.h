/* SPDX-License-Identifier: MIT */
/*
 * Files in which others keep many examples: tars, and the shards of loaders
 * that are read through an index of their own. Taken for one example each they
 * would make another dataset than the one there is, so they are recognised, by
 * what is in them and not by their names, and refused with how to proceed. One
 * row of a table a kind; nothing is read in place.
 */
#ifndef STORAGE_CONTAINER_H
#define STORAGE_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"

struct container {
	const char *name;    /* in the plural */
	const char *proceed; /* what a person can do with them */
	bool is_tar;	     /* packing unpacks it */
	bool is_sealed;	     /* what it holds cannot be seen; packing refuses
				it, for it may be a tar */
};

/* Says what was found at a path and how to proceed; -EINVAL. */
int container_refuse(const struct container *container, const char *path,
		     struct fault *fault);

/* What the file is, itself or under gzip or zstd; NULL: no container, or
 * nothing that can be read. */
const struct container *container_of_file(const char *path);

/* A folder, told file by file in any fixed order. */
struct container_look {
	const char *folder;
	uint64_t seen;
	uint64_t other_bytes; /* of files looked into that are none */
	uint64_t kind_bytes[8];
	const struct container *indexed; /* by an index file that says so */
};

/* Looks into the file if it is one of the few that stand for all: the first,
 * the second, the fourth … of the first thousand, and every index.json among
 * those. False when no further one will be looked into. */
bool container_consider(struct container_look *look, const char *name,
			uint64_t bytes);

/* What most of the bytes looked into are in; NULL: in files of other kinds. */
const struct container *container_found(const struct container_look *look);

/* Both, for whoever has no list of the folder's files: the start of a walk
 * through it. A fault when it cannot be listed. */
int container_of_folder(const char *path, const struct container **found,
			struct fault *fault)
	__attribute__((warn_unused_result));

#endif
